#if canImport(ObjectiveC)
    import Foundation
    import Synchronization

    // Foundation, the whole of it: key-value observing is a part of it that the smaller module lacks.

    /// Hears that user defaults may have changed, in this process or in another one of the App Group.
    ///
    /// Changes in this process come as notifications; those of other processes only by key-value observing.
    ///
    /// Unchecked, because not every Foundation says of `UserDefaults` what it documents: that it is safe from any
    /// thread.
    final class DefaultsListener: NSObject, @unchecked Sendable {
        private let defaults: UserDefaults
        private let names = Mutex<Set<String>>([])
        /// Foundation calls while the change is being made, perhaps under a lock of its caller, and for any default; so
        /// it is looked at later, and once.
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

        /// Listens to further names.
        ///
        /// A name with a full stop would be taken for a path; its changes in other processes are noticed with the next
        /// change of another one.
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
