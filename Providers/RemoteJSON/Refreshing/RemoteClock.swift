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

    /// Runs an operation, and cancels it when it lasts too long. One that ignores that is no longer waited for.
    ///
    /// - Parameter idle: The longest time from one progress to the next.
    func limit<Value: Sendable>(
        _ total: Duration, idle: Duration = .seconds(10), _ work: @escaping @Sendable (Progress) async throws -> Value
    ) async throws -> Value {
        let (end, progress) = (now + total, Progress(self))
        let result = FlagPromise<Result<Value, any Error>>()
        let task = Task {
            do { result.resolve(.success(try await work(progress))) } catch { result.resolve(.failure(error)) }
        }
        defer { task.cancel() }
        while true {
            let instant = min(progress.last.map { $0 + idle } ?? end, end)
            let now = now
            if now >= end { throw HTTPFailure("the answer was not complete within \(total.roundedText)") }
            if now >= instant { throw HTTPFailure("nothing arrived for \(idle.roundedText)") }
            // The first progress may end the wait earlier.
            let next = min(instant, now + idle)
            if let result = await wait(until: next, or: { await result.wait() }) { return try result.get() }
            try Task.checkCancellation()
        }
    }
}

/// The time of an operation's last progress.
final class Progress: Sendable {
    private let clock: RemoteClock
    private let instant = Mutex<Duration?>(nil)

    init(_ clock: RemoteClock) { self.clock = clock }

    /// The time; `nil` before the first progress.
    var last: Duration? { instant.withLock { $0 } }

    func note() { instant.withLock { $0 = clock.now } }
}
