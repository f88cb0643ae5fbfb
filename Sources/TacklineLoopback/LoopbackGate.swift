private import Dispatch
private import Synchronization

/// Something that is closed at first, is opened once, and lets everything wait for that moment.
///
/// A script waits at a gate with ``LoopbackStep/waitUntil(_:)``, a test with ``wait()``. Safe to use from anywhere.
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

    /// Opens the gate for good and lets every waiter go on. Opening it again does nothing.
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

    /// Returns when the gate is open.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled, unless the gate is open by then.
    public func wait() async throws(CancellationError) {
        let identifier = newIdentifier()
        await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                // A cancellation after this look finds the action and takes it; one before it is seen here.
                addAction(identifier, unless: { Task.isCancelled }) { continuation.resume() }
            }
        } onCancel: {
            takeAction(identifier)?()
        }
        if !isOpen { throw CancellationError() }
    }

    /// Blocks the thread until this or the other gate is open. For the server's own threads, never for a task.
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

    /// Keeps an action for the opening, or runs it now if the gate is open or `isPointless`.
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

    /// Removes an action that has not run, for the caller to run or drop; `nil` if it has been taken.
    private func takeAction(_ identifier: Int) -> (@Sendable () -> Void)? {
        state.withLock { $0.actions.removeValue(forKey: identifier) }
    }
}
