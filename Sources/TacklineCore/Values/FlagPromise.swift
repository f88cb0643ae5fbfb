import Synchronization

/// A value that arrives later, for which any number of tasks can wait.
///
/// You can use a promise from any thread. Hold no lock when you resolve it, because a task may continue at once.
package final class FlagPromise<Value: Sendable>: Sendable {
    private struct State {
        var value: Value?
        var lastWaiter = 0
        var waiters: [Int: @Sendable (Value) -> Void] = [:]
    }

    private let state = Mutex(State())

    package init() {}

    package var value: Value? { state.withLock { $0.value } }

    /// Sets the value and resumes the tasks that wait for it. Only the first value counts.
    ///
    /// - Returns: Whether there was no value before.
    @discardableResult
    package func resolve(_ value: Value) -> Bool {
        let waiters = state.withLock { state -> [Int: @Sendable (Value) -> Void]? in
            guard state.value == nil else { return nil }
            state.value = value
            defer { state.waiters = [:] }
            return state.waiters
        }
        waiters?.values.forEach { $0(value) }
        return waiters != nil
    }

    /// Calls a closure with the value when it arrives, on the thread that resolves the promise, or now if there is one.
    ///
    /// - Returns: The number of the closure among those that wait.
    @discardableResult
    package func whenResolved(_ action: @escaping @Sendable (Value) -> Void) -> Int {
        let (value, number) = state.withLock { state in
            state.lastWaiter += 1
            if state.value == nil { state.waiters[state.lastWaiter] = action }
            return (state.value, state.lastWaiter)
        }
        if let value { action(value) }
        return number
    }

    /// Waits for the value and returns it, or returns `nil` if the task is cancelled first.
    package func wait() async -> Value? {
        let own = FlagPromise<Value?>()
        let number = whenResolved { own.resolve($0) }
        defer { _ = state.withLock { $0.waiters.removeValue(forKey: number) } }
        return await own.wait(orResolveIfCancelled: nil)
    }

    /// Waits for the value and returns it. If the task is cancelled first, `cancellation` becomes the value.
    ///
    /// Use it for a promise for which one task waits.
    package func wait(orResolveIfCancelled cancellation: Value) async -> Value {
        await withTaskCancellationHandler {
            await waitDespiteCancellation()
        } onCancel: {
            resolve(cancellation)
        }
    }

    package func waitDespiteCancellation() async -> Value {
        await withCheckedContinuation { continuation in whenResolved { continuation.resume(returning: $0) } }
    }
}
