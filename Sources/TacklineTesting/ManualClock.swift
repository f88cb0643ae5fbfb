private import Synchronization
private import TacklineCore

/// A clock that stands still until a test advances it.
///
/// ```swift
/// let clock = ManualClock()
/// configuration.clock = clock
/// …
/// try await clock.waitForSleepers(count: 1) // until the code under test sleeps
/// clock.advance(by: .seconds(300))          // resumes tasks whose deadline is within five minutes
/// ```
///
/// No real time passes, so a test of hours takes no time. You can use the clock from any task.
public final class ManualClock: Clock {
    /// A moment of a manual clock.
    public struct Instant: InstantProtocol {
        /// The time since the clock was created.
        public var offset: Duration

        /// Creates a moment.
        public init(offset: Duration = .zero) {
            self.offset = offset
        }

        /// Returns the moment that is later by a duration.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// Returns the time from this moment to another; negative if that is earlier.
        public func duration(to other: Instant) -> Duration {
            other.offset - offset
        }

        /// Returns whether the first moment is earlier.
        public static func < (left: Instant, right: Instant) -> Bool {
            left.offset < right.offset
        }
    }

    private struct State {
        var now = Instant()
        /// The tasks that sleep. Each end is resolved with `true` at the deadline, and with `false` by a cancellation.
        var sleepers: [(deadline: Instant, end: FlagPromise<Bool>)] = []
        /// The tests that wait for sleepers, likewise.
        var watchers: [(condition: @Sendable ([Duration]) -> Bool, end: FlagPromise<Bool>)] = []

        /// The remaining time of each sleeper, shortest first.
        var remaining: [Duration] {
            sleepers.filter { $0.end.value == nil }.map { now.duration(to: $0.deadline) }.sorted()
        }
    }

    private let state = Mutex(State())

    /// Creates a clock at offset zero.
    public init() {}

    /// The present moment.
    public var now: Instant { state.withLock { $0.now } }

    /// The resolution, which is zero because moments are exact.
    public var minimumResolution: Duration { .zero }

    /// The remaining time of each task that is sleeping, shortest first.
    public var sleepers: [Duration] { state.withLock { $0.remaining } }

    /// Waits until the clock has been advanced to the deadline. Returns at once if the deadline is not in the future.
    ///
    /// - Parameters:
    ///   - deadline: The moment to wait for.
    ///   - tolerance: Ignored: the clock is exact.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        try Task.checkCancellation()
        let end = FlagPromise<Bool>()
        change { $0.sleepers.append((deadline, end)) }
        if await end.wait(orResolveIfCancelled: false) { return }
        change { $0.sleepers.removeAll { $0.end === end } }
        throw CancellationError()
    }

    /// Advances the clock and resumes the tasks whose deadline has come, earliest first.
    ///
    /// All of them see the clock at its new moment, as after a computer has been suspended. They continue concurrently
    /// with the caller. A negative duration doesn't move the clock.
    public func advance(by duration: Duration) {
        change { $0.now = $0.now.advanced(by: max(duration, .zero)) }
    }

    /// Waits until at least `count` tasks are sleeping.
    ///
    /// - Throws: `CancellationError` as soon as the calling task is cancelled, unless enough tasks are sleeping by
    ///   then.
    public func waitForSleepers(count: Int) async throws(CancellationError) {
        try await waitForSleepers { $0.count >= count }
    }

    /// Waits until the remaining times of the sleeping tasks meet a condition.
    ///
    /// - Parameter condition: Gets the value of ``sleepers``. It is called under the clock's lock and must not use the
    ///   clock.
    /// - Throws: `CancellationError` as soon as the calling task is cancelled, unless the condition is met by then.
    public func waitForSleepers(
        where condition: @escaping @Sendable ([Duration]) -> Bool
    ) async throws(CancellationError) {
        let end = FlagPromise<Bool>()
        change { $0.watchers.append((condition, end)) }
        if await end.wait(orResolveIfCancelled: false) { return }
        change { $0.watchers.removeAll { $0.end === end } }
        throw CancellationError()
    }

    /// Changes the state and resumes those who are due then.
    private func change(_ body: (inout State) -> Void) {
        let due = state.withLock { state in
            body(&state)
            let (now, remaining) = (state.now, state.remaining.filter { $0 > .zero })
            let due = state.sleepers.filter { $0.deadline <= now }.sorted { $0.deadline < $1.deadline }
            state.sleepers.removeAll { $0.deadline <= now }
            let met = state.watchers.filter { $0.condition(remaining) }
            state.watchers.removeAll { watcher in met.contains { $0.end === watcher.end } }
            return due.map(\.end) + met.map(\.end)
        }
        for end in due { end.resolve(true) }
    }
}
