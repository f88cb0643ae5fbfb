#if !canImport(Darwin)
    import Dispatch
    import TacklineCore

    /// The sleep of a task, with a timer that is removed when the sleep is cancelled.
    ///
    /// The system keeps a cancelled `Task.sleep` until it would have ended: half a kilobyte for the 30 seconds of a
    /// request or the five minutes between polls, and each request has several. A cancelled `TimerSleep` leaves nothing
    /// behind.
    enum TimerSleep {
        /// Waits for a duration of Dispatch's clock, which stops while the machine sleeps.
        ///
        /// - Throws: `CancellationError` as soon as the task is cancelled.
        static func sleep(for duration: Duration) async throws {
            let end = FlagPromise<Void>()
            let timer = DispatchSource.makeTimerSource(queue: .global())
            // Dispatch can't count longer times. 1e9 seconds are over 31 years.
            let seconds = min(max(duration / .seconds(1), 0), 1e9)
            timer.schedule(deadline: .now() + seconds, leeway: .milliseconds(1))
            timer.setEventHandler { end.resolve(()) }
            timer.activate()
            let hasEnded = await end.wait() != nil
            timer.cancel()
            if !hasEnded { throw CancellationError() }
        }
    }
#endif
