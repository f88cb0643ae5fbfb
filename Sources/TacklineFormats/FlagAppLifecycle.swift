#if canImport(Darwin)
    import Foundation

// Foundation: the system tells by notifications what becomes of the app.
#endif

/// Hears of the life of the app, or of the app that shows the extension, for as long as it lives: for providers that keep
/// files or connections.
///
/// ```swift
/// let lifecycle = FlagAppLifecycle { signal in
///     if signal == .didEnterBackground { writeWhatIsLeft() }
/// }
/// ```
///
/// Programs on other systems than Apple's have no background, and hear nothing; programs on macOS hear that they end.
public final class FlagAppLifecycle: @unchecked Sendable {
    // Unchecked: the observers are set in `init` and read in `deinit` only.
    #if canImport(Darwin)
        private let observers: [any NSObjectProtocol]
    #endif

    /// What the system tells a program of its life.
    public enum Signal: Sendable, Hashable {
        /// The app is no longer seen, and may soon be suspended.
        case didEnterBackground
        /// The app is about to be seen.
        case willEnterForeground
        /// The program ends when this was handled.
        case willTerminate
        /// The device was unlocked, so files with complete protection can be read again. Extensions are not told.
        case protectedDataDidBecomeAvailable
    }

    #if canImport(Darwin)
        /// Begins to listen.
        ///
        /// - Parameter receive: Called on the thread that posts, as a rule the main one, so it must be quick.
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
        /// Begins to listen. There is nothing to hear on this system.
        public init(receive: @escaping @Sendable (Signal) -> Void) {}
    #endif
}

extension FlagAppLifecycle {
    /// Where a program runs, as far as its notifications go.
    package enum System: Sendable, CaseIterable {
        case mac, watch, other

        /// The notifications, by their names, so that no user interface framework is linked for them. Those of
        /// extensions are the ones of the app that shows them.
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
