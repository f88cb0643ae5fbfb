#if canImport(ObjectiveC)
    import Foundation
    import Synchronization

    // All of Foundation, because FoundationEssentials lacks key-value observing.

    /// A listener for changes of user defaults in this process and in other processes of the App Group.
    ///
    /// Changes in this process arrive as notifications. Changes in other processes arrive only through key-value
    /// observing.
    ///
    /// It is `@unchecked`, because not every version of Foundation declares `UserDefaults` as `Sendable`, although it
    /// is documented to be safe from any thread. The names are guarded by a `Mutex`.
    final class DefaultsListener: NSObject, @unchecked Sendable {
        private let defaults: UserDefaults
        private let names = Mutex<Set<String>>([])
        /// Foundation calls during the change, possibly under a lock of its caller, and for any default. So the values
        /// are compared later, once for many calls.
        private let gathering: DefaultsGathering

        init(_ defaults: UserDefaults, onChange: @escaping @Sendable () -> Void) {
            self.defaults = defaults
            let queue = DispatchQueue(label: "tackline.user-defaults")
            gathering = DefaultsGathering(
                timer: { delay, action in
                    let (seconds, attoseconds) = delay.components
                    let wait = Double(seconds) + Double(attoseconds) / 1e18
                    queue.asyncAfter(deadline: .now() + wait, execute: action)
                }, look: onChange)
            super.init()
            NotificationCenter.default.addObserver(
                self,
                selector: #selector(defaultsDidChange),
                name: UserDefaults.didChangeNotification,
                object: nil
            )
        }

        deinit {
            NotificationCenter.default.removeObserver(self)
            for name in names.withLock({ $0 }) { defaults.removeObserver(self, forKeyPath: name) }
        }

        /// Observes further names.
        ///
        /// A name with a full stop would be treated as a key path. Its changes in other processes are noticed only with
        /// the next change of another name.
        func listen(to newNames: [String]) {
            for name in newNames where !name.contains(".") && !name.hasPrefix("@") {
                let isNew = names.withLock { $0.insert(name).inserted }
                if isNew { defaults.addObserver(self, forKeyPath: name, options: [], context: nil) }
            }
        }

        @objc private func defaultsDidChange(_ notification: Notification) {
            gathering.add()
        }

        override func observeValue(
            forKeyPath keyPath: String?,
            of object: Any?,
            change: [NSKeyValueChangeKey: Any]?,
            context: UnsafeMutableRawPointer?
        ) {
            gathering.add()
        }
    }
#endif
