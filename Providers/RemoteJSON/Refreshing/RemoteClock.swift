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
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await operation(deadline) }
            group.addTask {
                while true {
                    let (instant, reason) = deadline.current
                    guard now < instant else { throw HTTPFailure(reason) }
                    try await sleep(until: instant)
                }
            }
            defer { group.cancelAll() }
            while let result = try await group.next() { if let result { return result } }
            throw CancellationError()
        }
    }
}

/// The instant by which an operation has to make its next progress.
final class Deadline: Sendable {
    private typealias Limit = (instant: Duration, reason: String)

    private let clock: RemoteClock
    private let total: Limit?
    private let next: Mutex<Limit>

    fileprivate init(_ clock: RemoteClock, _ time: Duration, isTotal: Bool) {
        let limit = (clock.now + time, "the answer was not complete within \(time.roundedText)")
        (self.clock, total) = (clock, isTotal ? limit : nil)
        next = Mutex(limit)
    }

    /// Notes a progress, after which the next one has to come within a time.
    ///
    /// - Parameter problem: A description of the failure, which is followed by the time.
    func expect(within time: Duration, else problem: String) {
        let limit = (clock.now + time, "\(problem) \(time.roundedText)")
        next.withLock { $0 = limit }
    }

    fileprivate var current: (instant: Duration, reason: String) {
        let next = next.withLock { $0 }
        guard let total, total.instant <= next.instant else { return next }
        return total
    }
}
