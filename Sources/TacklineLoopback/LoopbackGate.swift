private import Dispatch
private import Synchronization

/// A gate that is closed at first and is opened once, after which every wait for it ends.
///
/// A script waits at a gate with ``LoopbackStep/waitUntil(_:)``, a test with ``wait()``. The type may be used from any
/// thread.
public final class LoopbackGate: Sendable {
    private struct State {
        var isOpen = false
        var nextIdentifier = 0
        var actions: [Int: @Sendable () -> Void] = [:]
    }

    private let state = Mutex(State())

    /// Makes a closed gate.
    public init() {}

    /// Whether the gate has been opened.
    public var isOpen: Bool {
        state.withLock { $0.isOpen }
    }

    /// Opens the gate for good and ends every wait. Opening it again does nothing.
    public func open() {
        let actions = state.withLock { state in
            state.isOpen = true
            defer { state.actions = [:] }
            return state.actions.values
        }
        for action in actions {
            action()
        }
    }

    /// Waits until the gate is open.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled, unless the gate is open by then.
    public func wait() async throws(CancellationError) {
        let identifier = newIdentifier()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A later cancellation finds the action and takes it; an earlier one is detected here.
                addAction(identifier, unless: { Task.isCancelled }) { continuation.resume() }
            }
        } onCancel: {
            takeAction(identifier)?()
        }
        if !isOpen { throw CancellationError() }
    }

    /// Blocks the thread until this gate or the other one is open. Call it only on the server's own threads, never in a
    /// task.
    func block(orUntil other: LoopbackGate? = nil) {
        let semaphore = DispatchSemaphore(value: 0)
        let waits = [self, other].compactMap { $0 }.map { gate in
            let identifier = gate.newIdentifier()
            gate.addAction(identifier) { semaphore.signal() }
            return (gate, identifier)
        }
        semaphore.wait()
        for (gate, identifier) in waits {
            _ = gate.takeAction(identifier)
        }
    }

    private func newIdentifier() -> Int {
        state.withLock { state in
            state.nextIdentifier += 1
            return state.nextIdentifier
        }
    }

    /// Keeps an action until the gate opens, or runs it now if the gate is open or `isPointless` returns `true`.
    private func addAction(
        _ identifier: Int,
        unless isPointless: () -> Bool = { false },
        _ action: @escaping @Sendable () -> Void
    ) {
        let isKept = state.withLock { state in
            guard !state.isOpen, !isPointless() else { return false }
            state.actions[identifier] = action
            return true
        }
        if !isKept {
            action()
        }
    }

    /// Removes an action that has not run and returns it to be run or dropped, or returns `nil` if it was taken
    /// already.
    private func takeAction(_ identifier: Int) -> (@Sendable () -> Void)? {
        state.withLock { $0.actions.removeValue(forKey: identifier) }
    }
}
