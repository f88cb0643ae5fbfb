private import Dispatch
private import TacklineCore

/// A gate that is closed at first and is opened once, after which every wait for it ends.
///
/// A script waits at a gate with ``LoopbackStep/waitUntil(_:)``, a test with ``wait()``. The type may be used from any
/// thread.
public final class LoopbackGate: Sendable {
    private let opening = FlagPromise<Void>()

    /// Makes a closed gate.
    public init() {}

    /// Whether the gate has been opened.
    public var isOpen: Bool { opening.value != nil }

    /// Opens the gate for good and ends every wait. Opening it again does nothing.
    public func open() { opening.resolve(()) }

    /// Waits until the gate is open.
    ///
    /// - Throws: `CancellationError` as soon as the task is cancelled, unless the gate is open by then.
    public func wait() async throws(CancellationError) {
        if await opening.wait() == nil { throw CancellationError() }
    }

    /// Blocks the thread until this gate or the other one is open. Call it only on the server's own threads, never in a
    /// task.
    func block(orUntil other: LoopbackGate? = nil) {
        let semaphore = DispatchSemaphore(value: 0)
        opening.whenResolved { semaphore.signal() }
        other?.opening.whenResolved { semaphore.signal() }
        semaphore.wait()
    }
}
