import Synchronization

/// Wakes one consumer. A signal that is raised while nobody waits is kept, once.
final class FlagSignal: FlagWaking {
    private struct State {
        var isRaised = false
        /// Counts the waits, since a cancellation ends one of them: the next one may be another task's.
        var waits: UInt64 = 0
        /// The last wait that was cancelled.
        var cancelled: UInt64 = 0
        var continuation: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Keeps the consumer from sleeping the next time. If it sleeps, it is to be woken.
    ///
    /// - Parameter wakes: Takes the signal if the consumer sleeps and nobody is about to wake it.
    func mark(waking wakes: inout FlagWakes) {
        let isSleeping = state.withLock { state in
            defer { state.isRaised = true }
            return !state.isRaised && state.continuation != nil
        }
        if isSleeping { wakes.add(self) }
    }

    /// Wakes the consumer if it sleeps.
    func wake() {
        let continuation = state.withLock { state in
            defer { state.continuation = nil }
            return state.continuation
        }
        continuation?.resume()
    }

    /// Forgets that the signal was raised. The consumer calls it before it looks at what has happened, so that what happens
    /// after the look is not slept through.
    ///
    /// - Returns: Whether it was raised.
    @discardableResult
    func clear() -> Bool {
        state.withLock { state in
            defer { state.isRaised = false }
            return state.isRaised
        }
    }

    /// Waits until the signal is raised or the task is cancelled. For one consumer at a time.
    func wait() async {
        let wait = state.withLock { state in
            state.waits += 1
            return state.waits
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isDue = state.withLock { state in
                    if state.isRaised || state.cancelled == wait { return true }
                    state.continuation = continuation
                    return false
                }
                if isDue { continuation.resume() }
            }
        } onCancel: {
            let continuation = state.withLock { state -> CheckedContinuation<Void, Never>? in
                // A late one, of a wait that is over.
                guard state.waits == wait else { return nil }
                state.cancelled = wait
                defer { state.continuation = nil }
                return state.continuation
            }
            continuation?.resume()
        }
    }
}

extension FlagSignal: FlagListener {
    func mark(_ ordinal: Int, waking wakes: inout FlagWakes) { mark(waking: &wakes) }
}
