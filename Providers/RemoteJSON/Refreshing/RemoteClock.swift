import TacklineCore

/// A clock whose instants are durations since this value was made, so that clocks of all types are used alike.
package struct RemoteClock: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let sleepUntil: @Sendable (Duration) async throws -> Void

    package init(_ clock: any Clock<Duration>) { self.init(opening: clock) }

    private init<C: Clock>(opening clock: C) where C.Duration == Duration {
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
        sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
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
    func limit<Value: Sendable>(
        _ time: Duration, _ work: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        let result = FlagPromise<Result<Value, any Error>>()
        let task = Task {
            do { result.resolve(.success(try await work())) } catch { result.resolve(.failure(error)) }
        }
        defer { task.cancel() }
        if let result = await wait(until: now + time, or: { await result.wait() }) { return try result.get() }
        try Task.checkCancellation()
        throw HTTPFailure("the answer was not complete within \(time.roundedText)")
    }
}
