#if canImport(Darwin) && !os(macOS)
    import Foundation

    // Foundation: the system tells by notifications that the app comes and goes.

    /// Suspends and resumes a provider with the app.
    final class AppLifecycle: @unchecked Sendable {
        // Unchecked: the observers are set in `init` and read in `deinit` only.
        private let observers: [any NSObjectProtocol]

        init(suspend: @escaping @Sendable () -> Void, resume: @escaping @Sendable () -> Void) {
            #if os(watchOS)
                let names = (
                    "WKApplicationDidEnterBackgroundNotification", "WKApplicationWillEnterForegroundNotification"
                )
            #else
                let names = (
                    "UIApplicationDidEnterBackgroundNotification", "UIApplicationWillEnterForegroundNotification"
                )
            #endif
            // By their names, so that no user interface framework is linked for them.
            let center = NotificationCenter.default
            observers = [
                center.addObserver(forName: Notification.Name(names.0), object: nil, queue: nil) { _ in suspend() },
                center.addObserver(forName: Notification.Name(names.1), object: nil, queue: nil) { _ in resume() },
            ]
        }

        deinit {
            for observer in observers { NotificationCenter.default.removeObserver(observer) }
        }
    }
#else
    /// Suspends and resumes a provider with the app. Programs on this system have no background.
    final class AppLifecycle: Sendable {
        init(suspend: @escaping @Sendable () -> Void, resume: @escaping @Sendable () -> Void) {}
    }
#endif
