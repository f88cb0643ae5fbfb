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
        // Linux keeps a cancelled sleep in memory until it would have ended.
        let longest = clock is ContinuousClock ? Duration.seconds(60) : .seconds(1e9)
        sleepUntil = { instant in
            repeat {
                let next = min(instant, elapsed() + longest)
                try await clock.sleep(until: start.advanced(by: next), tolerance: nil)
            } while elapsed() < instant
        }
    }

    /// The time since this value was made.
    package var now: Duration { elapsed() }

    /// Runs an operation until it ends or an instant has come (`nil` for never). It has to end when its task is cancelled.
    ///
    /// - Returns: The result of the operation; `nil` if the instant came first, or the task was cancelled.
    package func wait<Value: Sendable>(
        until instant: Duration?, or operation: @escaping @Sendable () async -> Value?
    ) async -> Value? {
        guard let instant else { return await operation() }
        return await withTaskGroup(of: Value?.self) { group in
            group.addTask { await operation() }
            group.addTask {
                try? await sleepUntil(instant)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }

    /// Runs an operation, and cancels it when it lasts too long. It has to end then, because this function waits for it.
    ///
    /// - Parameters:
    ///   - total: The longest time in all.
    ///   - idle: The longest time from one progress, which the operation notes, to the next.
    func limit<Value: Sendable>(
        _ total: Duration, idle: Duration = .seconds(10),
        _ work: @escaping @Sendable (_ noteProgress: @escaping @Sendable () -> Void) async throws -> Value
    ) async throws -> Value {
        let end = now + total
        let lastProgress = Mutex<Duration?>(nil)
        let noteProgress = { @Sendable in lastProgress.withLock { $0 = now } }
        let idleEnd = { @Sendable in lastProgress.withLock { $0 }.map { $0 + idle } ?? end }
        return try await withThrowingTaskGroup(of: Value.self) { group in
            group.addTask { try await work(noteProgress) }
            group.addTask {
                while true {
                    let (instant, now) = (idleEnd(), now)
                    if now >= end { throw HTTPFailure("the answer was not complete within \(total.roundedText)") }
                    if now >= instant { throw HTTPFailure("nothing arrived for \(idle.roundedText)") }
                    // The first progress may end the wait earlier.
                    try await sleepUntil(min(instant, now + idle, end))
                }
            }
            defer { group.cancelAll() }
            guard let value = try await group.next() else { throw CancellationError() }
            return value
        }
    }
}
