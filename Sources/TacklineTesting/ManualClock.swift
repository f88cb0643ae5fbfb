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

    private struct Sleeper {
        var deadline: Instant
        /// Resolved with `true` when the deadline has come, and with `false` by a cancellation.
        let end = FlagPromise<Bool>()
    }

    private struct Watcher {
        var condition: @Sendable ([Duration]) -> Bool
        /// Resolved with `true` when the condition is met, and with `false` by a cancellation.
        let result = FlagPromise<Bool>()
    }

    private struct State {
        var now = Instant()
        var sleepers: [Sleeper] = []
        var watchers: [Watcher] = []

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
        let sleeper = Sleeper(deadline: deadline)
        let isOver = state.withLock { state in
            if state.now < deadline { state.sleepers.append(sleeper) }
            return state.now >= deadline
        }
        if isOver { return }
        resumeWatchers()
        if await sleeper.end.wait(orResolveIfCancelled: false) { return }
        state.withLock { $0.sleepers.removeAll { $0.end === sleeper.end } }
        resumeWatchers()
        throw CancellationError()
    }

    /// Advances the clock and resumes the tasks whose deadline has come, earliest first.
    ///
    /// All of them see the clock at its new moment, as after a computer has been suspended. They continue concurrently
    /// with the caller. A negative duration doesn't move the clock.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: max(duration, .zero))
            let now = state.now
            let due = state.sleepers.filter { $0.deadline <= now }
            state.sleepers.removeAll { $0.deadline <= now }
            return due.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.end.resolve(true) }
        resumeWatchers()
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
        let watcher = Watcher(condition: condition)
        let isMet = state.withLock { state in
            let isMet = condition(state.remaining)
            if !isMet { state.watchers.append(watcher) }
            return isMet
        }
        if isMet { return }
        if await watcher.result.wait(orResolveIfCancelled: false) { return }
        state.withLock { $0.watchers.removeAll { $0.result === watcher.result } }
        throw CancellationError()
    }

    private func resumeWatchers() {
        let met = state.withLock { state in
            let remaining = state.remaining
            let met = state.watchers.filter { $0.condition(remaining) }
            state.watchers.removeAll { watcher in met.contains { $0.result === watcher.result } }
            return met
        }
        for watcher in met { watcher.result.resolve(true) }
    }
}
