import Dispatch
import Synchronization

// Dispatch: a synchronous caller has to wait on its thread.

/// Makes callers wait while it is closed, so that a test decides when a slow operation goes on.
///
/// A test closes the gate, starts what it tests, awaits ``waitForArrivals(_:)``, looks at what is visible in between,
/// and opens the gate. Nothing depends on time, and whoever waits stops, by throwing, when its task is cancelled. Safe from
/// any thread.
public final class FlagGate: Sendable {
    private struct Observer {
        let id: UInt64
        let count: Int
        /// Resumed with `true` when enough have come, and with `false` by a cancellation.
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct Waiter {
        let id: UInt64
        /// Called with `true` when the gate lets it go, and with `false` by a cancellation.
        let go: @Sendable (_ hasPassed: Bool) -> Void
    }

    private struct State {
        var isOpen: Bool
        var arrivals = 0
        var nextID: UInt64 = 0
        var waiting: [Waiter] = []
        /// Those who were cancelled before they came.
        var cancelled: Set<UInt64> = []
        var observers: [Observer] = []

        mutating func newID() -> UInt64 {
            nextID += 1
            return nextID
        }

        /// Counts an arrival and returns the observers who waited for it.
        mutating func arrive() -> [CheckedContinuation<Bool, Never>] {
            arrivals += 1
            let due = observers.filter { $0.count <= arrivals }.map(\.continuation)
            observers.removeAll { $0.count <= arrivals }
            return due
        }
    }

    private let state: Mutex<State>

    /// Makes a gate.
    public init(isOpen: Bool = true) {
        state = Mutex(State(isOpen: isOpen))
    }

    /// How often somebody came to the gate since it was made, whether it was open or not.
    public var arrivals: Int { state.withLock { $0.arrivals } }

    /// Holds whoever comes from now on.
    public func close() {
        state.withLock { $0.isOpen = false }
    }

    /// Lets everybody go on, now and from now on.
    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for waiter in waiting { waiter.go(true) }
    }

    /// Lets the one go on who came first; the gate stays closed.
    ///
    /// - Returns: `false` if nobody waits.
    @discardableResult
    public func letOneGo() -> Bool {
        let waiter = state.withLock { $0.waiting.isEmpty ? nil : $0.waiting.removeFirst() }
        waiter?.go(true)
        return waiter != nil
    }

    /// Waits until so many have come since the gate was made.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled, unless so many have come by then.
    public func waitForArrivals(_ count: Int) async throws(CancellationError) {
        let id = state.withLock { $0.newID() }
        let haveCome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let haveCome: Bool? = state.withLock { state in
                    if state.arrivals >= count { return true }
                    // A cancellation after this look finds the observer.
                    if Task.isCancelled { return false }
                    state.observers.append(Observer(id: id, count: count, continuation: continuation))
                    return nil
                }
                if let haveCome { continuation.resume(returning: haveCome) }
            }
        } onCancel: {
            let observer = state.withLock { state in
                state.observers.firstIndex { $0.id == id }.map { state.observers.remove(at: $0) }
            }
            observer?.continuation.resume(returning: false)
        }
        if !haveCome { throw CancellationError() }
    }

    /// Goes through, or waits until the gate lets go. A cancelled task does not wait any longer.
    ///
    /// - Throws: `CancellationError` if the task was cancelled before the gate let it go.
    public func pass() async throws(CancellationError) {
        let id = state.withLock { $0.newID() }
        let hasPassed = await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Bool, Never>) in
                enter(Waiter(id: id) { continuation.resume(returning: $0) })
            }
        } onCancel: {
            leave(id)
        }
        // A cancellation may also come after the gate let go; nobody asks for it any more.
        state.withLock { _ = $0.cancelled.remove(id) }
        if !hasPassed { throw CancellationError() }
    }

    /// Goes through, or blocks the calling thread until the gate lets go.
    ///
    /// Call it on a thread of your own: not on the main actor, and not in a task, which would keep a thread of Swift's pool
    /// that whoever opens the gate may need.
    public func passBlocking() {
        let semaphore = DispatchSemaphore(value: 0)
        let (isOpen, due) = state.withLock { state in
            let due = state.arrive()
            if !state.isOpen { state.waiting.append(Waiter(id: state.newID()) { _ in semaphore.signal() }) }
            return (state.isOpen, due)
        }
        for observer in due { observer.resume(returning: true) }
        if !isOpen { semaphore.wait() }
    }

    /// Lets an asynchronous caller through, or keeps it.
    private func enter(_ waiter: Waiter) {
        let (hasPassed, due) = state.withLock { state -> (Bool?, [CheckedContinuation<Bool, Never>]) in
            let due = state.arrive()
            if state.cancelled.remove(waiter.id) != nil { return (false, due) }
            if state.isOpen { return (true, due) }
            state.waiting.append(waiter)
            return (nil, due)
        }
        for observer in due { observer.resume(returning: true) }
        if let hasPassed { waiter.go(hasPassed) }
    }

    /// Lets a cancelled caller go, or remembers that it was cancelled before it came.
    private func leave(_ id: UInt64) {
        let waiter = state.withLock { state -> Waiter? in
            guard let index = state.waiting.firstIndex(where: { $0.id == id }) else {
                state.cancelled.insert(id)
                return nil
            }
            return state.waiting.remove(at: index)
        }
        waiter?.go(false)
    }
}
