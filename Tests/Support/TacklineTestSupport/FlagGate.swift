import Dispatch
import Synchronization
import TacklineCore

// Dispatch: a synchronous caller blocks its thread.

/// A gate that makes callers wait while it is closed, so that a test decides when a slow operation continues.
///
/// A test closes the gate, starts the operation, awaits ``waitForArrivals(_:)``, checks the intermediate state, and
/// opens the gate. Nothing depends on time. A waiting caller throws when its task is cancelled. You can use the gate
/// from any thread.
package final class FlagGate: Sendable {
    private struct State {
        var isOpen: Bool
        var arrivals = 0
        /// The callers at the closed gate. Resolved with `true` when the gate lets the caller pass, and with `false` by a
        /// cancellation.
        var waiting: [FlagPromise<Bool>] = []
        /// The tests that wait for a number of arrivals.
        var observers: [(count: Int, result: FlagPromise<Bool>)] = []
    }

    private let state: Mutex<State>

    /// Creates a gate.
    package init(isOpen: Bool = true) {
        state = Mutex(State(isOpen: isOpen))
    }

    /// The number of callers that have arrived since the gate was created, whether it was open or not.
    package var arrivals: Int { state.withLock { $0.arrivals } }

    /// Closes the gate, so that callers wait from now on.
    package func close() {
        state.withLock { $0.isOpen = false }
    }

    /// Opens the gate for all waiting and future callers.
    package func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for passage in waiting { passage.resolve(true) }
    }

    /// Waits until `count` callers have arrived since the gate was created.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled, unless enough callers have arrived by then.
    package func waitForArrivals(_ count: Int) async throws(CancellationError) {
        let result = FlagPromise<Bool>()
        let haveCome = state.withLock { state in
            if state.arrivals < count { state.observers.append((count, result)) }
            return state.arrivals >= count
        }
        if haveCome { return }
        if await result.wait(orResolveIfCancelled: false) { return }
        state.withLock { $0.observers.removeAll { $0.result === result } }
        throw CancellationError()
    }

    /// Passes the gate, or waits until the gate lets the caller pass. A cancelled task doesn't wait any longer.
    ///
    /// - Throws: `CancellationError` if the task was cancelled before the gate let it pass.
    package func pass() async throws(CancellationError) {
        let passage = FlagPromise<Bool>()
        // A task that is cancelled already arrives too.
        if Task.isCancelled { passage.resolve(false) }
        arrive(passage)
        if await passage.wait(orResolveIfCancelled: false) { return }
        state.withLock { $0.waiting.removeAll { $0 === passage } }
        throw CancellationError()
    }

    /// Passes the gate, or blocks the calling thread until the gate lets it pass.
    ///
    /// Call it on a separate thread: not on the main actor, and not in a task, because it would block a thread of
    /// Swift's pool that may be needed to open the gate.
    package func passBlocking() {
        let (passage, semaphore) = (FlagPromise<Bool>(), DispatchSemaphore(value: 0))
        passage.whenResolved { _ in semaphore.signal() }
        arrive(passage)
        semaphore.wait()
    }

    /// Counts an arrival and lets the caller pass, or makes it wait.
    private func arrive(_ passage: FlagPromise<Bool>) {
        let (isOpen, due) = state.withLock { state in
            state.arrivals += 1
            let due = state.observers.filter { $0.count <= state.arrivals }.map(\.result)
            state.observers.removeAll { $0.count <= state.arrivals }
            if !state.isOpen { state.waiting.append(passage) }
            return (state.isOpen, due)
        }
        for result in due { result.resolve(true) }
        if isOpen { passage.resolve(true) }
    }
}
