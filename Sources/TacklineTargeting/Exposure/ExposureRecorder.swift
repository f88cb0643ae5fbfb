import Synchronization
public import TacklineCore

/// A collector of exposures without repeats, as a stream.
///
/// ```swift
/// let recorder = ExposureRecorder()
/// let flags = FlagsLoader(AppFlags.self, providers: [rules], observers: [recorder])
/// for await exposure in recorder.exposures {
///     analytics.track(FlagExposure.eventName, exposure.attributes)
/// }
/// ```
///
/// As an observer of a loader, it records the values that reads get from providers with details, such as rules and
/// OFREP servers. It doesn't record a value that the flag's type refused, or one that was only inspected.
///
/// An exposure is a repeat if the flag's last exposure to the same subject had the same value, in the same session and
/// less than a window ago. So A, then B, then A again are three exposures. A session begins with
/// ``/TacklineCore/FlagsLoader/beginSession()`` or ``beginSession()``. After 250,000 pairs of a flag and a subject, all
/// are forgotten and may be recorded again.
///
/// Any thread may record at any time. Recording holds a lock while it looks up an exposure.
public final class ExposureRecorder: Sendable {
    /// The exposures in the order of their recording, for one consumer.
    ///
    /// The stream keeps as many as the recorder's capacity until they are consumed. More of them are dropped, counted by
    /// ``droppedCount``, and reported once. The stream ends after ``finish()``, or when the recorder is deallocated, with
    /// the last of those that it keeps.
    public let exposures: AsyncStream<FlagExposure>

    private struct State {
        /// The last exposure of each pair of a flag and a subject, by the hash of the pair: the hash of the answer, and
        /// the time.
        var last: [Int: (answer: Int, time: Duration)] = [:]
        var droppedCount = 0
    }

    private let state = Mutex(State())
    private let continuation: AsyncStream<FlagExposure>.Continuation
    private let window: Duration?
    private let capacity: Int
    private let reporter: FlagIssueReporter
    private let now: @Sendable () -> Duration

    /// Creates a recorder.
    ///
    /// - Parameters:
    ///   - window: The time after which a repeat is recorded again; with `nil`, it is recorded only in the next session.
    ///     A loader records a value that it keeps once for each session, and evaluates a value for a task's context at
    ///     each read.
    ///   - capacity: The number of exposures that may wait to be taken.
    ///   - issueReporter: The reporter that is notified if exposures are dropped.
    ///   - clock: The clock of the window.
    public init(
        window: Duration? = .seconds(3600), capacity: Int = 10_000, issueReporter: FlagIssueReporter = .current,
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.window = window
        self.capacity = max(1, capacity)
        reporter = issueReporter
        now = Self.timer(clock)
        (exposures, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingOldest(self.capacity))
    }

    deinit { continuation.finish() }

    private static func timer<C: Clock<Duration>>(_ clock: C) -> @Sendable () -> Duration {
        let start = clock.now
        return { start.duration(to: clock.now) }
    }

    /// Records that an evaluation was given to the subject of a context.
    ///
    /// - Returns: Whether it is in the stream: `false` for a repeat, if it is dropped, and after ``finish()``.
    @discardableResult
    public func record(
        _ evaluation: FlagEvaluation, of flagKey: String, for context: EvaluationContext, providerName: String? = nil
    ) -> Bool {
        let exposure = FlagExposure(evaluation, of: flagKey, for: context, providerName: providerName)
        return record(exposure, value: evaluation.value)
    }

    /// - Parameter value: The value, also if the flag is secret.
    private func record(_ exposure: FlagExposure, value: EncodedFlagValue?) -> Bool {
        // 64 bits with a seed of the process: a collision of two pairs is too rare to matter.
        var pair = Hasher()
        // By bytes: two flags or users can have names that `String` takes for equal.
        pair.combine(EncodedFlagValue.string(exposure.flagKey))
        pair.combine(exposure.contextID.map { EncodedFlagValue.string($0) })
        var answer = Hasher()
        answer.combine(exposure.variant.map { EncodedFlagValue.string($0) })
        answer.combine(value)
        answer.combine(exposure.errorCode)
        let (key, new) = (pair.finalize(), (answer: answer.finalize(), time: now()))
        let (isRecorded, isFirstDrop) = state.withLock { state in
            if let last = state.last[key], last.answer == new.answer, window.map({ new.time - last.time < $0 }) ?? true
            {
                return (false, false)
            }
            // Under the lock, so that a dropped exposure isn't remembered and the order is kept.
            switch continuation.yield(exposure) {
            case .enqueued: break
            case .dropped:
                state.droppedCount += 1
                return (false, state.droppedCount == 1)
            default: return (false, false)
            }
            if state.last.count >= 250_000 { state.last.removeAll(keepingCapacity: true) }
            state.last[key] = new
            return (true, false)
        }
        if isFirstDrop { reporter.report(.droppedExposures(capacity: capacity)) }
        return isRecorded
    }

    /// Begins a new session, in which everything may be recorded again.
    public func beginSession() { state.withLock { $0.last = [:] } }

    /// Ends the stream after the exposures that wait, as when the process shuts down. Nothing is recorded any more.
    public func finish() { continuation.finish() }

    /// The number of exposures that were dropped.
    public var droppedCount: Int { state.withLock { $0.droppedCount } }
}

extension ExposureRecorder: FlagResolutionObserver {
    /// Records the value that a read was given, if it came from a provider that gives a reason.
    public func flagWasResolved(_ flag: FlagResolution<EncodedFlagValue>) {
        guard let exposure = FlagExposure(flag) else { return }
        _ = record(exposure, value: flag.value)
    }

    /// Begins a new session, as ``beginSession()`` does.
    public func sessionBegan() { beginSession() }
}
