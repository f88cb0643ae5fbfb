#if canImport(ObjectiveC)
    import Foundation
    import Synchronization

    // All of Foundation, because FoundationEssentials lacks key-value observing.

    /// A listener for changes of user defaults.
    ///
    /// Changes in this process arrive as notifications. Those of an App Group that other processes make arrive only through
    /// key-value observing.
    ///
    /// It is `@unchecked` for the reason that ``UserDefaultsProvider`` names. The names are guarded by a `Mutex`.
    final class DefaultsListener: NSObject, @unchecked Sendable {
        private let defaults: UserDefaults
        private let onChange: @Sendable () -> Void
        private let names = Mutex<Set<String>>([])

        init(_ defaults: UserDefaults, onChange: @escaping @Sendable () -> Void) {
            (self.defaults, self.onChange) = (defaults, onChange)
            super.init()
            NotificationCenter.default.addObserver(
                self, selector: #selector(defaultsDidChange), name: UserDefaults.didChangeNotification, object: nil)
        }

        deinit {
            NotificationCenter.default.removeObserver(self)
            for name in names.withLock({ $0 }) { defaults.removeObserver(self, forKeyPath: name) }
        }

        /// Observes a name of an App Group.
        ///
        /// A name with a full stop would be treated as a key path. Its changes in other processes are noticed only with the
        /// next change of another name.
        func listen(to name: String) {
            guard !name.contains("."), !name.hasPrefix("@"), names.withLock({ $0.insert(name).inserted }) else {
                return
            }
            defaults.addObserver(self, forKeyPath: name, options: [], context: nil)
        }

        @objc private func defaultsDidChange(_ notification: Notification) { onChange() }

        override func observeValue(
            forKeyPath keyPath: String?, of object: Any?, change: [NSKeyValueChangeKey: Any]?,
            context: UnsafeMutableRawPointer?
        ) {
            onChange()
        }
    }
#endif
