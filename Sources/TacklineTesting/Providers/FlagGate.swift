import Dispatch
import Synchronization

// Dispatch: a synchronous caller has to wait on its thread.

/// Holds whoever arrives while it is closed: how a test decides when a slow thing goes on.
///
/// A test closes the gate, starts what it tests, awaits ``waitForArrivals(_:)``, looks at what is visible in between,
/// and opens the gate. Nothing depends on time. Safe from any thread.
public final class FlagGate: Sendable {
    private struct Waiter {
        let id: UInt64
        /// Takes whether the gate let it go, and not a cancellation.
        let go: @Sendable (_ hasPassed: Bool) -> Void
    }

    private struct State {
        var isOpen: Bool
        var arrivals = 0
        var nextID: UInt64 = 0
        var waiting: [Waiter] = []
        /// Those who were cancelled before they came.
        var cancelled: Set<UInt64> = []
        var observers: [(count: Int, continuation: CheckedContinuation<Void, Never>)] = []

        /// Counts an arrival and returns the observers who waited for it.
        mutating func arrive() -> [CheckedContinuation<Void, Never>] {
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
    public func waitForArrivals(_ count: Int) async {
        await withCheckedContinuation { continuation in
            let isDue = state.withLock { state in
                guard state.arrivals < count else { return true }
                state.observers.append((count, continuation))
                return false
            }
            if isDue { continuation.resume() }
        }
    }

    /// Goes through, or waits until the gate lets go. A cancelled task does not wait any longer.
    ///
    /// - Throws: `CancellationError` if the task was cancelled before the gate let it go.
    public func pass() async throws(CancellationError) {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
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

    /// Goes through, or blocks the calling thread until the gate lets go. Do not call it on the main actor.
    public func passBlocking() {
        let semaphore = DispatchSemaphore(value: 0)
        let (isOpen, due) = state.withLock { state in
            state.nextID += 1
            let due = state.arrive()
            if !state.isOpen { state.waiting.append(Waiter(id: state.nextID) { _ in semaphore.signal() }) }
            return (state.isOpen, due)
        }
        for observer in due { observer.resume() }
        if !isOpen { semaphore.wait() }
    }

    /// Lets an asynchronous caller through, or keeps it.
    private func enter(_ waiter: Waiter) {
        let (hasPassed, due) = state.withLock { state -> (Bool?, [CheckedContinuation<Void, Never>]) in
            let due = state.arrive()
            if state.cancelled.remove(waiter.id) != nil { return (false, due) }
            if state.isOpen { return (true, due) }
            state.waiting.append(waiter)
            return (nil, due)
        }
        for observer in due { observer.resume() }
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
