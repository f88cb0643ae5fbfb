import Synchronization

/// A value that comes later, for any number of tasks to wait for.
package final class Promise<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var nextWaiter = 0
        var waiters: [Int: CheckedContinuation<Value?, Never>] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    /// Gives the value. Only the first one counts.
    package func resolve(_ value: Value) {
        let waiters = state.withLock { state in
            guard state.value == nil else { return [] as [CheckedContinuation<Value?, Never>] }
            state.value = value
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.resume(returning: value) }
    }

    /// The value, or `nil` if it has not come yet.
    package var value: Value? {
        state.withLock { $0.value }
    }

    /// Waits for the value, or until the task is cancelled, which gives `nil`.
    package func wait() async -> Value? {
        let id = state.withLock { state in
            state.nextWaiter += 1
            return state.nextWaiter
        }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let (isOver, value) = state.withLock { state in
                    if state.value != nil || Task.isCancelled { return (true, state.value) }
                    state.waiters[id] = continuation
                    return (false, nil)
                }
                if isOver { continuation.resume(returning: value) }
            }
        } onCancel: {
            state.withLock { $0.waiters.removeValue(forKey: id) }?.resume(returning: nil)
        }
    }
}
