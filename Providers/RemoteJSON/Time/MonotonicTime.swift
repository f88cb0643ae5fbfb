/// A clock whose instants are durations since this value was made, so that clocks of all types are used alike.
package struct MonotonicTime: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let sleepUntil: @Sendable (Duration) async throws -> Void

    package init(_ clock: any Clock<Duration>) {
        #if !canImport(Darwin)
            if clock is ContinuousClock {
                self = MonotonicTime.timed()
                return
            }
        #endif
        self = MonotonicTime.opened(clock)
    }

    #if !canImport(Darwin)
        /// Returns the system's clock, with sleeps that leave no memory behind when they are cancelled.
        private static func timed() -> MonotonicTime {
            let start = ContinuousClock.now
            return MonotonicTime(
                elapsed: { start.duration(to: .now) },
                sleep: { instant in
                    while true {
                        let rest = instant - start.duration(to: .now)
                        guard rest > .zero else { return try Task.checkCancellation() }
                        try await TimerSleep.sleep(for: rest)
                    }
                }
            )
        }
    #endif

    private init(
        elapsed: @escaping @Sendable () -> Duration,
        sleep: @escaping @Sendable (Duration) async throws -> Void
    ) {
        self.elapsed = elapsed
        sleepUntil = sleep
    }

    private static func opened<C: Clock>(_ clock: C) -> MonotonicTime where C.Duration == Duration {
        let start = clock.now
        return MonotonicTime(
            elapsed: { start.duration(to: clock.now) },
            sleep: { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
        )
    }

    /// The time since this value was made.
    package var now: Duration { elapsed() }

    /// Waits until ``now`` is at least `instant`.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled.
    func sleep(until instant: Duration) async throws {
        try await sleepUntil(instant)
    }
}

/// Runs an operation, and cancels it if it takes longer than allowed.
///
/// The operation has to end when its task is cancelled, because this function waits for it.
///
/// - Parameter limit: The longest time, counted from the call; `nil` sets no limit.
/// - Returns: The result of the operation, or `nil` if the time was over first.
func within<Value: Sendable>(
    _ limit: Duration?,
    on time: MonotonicTime,
    _ operation: @escaping @Sendable () async -> Value
) async -> Value? {
    guard let limit else { return await operation() }
    let end = time.now + limit
    return await withTaskGroup(of: Value?.self) { group in
        group.addTask { await operation() }
        group.addTask {
            try? await time.sleep(until: end)
            return nil
        }
        // A cancelled sleep ends too. The operation is then cancelled as well, and its own result counts.
        let first = await group.next() ?? nil
        if let first { group.cancelAll(); return first }
        guard Task.isCancelled else { group.cancelAll(); await group.waitForAll(); return nil }
        return await group.next() ?? nil
    }
}
