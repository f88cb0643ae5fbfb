import Synchronization
import TacklineCLibrary

#if canImport(Darwin)
    import Foundation

// Foundation provides `NotificationCenter`.
#endif

/// An observer of the app's lifecycle, for providers that keep files or connections.
///
/// In an app extension, the object observes the lifecycle of the host app. It observes until it is deallocated, so keep
/// a reference to it:
///
/// ```swift
/// let lifecycle = FlagAppLifecycle { signal in
///     if signal == .didEnterBackground { writePendingChanges() }
/// }
/// ```
///
/// On macOS, only ``Signal/willTerminate`` is received. On systems other than Apple's, no signal is received.
package final class FlagAppLifecycle: @unchecked Sendable {
    // Unchecked, and without a lock: `observers` is set in `init` and read only in `deinit`.
    #if canImport(Darwin)
        private let observers: [any NSObjectProtocol]
    #endif

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

    #if canImport(Darwin)
        /// Creates an observer that calls a closure with each signal.
        ///
        /// - Parameter receive: The closure to call. It runs synchronously on the thread that posts the notification,
        ///   usually the main thread, so it must return quickly.
        package init(receive: @escaping @Sendable (Signal) -> Void) {
            #if os(macOS)
                let system = System.mac
            #elseif os(watchOS)
                let system = System.watch
            #else
                let system = System.other
            #endif
            let center = NotificationCenter.default
            observers = system.notifications.map { name, signal in
                center.addObserver(forName: Notification.Name(name), object: nil, queue: nil) { _ in receive(signal) }
            }
        }

        deinit {
            for observer in observers { NotificationCenter.default.removeObserver(observer) }
        }
    #else
        /// Creates an observer. On this system there are no signals, so the closure is never called.
        package init(receive: @escaping @Sendable (Signal) -> Void) {}
    #endif
}

extension FlagAppLifecycle {
    /// A group of Apple platforms that post the same lifecycle notifications.
    package enum System: Sendable, CaseIterable {
        case mac, watch, other

        /// The names of the notifications to observe, each with its signal.
        ///
        /// Names are strings, so that no user interface framework has to be linked. Names that begin with
        /// `NSExtensionHost` are posted in app extensions, about the host app.
        package var notifications: [(name: String, signal: Signal)] {
            switch self {
            case .mac:
                [("NSApplicationWillTerminateNotification", .willTerminate)]
            case .watch:
                [
                    ("WKApplicationDidEnterBackgroundNotification", .didEnterBackground),
                    ("WKApplicationWillEnterForegroundNotification", .willEnterForeground),
                    ("NSExtensionHostDidEnterBackgroundNotification", .didEnterBackground),
                    ("NSExtensionHostWillEnterForegroundNotification", .willEnterForeground),
                ]
            case .other:
                [
                    ("UIApplicationDidEnterBackgroundNotification", .didEnterBackground),
                    ("UIApplicationWillEnterForegroundNotification", .willEnterForeground),
                    ("UIApplicationWillTerminateNotification", .willTerminate),
                    ("UIApplicationProtectedDataDidBecomeAvailable", .protectedDataDidBecomeAvailable),
                    ("NSExtensionHostDidEnterBackgroundNotification", .didEnterBackground),
                    ("NSExtensionHostWillEnterForegroundNotification", .willEnterForeground),
                ]
            }
        }
    }
}

/// An action that is performed when the process calls `exit` or returns from `main`, for as long as the object exists.
///
/// It runs on the thread that exits. A process that is killed, or that dies of a trap or a signal, doesn't perform it.
package final class ProcessExit: Sendable {
    private struct Entry {
        weak var exit: ProcessExit?
    }

    private static let all = Mutex<[Entry]>([])
    private static let isInstalled: Bool =
        atexit {
            ProcessExit.all.withLock { $0.compactMap(\.exit) }.forEach { $0.action() }
        } == 0

    private let action: @Sendable () -> Void

    /// Registers an action, which must not keep its owner.
    package init(_ action: @escaping @Sendable () -> Void) {
        self.action = action
        _ = Self.isInstalled
        Self.all.withLock {
            $0.removeAll { $0.exit == nil }
            $0.append(Entry(exit: self))
        }
    }
}
