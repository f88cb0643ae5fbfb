import Synchronization
import TacklineCLibrary
import TacklineCore

#if canImport(Darwin)
    import Foundation
#endif

/// An observer of the app's lifecycle, for providers that keep files or connections. In an app extension, of the host app's.
///
/// It observes until it is deallocated. On macOS, only ``Signal/willTerminate`` is received. On systems other than Apple's, no
/// signal is received.
package final class FlagAppLifecycle: @unchecked Sendable {
    // Unchecked, and without a lock: `observers` is set in `init` and read only in `deinit`.
    private var observers: [AnyObject] = []

    /// A change in the app's lifecycle.
    package enum Signal: Sendable, Hashable {
        /// The app entered the background. The system may soon suspend it.
        case didEnterBackground
        /// The app is about to enter the foreground.
        case willEnterForeground
        /// The process is about to terminate. It terminates after all receivers have returned.
        case willTerminate
        /// The device was unlocked, so files with complete protection can be read again.
        ///
        /// App extensions don't receive this signal.
        case protectedDataDidBecomeAvailable
    }

    /// Creates an observer that calls a closure with each signal.
    ///
    /// - Parameter receive: The closure to call. It runs synchronously on the thread that posts the notification,
    ///   usually the main thread, so it must return quickly.
    package init(receive: @escaping @Sendable (Signal) -> Void) {
        #if canImport(Darwin)
            // By name, so that no user interface framework has to be linked.
            var signals: [String: Signal] = [
                "UIApplicationWillTerminateNotification": .willTerminate,
                "NSApplicationWillTerminateNotification": .willTerminate,
                "UIApplicationProtectedDataDidBecomeAvailable": .protectedDataDidBecomeAvailable,
            ]
            for sender in ["UIApplication", "WKApplication", "NSExtensionHost"] {
                signals["\(sender)DidEnterBackgroundNotification"] = .didEnterBackground
                signals["\(sender)WillEnterForegroundNotification"] = .willEnterForeground
            }
            observers = signals.map { name, signal in
                NotificationCenter.default.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in
                    receive(signal)
                }
            }
        #endif
    }

    #if canImport(Darwin)
        deinit {
            for observer in observers { NotificationCenter.default.removeObserver(observer) }
        }
    #endif
}

/// An action that is performed when the process calls `exit` or returns from `main`, for as long as the object exists.
///
/// It runs on the thread that exits. A process that is killed, or that dies of a trap or a signal, doesn't perform it.
package final class ProcessExit: Sendable {
    private static let all: Mutex<WeakList<ProcessExit>> = {
        atexit { for exit in ProcessExit.all.withLock({ $0.strong() }) { exit.action() } }
        return Mutex(WeakList())
    }()

    private let action: @Sendable () -> Void

    /// Registers an action, which must not keep its owner.
    package init(_ action: @escaping @Sendable () -> Void) {
        self.action = action
        Self.all.withLock { $0.append(self) }
    }
}
