import Dispatch
import Synchronization
import TacklineCore

/// A gate that makes callers wait while it is closed, so that a test decides when a slow operation continues.
///
/// A test closes the gate, starts the operation, awaits ``waitForArrivals(_:)``, checks the intermediate state, and
/// opens the gate. Nothing depends on time. You can use the gate from any thread.
package final class FlagGate: Sendable {
    private struct State {
        var arrivals = 0
        /// Resolved while the gate is open.
        var passage = FlagPromise<Void>()
        /// The tests that wait for a number of arrivals.
        var observers: [(count: Int, result: FlagPromise<Void>)] = []
    }

    private let state = Mutex(State())

    /// Creates a gate.
    package init(isOpen: Bool = true) {
        if isOpen { open() }
    }

    /// The number of callers that have arrived since the gate was created, whether it was open or not.
    package var arrivals: Int { state.withLock { $0.arrivals } }

    /// Closes the gate, so that callers wait from now on.
    package func close() {
        state.withLock { state in
            if state.passage.value != nil { state.passage = FlagPromise() }
        }
    }

    /// Opens the gate for all waiting and future callers.
    package func open() { state.withLock { $0.passage }.resolve(()) }

    /// Waits until `count` callers have arrived since the gate was created.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled, unless enough callers have arrived by then.
    package func waitForArrivals(_ count: Int) async throws(CancellationError) {
        let result = FlagPromise<Void>()
        let haveCome = state.withLock { state in
            state.observers.append((count, result))
            return state.arrivals >= count
        }
        if haveCome { return }
        if await result.wait() == nil { throw CancellationError() }
    }

    /// Passes the gate, or waits until the gate lets the caller pass.
    ///
    /// - Throws: `CancellationError` if the task was cancelled before the gate let it pass.
    package func pass() async throws(CancellationError) {
        if await arrive().wait() == nil { throw CancellationError() }
    }

    /// Passes the gate, or blocks the calling thread until the gate lets it pass.
    ///
    /// Call it on a separate thread: in a task it would block a thread of Swift's pool that may be needed to open the gate.
    package func passBlocking() {
        let semaphore = DispatchSemaphore(value: 0)
        arrive().whenResolved { semaphore.signal() }
        semaphore.wait()
    }

    /// Counts an arrival and returns what the caller has to wait for.
    private func arrive() -> FlagPromise<Void> {
        let (passage, due) = state.withLock { state in
            state.arrivals += 1
            return (state.passage, state.observers.filter { $0.count <= state.arrivals })
        }
        for observer in due { observer.result.resolve(()) }
        return passage
    }
}
