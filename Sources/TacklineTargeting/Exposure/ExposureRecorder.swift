import Synchronization
public import TacklineCore

/// Collects exposures, each once, and hands them to an observer in batches.
///
/// ```swift
/// let exposures = ExposureRecorder(observer: analysis)
/// let flags = FlagsLoader(AppFlags.self, providers: [rules], observers: [exposures])
/// ```
///
/// As an observer of a loader it records the values that reads are given by providers with details, such as rules and OFREP
/// servers: not a value that the flag's type refused, and none that was only inspected.
///
/// An exposure that repeats an earlier one in flag, subject and value is dropped. The memory for this is bounded: when it is
/// full, the older half is forgotten, and a repetition of that is reported again.
///
/// Recording takes a lock for as long as it takes to look an exposure up and keep it; the observer runs elsewhere. Any thread
/// may record at any time. When the recorder goes away, what it has collected is still handed over.
public final class ExposureRecorder: Sendable {
    private struct State {
        var seen: Set<Int> = []
        var seenBefore: Set<Int> = []
        var pending: [FlagExposure] = []
        var droppedCount = 0
    }

    private enum Delivery: Sendable {
        case batch([FlagExposure])
        /// Somebody waits until everything before it has been handed over.
        case mark(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State())
    private let deliveries: AsyncStream<Delivery>.Continuation
    private let batchSize: Int
    private let memory: Int

    /// Makes a recorder.
    ///
    /// - Parameters:
    ///   - observer: Who is told.
    ///   - batchSize: How many exposures are handed over at once. Fewer wait until ``flush()``.
    ///   - memory: How many exposures are remembered in order not to report them again, at least.
    ///   - waitingBatches: How many batches wait at most while the observer is busy. Then the oldest are dropped.
    public init(
        observer: any ExposureObserver, batchSize: Int = 100, memory: Int = 10_000, waitingBatches: Int = 100
    ) {
        self.batchSize = max(1, batchSize)
        self.memory = max(1, memory)
        let (stream, continuation) = AsyncStream.makeStream(
            of: Delivery.self, bufferingPolicy: .bufferingNewest(max(1, waitingBatches))
        )
        deliveries = continuation
        // Ends with the stream, which the recorder finishes when it goes away.
        Task.detached {
            for await delivery in stream {
                switch delivery {
                case .batch(let exposures): await observer.observe(exposures)
                case .mark(let waiting): waiting.resume()
                }
            }
        }
    }

    deinit {
        let rest = state.withLock { $0.pending }
        if !rest.isEmpty { deliveries.yield(.batch(rest)) }
        deliveries.finish()
    }

    /// Records that an evaluation was given to the subject of a context.
    ///
    /// - Returns: Whether it is new, and so will be handed over.
    @discardableResult
    public func record(
        _ evaluation: FlagEvaluation, for context: EvaluationContext, providerName: String? = nil
    ) -> Bool {
        record(
            FlagExposure(evaluation, for: context, providerName: providerName),
            anonymous: context.targetingKey == nil ? context.attributes : [:])
    }

    /// - Parameter anonymous: What tells a subject without a key from others.
    private func record(_ exposure: FlagExposure, anonymous: [String: EncodedFlagValue]) -> Bool {
        let identity = Self.identity(of: exposure, anonymous)
        var forgotten = Set<Int>()
        defer { withExtendedLifetime(forgotten) {} }
        return state.withLock { state in
            guard !state.seen.contains(identity), !state.seenBefore.contains(identity) else { return false }
            if state.seen.count >= memory {
                forgotten = state.seenBefore
                state.seenBefore = state.seen
                state.seen = []
            }
            state.seen.insert(identity)
            state.pending.append(exposure)
            if state.pending.count >= batchSize { handOver(&state) }
            return true
        }
    }

    /// Hands over what has been collected, and returns when the observer has taken it and everything before; or at once
    /// when so much came after it that batches are dropped, see ``droppedCount``.
    ///
    /// Do not wait for it in the observer: it would wait for itself.
    public func flush() async {
        await withCheckedContinuation { waiting in
            state.withLock { state in
                handOver(&state)
                send(.mark(waiting), &state)
            }
        }
    }

    /// Flushes at an interval, of a millisecond at least, until the task is cancelled, and once more then.
    public func run(every interval: Duration, clock: any Clock<Duration> = ContinuousClock()) async {
        repeat {
            try? await clock.sleep(for: max(interval, .milliseconds(1)))
            await flush()
        } while !Task.isCancelled
    }

    /// How many exposures were dropped, because the observer was busy for too long.
    public var droppedCount: Int { state.withLock { $0.droppedCount } }

    /// Enqueues what is pending. Under the lock, so that batches keep their order; the observer is not called here.
    private func handOver(_ state: inout State) {
        guard !state.pending.isEmpty else { return }
        send(.batch(state.pending), &state)
        state.pending = []
    }

    private func send(_ delivery: Delivery, _ state: inout State) {
        guard case .dropped(let dropped) = deliveries.yield(delivery) else { return }
        switch dropped {
        case .batch(let exposures): state.droppedCount += exposures.count
        // Dropped as well, so `flush()` returns early rather than never.
        case .mark(let waiting): waiting.resume()
        }
    }

    /// Tells exposures apart by flag, subject and value. 64 bits with a seed of the process: two that differ are mistaken for
    /// each other too rarely to matter.
    private static func identity(of exposure: FlagExposure, _ anonymous: [String: EncodedFlagValue]) -> Int {
        var hasher = Hasher()
        hasher.combine(exposure.flagKey)
        hasher.combine(exposure.variant)
        hasher.combine(exposure.value)
        hasher.combine(exposure.errorCode)
        hasher.combine(exposure.contextID)
        hasher.combine(anonymous)
        return hasher.finalize()
    }
}

extension ExposureRecorder: FlagResolutionObserver {
    /// Records that a read was given a value, if a provider with details gave it.
    public func flagWasResolved(_ flag: ResolvedFlag) {
        if let exposure = FlagExposure(flag) { _ = record(exposure, anonymous: [:]) }
    }
}
