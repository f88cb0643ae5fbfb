#if !canImport(Darwin)
    import Dispatch
    import Synchronization

    /// One sleep of a task, by a timer that goes when the sleep is cancelled.
    ///
    /// The system keeps a cancelled `Task.sleep` until it would have ended: half a kilobyte for the 30 seconds, or five
    /// minutes, that a request or a poll may take at most, and each request has several. Of this nothing stays.
    final class TimerSleep: Sendable {
        private enum State {
            case idle, over
            case waiting(CheckedContinuation<Void, Never>, any DispatchSourceTimer)
        }

        private let state = Mutex(State.idle)

        /// Waits for a time that Dispatch's clock measures, which stands still while the machine sleeps.
        ///
        /// - Throws: `CancellationError` as soon as the task is cancelled.
        static func sleep(for duration: Duration) async throws {
            let sleep = TimerSleep()
            await withTaskCancellationHandler {
                await withCheckedContinuation { sleep.begin($0, duration) }
            } onCancel: {
                sleep.end()
            }
            try Task.checkCancellation()
        }

        private func begin(_ continuation: CheckedContinuation<Void, Never>, _ duration: Duration) {
            let isOver = state.withLock { state in
                if case .over = state { return true }
                let timer = DispatchSource.makeTimerSource(queue: .global())
                // A longer one than Dispatch can count is as good as for ever.
                let seconds = min(max(duration / .seconds(1), 0), 1e9)
                timer.schedule(deadline: .now() + seconds, leeway: .milliseconds(1))
                timer.setEventHandler { self.end() }
                state = .waiting(continuation, timer)
                timer.activate()
                return false
            }
            if isOver { continuation.resume() }
        }

        private func end() {
            let last = state.withLock { state in
                defer { state = .over }
                return state
            }
            guard case .waiting(let continuation, let timer) = last else { return }
            timer.cancel()
            continuation.resume()
        }
    }
#endif
