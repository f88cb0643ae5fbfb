import Synchronization

/// Wakes one consumer, who then looks for what has happened; being woken for nothing does no harm.
///
/// A signal that is raised while nobody waits is kept, once.
final class FlagSignal: FlagWaking {
    private struct State {
        var isRaised = false
        var continuation: CheckedContinuation<Void, Never>?
    }

    private let state = Mutex(State())

    /// Raises the signal, without waking a consumer that sleeps.
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
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isRaised = state.withLock { state in
                    if !state.isRaised { state.continuation = continuation }
                    return state.isRaised
                }
                if isRaised { continuation.resume() }
            }
        } onCancel: {
            state.withLock { $0.isRaised = true }
            wake()
        }
    }
}
