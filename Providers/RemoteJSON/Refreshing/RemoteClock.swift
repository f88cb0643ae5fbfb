import Synchronization
import TacklineCore

/// A clock whose instants are durations since this value was made, so that clocks of all types are used alike.
package struct RemoteClock: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let sleepUntil: @Sendable (Duration) async throws -> Void

    package init(_ clock: any Clock<Duration>) { self.init(opening: clock) }

    private init<C: Clock>(opening clock: C) where C.Duration == Duration {
        let start = clock.now
        let elapsed: @Sendable () -> Duration = { start.duration(to: clock.now) }
        self.elapsed = elapsed
        #if canImport(Darwin)
            let longest = Duration.seconds(1e9)
        #else
            // The system keeps a cancelled sleep in memory until it would have ended.
            let longest = clock is ContinuousClock ? Duration.seconds(60) : .seconds(1e9)
        #endif
        sleepUntil = { instant in
            repeat {
                let next = min(instant, elapsed() + longest)
                try await clock.sleep(until: start.advanced(by: next), tolerance: nil)
            } while elapsed() < instant
        }
    }

    /// The time since this value was made.
    package var now: Duration { elapsed() }

    /// Waits until an instant; throws as soon as the task is cancelled.
    package func sleep(until instant: Duration) async throws { try await sleepUntil(instant) }

    /// Runs an operation until it ends, or an instant has come; `nil` stands for never. The operation has to end when its
    /// task is cancelled.
    ///
    /// - Returns: The result of the operation; `nil` if the instant came first, or the task was cancelled.
    package func wait<Value: Sendable>(
        until instant: Duration?, or operation: @escaping @Sendable () async -> Value?
    ) async -> Value? {
        guard let instant else { return await operation() }
        return await withTaskGroup(of: Value?.self) { group in
            group.addTask { await operation() }
            group.addTask {
                try? await sleep(until: instant)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    /// Runs an operation, and cancels it when its deadline has passed.
    ///
    /// The operation has to end when its task is cancelled, because this function waits for it.
    ///
    /// - Parameters:
    ///   - time: The longest time for the operation.
    ///   - isTotal: Whether the time applies to the whole operation, and not only until the first progress.
    func limit<Value: Sendable>(
        _ time: Duration, isTotal: Bool = true, _ operation: @escaping @Sendable (Deadline) async throws -> Value
    ) async throws -> Value {
        let deadline = Deadline(self, time, isTotal: isTotal)
        return try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await operation(deadline) }
            group.addTask { throw try await deadline.failure() }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}

/// The instant by which an operation has to make its next progress.
final class Deadline: Sendable {
    private typealias Limit = (instant: Duration, reason: String)

    private let clock: RemoteClock
    private let first: Limit
    private let isTotal: Bool
    private let next = Mutex<Limit?>(nil)

    fileprivate init(_ clock: RemoteClock, _ time: Duration, isTotal: Bool) {
        (self.clock, self.isTotal) = (clock, isTotal)
        first = (clock.now + time, "the answer was not complete within \(time.roundedText)")
    }

    /// Notes a progress, after which the next one has to come within a time, which is at least ten seconds.
    ///
    /// - Parameter problem: A description of the failure, which is followed by the time.
    func expect(within time: Duration, else problem: String) {
        let limit = (clock.now + time, "\(problem) \(time.roundedText)")
        next.withLock { $0 = limit }
    }

    /// Waits until the deadline has passed.
    fileprivate func failure() async throws -> HTTPFailure {
        while true {
            let next = next.withLock { $0 }
            let limits = isTotal ? [first, next].compactMap(\.self) : [next ?? first]
            let limit = limits.min { $0.instant < $1.instant } ?? first
            let now = clock.now
            guard now < limit.instant else { return HTTPFailure(limit.reason) }
            // The first progress may have an earlier limit than `first`.
            try await clock.sleep(until: next == nil ? min(limit.instant, now + .seconds(10)) : limit.instant)
        }
    }
}
