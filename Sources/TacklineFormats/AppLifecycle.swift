#if canImport(Darwin)
    import Foundation

// Foundation: the system tells by notifications what becomes of the app.
#endif

/// A change in the app's life cycle that the system announces.
package enum AppSignal: Sendable, Hashable {
    /// The app, or the app in which the extension is shown, is no longer seen, and may soon be suspended.
    case didEnterBackground
    case willEnterForeground
    case willTerminate
    /// The device was unlocked, so files with complete protection can be read again.
    case protectedDataDidBecomeAvailable
}

/// Forwards the app's life-cycle notifications until it is released.
///
/// Programs on other systems than Apple's have no background, and hear nothing.
package final class AppLifecycle: @unchecked Sendable {
    // Unchecked: the observers are set in `init` and read in `deinit` only.
    #if canImport(Darwin)
        private let observers: [any NSObjectProtocol]
    #endif

    /// Where a program runs, as far as its notifications go.
    package enum System: Sendable, CaseIterable {
        case mac, watch, other

        /// The notifications, by their names, so that no user interface framework is linked for them. Those of
        /// extensions are the ones of the app that shows them.
        package var notifications: [(name: String, signal: AppSignal)] {
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

    #if canImport(Darwin)
        /// - Parameter receive: Called on the thread that posts, as a rule the main one, so it must be quick.
        package init(receive: @escaping @Sendable (AppSignal) -> Void) {
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
        package init(receive: @escaping @Sendable (AppSignal) -> Void) {}
    #endif
}
