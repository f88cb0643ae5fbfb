import Synchronization

/// Wakes one waiting task. A signal that nobody waits for is kept for the next wait; several are one.
final class Wakeup: Sendable {
    private enum State {
        case quiet, signalled
        case waiting(CheckedContinuation<Void, Never>)
    }

    private let state = Mutex(State.quiet)

    func signal() {
        take(leaving: .signalled)?.resume()
    }

    /// Waits for a signal, until an instant, or until the task is cancelled. Not for two tasks at once.
    ///
    /// - Parameter instant: `nil` waits for the signal alone.
    func wait(until instant: Duration?, on time: MonotonicTime) async {
        guard let instant else { return await wait() }
        guard time.now < instant else { return }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.wait() }
            group.addTask { try? await time.sleep(until: instant) }
            await group.next()
            group.cancelAll()
        }
    }

    private func wait() async {
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let isOver = state.withLock { state in
                    if case .signalled = state {
                        state = .quiet
                        return true
                    }
                    if Task.isCancelled { return true }
                    state = .waiting(continuation)
                    return false
                }
                if isOver { continuation.resume() }
            }
        } onCancel: {
            take(leaving: nil)?.resume()
        }
    }

    /// Takes the waiter out. Where there is none, the state becomes `rest`, if one is given.
    private func take(leaving rest: State?) -> CheckedContinuation<Void, Never>? {
        state.withLock { state in
            if case .waiting(let continuation) = state {
                state = .quiet
                return continuation
            }
            if let rest { state = rest }
            return nil
        }
    }
}
