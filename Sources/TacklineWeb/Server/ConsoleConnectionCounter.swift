#if Web
    import Synchronization

    /// A counter of open connections.
    final class ConsoleConnectionCounter: Sendable {
        private let count = Mutex(0)
        private let maximum: Int

        init(maximum: Int) {
            self.maximum = maximum
        }

        /// - Returns: `false` if there are too many.
        func enter() -> Bool {
            count.withLock { count in
                guard count < maximum else { return false }
                count += 1
                return true
            }
        }

        func leave() {
            count.withLock { $0 -= 1 }
        }
    }
#endif
