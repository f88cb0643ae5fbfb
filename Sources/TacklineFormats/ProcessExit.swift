import Synchronization
import TacklineCLibrary
import TacklineCore

/// An action that is performed when the process calls `exit` or returns from `main`, for as long as the object exists.
///
/// It runs on the thread that exits. A process that is killed, or that dies of a trap or a signal, doesn't perform it.
package final class ProcessExit: Sendable {
    private static let all = Mutex(WeakList<ProcessExit>())
    private static let isInstalled: Bool =
        atexit {
            ProcessExit.all.withLock { $0.strong() }.forEach { $0.action() }
        } == 0

    private let action: @Sendable () -> Void

    /// Registers an action, which must not keep its owner.
    package init(_ action: @escaping @Sendable () -> Void) {
        self.action = action
        _ = Self.isInstalled
        Self.all.withLock { $0.append(self) }
    }
}
