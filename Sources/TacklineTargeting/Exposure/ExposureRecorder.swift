import Synchronization
public import TacklineCore

/// A collector of exposures without repeats, which delivers them to an observer in batches.
///
/// ```swift
/// let exposures = ExposureRecorder(observer: analysis)
/// let flags = FlagsLoader(AppFlags.self, providers: [rules], observers: [exposures])
/// ```
///
/// As an observer of a loader, it records the values that reads get from providers with details, such as rules and
/// OFREP servers. It doesn't record a value that the flag's type refused, or one that was only inspected.
///
/// ## Repeats
///
/// An exposure is a repeat if the flag's last exposure to the same subject had the same value, in the same session and
/// less than a window ago. So A, then B, then A again are three exposures. A session begins with
/// ``/TacklineCore/FlagsLoader/beginSession()`` or ``beginSession()``. The memory for this grows to 8 MB, enough for
/// 250,000 pairs of a flag and a subject. If there are more, the oldest are forgotten, and may be recorded again.
///
/// ## Delivery
///
/// Exposures are delivered in the order of their recording, whenever a batch is full, and by ``flush()`` and
/// ``run(every:clock:)``. A batch that the observer refuses is delivered again after a second, then after two, four,
/// and so on up to a minute, and by each flush.
///
/// Nothing is lost as long as the exposures that wait take less than a maximum number of bytes. New ones beyond it are
/// dropped, counted by ``droppedCount``, and reported as `undelivered-exposures`; their repeats are recorded once there
/// is room. When the recorder is deallocated, the exposures that wait are delivered,
/// and those that the observer refuses three more times are dropped.
///
/// Any thread may record at any time. Recording holds a lock while it looks up an exposure.
public final class ExposureRecorder: Sendable {
    private let memory = Mutex(ExposureMemory())
    private let queue: ExposureQueue
    private let now: @Sendable () -> Duration
    private let window: Duration?

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - observer: The receiver of the batches.
    ///   - batchSize: The maximum number of exposures in a batch. Fewer wait for ``flush()``.
    ///   - window: The time after which a repeat is recorded again; with `nil`, it is recorded only in the next
    ///     session. A loader records a value that it keeps once for each session, and evaluates a value for a task's
    ///     context at each read.
    ///   - maximumWaitingBytes: The maximum size of the exposures that wait, measured as if they shared no text.
    ///   - issueReporter: The reporter that is notified if exposures are refused or dropped.
    ///   - clock: The clock of the window and of the pauses before a batch is delivered again.
    public init(
        observer: any ExposureObserver, batchSize: Int = 100, window: Duration? = .seconds(3600),
        maximumWaitingBytes: Int = 16_777_216, issueReporter: FlagIssueReporter = .current,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.window = window
        queue = ExposureQueue(
            observer: observer, batchSize: max(1, batchSize), maximumBytes: maximumWaitingBytes,
            reporter: issueReporter, clock: clock)
        now = Self.timer(clock)
    }

    deinit { queue.finish() }

    /// Returns a closure that returns the time since now.
    private static func timer<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// Records that an evaluation was given to the subject of a context.
    ///
    /// - Returns: Whether it will be delivered: `false` for a repeat and if it is dropped.
    @discardableResult
    public func record(
        _ evaluation: FlagEvaluation, of flagKey: String, for context: EvaluationContext, providerName: String? = nil
    ) -> Bool {
        record(
            flag: flagKey, subject: context.targetingKey,
            anonymous: context.targetingKey == nil ? context.attributes : [:],
            variant: evaluation.variant, value: evaluation.value, error: evaluation.errorCode
        ) { FlagExposure(evaluation, of: flagKey, for: context, providerName: providerName) }
    }

    /// - Parameter anonymous: The attributes that distinguish a subject without a key from others.
    private func record(
        flag: String, subject: String?, anonymous: [String: EncodedFlagValue], variant: String?,
        value: EncodedFlagValue?, error: FlagEvaluation.ErrorCode?, _ exposure: () -> FlagExposure?
    ) -> Bool {
        // 64 bits with a seed of the process: a collision of two pairs is too rare to matter.
        var pair = Hasher()
        // By bytes: two flags or users can have names that `String` takes for equal.
        pair.combine(EncodedFlagValue.string(flag))
        pair.combine(subject.map { EncodedFlagValue.string($0) })
        if !anonymous.isEmpty { pair.combine(EncodedFlagValue.object(anonymous)) }
        var answer = Hasher()
        answer.combine(variant.map { EncodedFlagValue.string($0) })
        answer.combine(value)
        answer.combine(error)
        let entry = ExposureMemory.Entry(
            pair: pair.finalize(), answer: answer.finalize(), time: ExposureMemory.time(now()))
        let window = window.map(ExposureMemory.time)
        if memory.withLock({ $0.has(entry, window: window) }) { return false }
        guard let exposure = exposure() else { return false }
        let bytes = exposure.bytes
        // Released outside the lock.
        var old: [ExposureMemory.Entry] = []
        // Under one lock, so that a dropped exposure isn't remembered and the order is kept.
        let isNew = memory.withLock { memory in
            guard !memory.has(entry, window: window), queue.append(exposure, bytes: bytes) else { return false }
            old = memory.insert(entry)
            return true
        }
        withExtendedLifetime(old) {}
        queue.deliver()
        return isNew
    }

    /// Begins a new session, in which everything may be recorded again.
    public func beginSession() {
        let old = memory.withLock { memory in
            defer { memory = ExposureMemory() }
            return memory
        }
        withExtendedLifetime(old) {}
    }

    /// Delivers everything that was recorded before the call.
    ///
    /// Any number of tasks may flush at once and while others record. Don't wait for a flush in the observer, which
    /// would wait for itself.
    ///
    /// - Returns: `false` if the observer refused a batch, which waits to be delivered again.
    @discardableResult
    public func flush() async -> Bool { await queue.flush() }

    /// Flushes at an interval of at least a millisecond until the task is cancelled, and then up to three times until
    /// everything has been delivered.
    public func run(every interval: Duration, clock: any Clock<Duration> = ContinuousClock()) async {
        repeat {
            try? await clock.sleep(for: max(interval, .milliseconds(1)))
            await flush()
        } while !Task.isCancelled
        for _ in 0..<2 where await !flush() {}
    }

    /// The number of exposures that were dropped.
    public var droppedCount: Int { queue.droppedCount }

    /// The number of exposures that wait to be delivered, including a batch that the observer has not yet taken.
    public var waitingCount: Int { queue.waitingCount }
}

extension ExposureRecorder: FlagResolutionObserver {
    /// Records the value that a read was given, if it came from a provider that gives a reason.
    public func flagWasResolved(_ flag: FlagResolution<EncodedFlagValue>) {
        guard case .provider = flag.source, let evaluation = flag.evaluation, evaluation.reason != nil else { return }
        _ = record(
            flag: flag.key.text, subject: evaluation.subject, anonymous: [:], variant: evaluation.variant,
            value: flag.value, error: evaluation.errorCode
        ) { FlagExposure(flag) }
    }

    /// Begins a new session, as ``beginSession()`` does.
    public func sessionBegan() { beginSession() }
}
