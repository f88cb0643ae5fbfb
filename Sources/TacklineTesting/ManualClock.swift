private import Synchronization

/// A clock that stands still until a test moves it.
///
/// ```swift
/// let clock = ManualClock()
/// configuration.clock = clock
/// …
/// try await clock.waitForSleepers(count: 1) // until the code under test waits for something
/// clock.advance(by: .seconds(300))          // what was to come within five minutes comes now
/// ```
///
/// Nothing sleeps really, so a test of hours takes no time. Safe from any task.
public final class ManualClock: Clock {
    /// A moment of a manual clock.
    public struct Instant: InstantProtocol {
        /// The time since the clock was made.
        public var offset: Duration

        /// Makes a moment.
        public init(offset: Duration = .zero) {
            self.offset = offset
        }

        /// Returns the moment later by a duration.
        public func advanced(by duration: Duration) -> Instant {
            Instant(offset: offset + duration)
        }

        /// Returns the time from this moment to the other; negative if that is earlier.
        public func duration(to other: Instant) -> Duration {
            other.offset - offset
        }

        /// Earlier is less.
        public static func < (left: Instant, right: Instant) -> Bool {
            left.offset < right.offset
        }
    }

    private struct Sleeper {
        var deadline: Instant
        var continuation: CheckedContinuation<Void, any Error>
    }

    private struct Watcher {
        var condition: @Sendable ([Duration]) -> Bool
        /// Resumed with `true` when the condition is met, and with `false` by a cancellation.
        var continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var now = Instant()
        var nextIdentifier = 0
        var sleepers: [Int: Sleeper] = [:]
        var watchers: [Int: Watcher] = [:]

        /// How long each sleeper still has to wait, in order.
        var remaining: [Duration] { sleepers.values.map { now.duration(to: $0.deadline) }.sorted() }

        mutating func newIdentifier() -> Int {
            nextIdentifier += 1
            return nextIdentifier
        }
    }

    private let state = Mutex(State())

    /// Makes a clock at its first moment.
    public init() {}

    /// The present moment.
    public var now: Instant { state.withLock { $0.now } }

    /// Zero: moments are exact.
    public var minimumResolution: Duration { .zero }

    /// How long each task that sleeps at the moment still has to wait, the shortest first.
    public var sleepers: [Duration] { state.withLock { $0.remaining } }

    /// Waits until the clock has been moved to the deadline; returns at once if it is not in the future.
    ///
    /// - Parameters:
    ///   - deadline: The moment to wait for.
    ///   - tolerance: Ignored: the clock is exact.
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    public func sleep(until deadline: Instant, tolerance: Duration? = nil) async throws {
        let identifier = state.withLock { $0.newIdentifier() }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
                let result: Result<Void, any Error>? = state.withLock { state in
                    // A cancellation after this look finds the sleeper; one before it is seen here.
                    if Task.isCancelled { return .failure(CancellationError()) }
                    if deadline <= state.now { return .success(()) }
                    state.sleepers[identifier] = Sleeper(deadline: deadline, continuation: continuation)
                    return nil
                }
                if let result { continuation.resume(with: result) } else { wakeWatchers() }
            }
        } onCancel: {
            let sleeper = state.withLock { $0.sleepers.removeValue(forKey: identifier) }
            sleeper?.continuation.resume(throwing: CancellationError())
            wakeWatchers()
        }
    }

    /// Moves the clock and wakes, the earliest first, everyone whose deadline has come.
    ///
    /// All of them find the clock at its new moment, as after a computer has slept. They go on concurrently with the
    /// caller. A negative duration moves nothing.
    public func advance(by duration: Duration) {
        let due = state.withLock { state in
            state.now = state.now.advanced(by: max(duration, .zero))
            let now = state.now
            let due = state.sleepers.filter { $0.value.deadline <= now }
            for identifier in due.keys { state.sleepers[identifier] = nil }
            return due.values.sorted { $0.deadline < $1.deadline }
        }
        for sleeper in due { sleeper.continuation.resume() }
        wakeWatchers()
    }

    /// Waits until at least so many tasks sleep.
    ///
    /// - Throws: `CancellationError` as soon as the calling task is cancelled, unless so many sleep by then.
    public func waitForSleepers(count: Int) async throws(CancellationError) {
        try await waitForSleepers { $0.count >= count }
    }

    /// Waits until what is left to the sleeping tasks meets a condition.
    ///
    /// - Parameter condition: Is given what ``sleepers`` is, under the clock's lock: it must not use the clock.
    /// - Throws: `CancellationError` as soon as the calling task is cancelled, unless the condition is met by then.
    public func waitForSleepers(
        where condition: @escaping @Sendable ([Duration]) -> Bool
    ) async throws(CancellationError) {
        let identifier = state.withLock { $0.newIdentifier() }
        let isMet = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isMet: Bool? = state.withLock { state in
                    if condition(state.remaining) { return true }
                    // A cancellation after this look finds the watcher.
                    if Task.isCancelled { return false }
                    state.watchers[identifier] = Watcher(condition: condition, continuation: continuation)
                    return nil
                }
                if let isMet { continuation.resume(returning: isMet) }
            }
        } onCancel: {
            state.withLock { $0.watchers.removeValue(forKey: identifier) }?.continuation.resume(returning: false)
        }
        if !isMet { throw CancellationError() }
    }

    private func wakeWatchers() {
        let met = state.withLock { state in
            let remaining = state.remaining
            let met = state.watchers.filter { $0.value.condition(remaining) }
            for identifier in met.keys { state.watchers[identifier] = nil }
            return met.values
        }
        for watcher in met { watcher.continuation.resume(returning: true) }
    }
}
