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
public final class FlagAppLifecycle: @unchecked Sendable {
    // Unchecked, and without a lock: `observers` is set in `init` and read only in `deinit`.
    #if canImport(Darwin)
        private let observers: [any NSObjectProtocol]
    #endif

    /// A change in the app's lifecycle.
    public enum Signal: Sendable, Hashable {
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
        public init(receive: @escaping @Sendable (Signal) -> Void) {
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
        public init(receive: @escaping @Sendable (Signal) -> Void) {}
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
