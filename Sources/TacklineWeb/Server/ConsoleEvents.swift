#if Web
    import Synchronization
    import TacklineCore

    /// The pages that follow a console, which get the revision of the flags when it changes and as a sign of life.
    final class ConsoleEvents: Sendable {
        private let last = Mutex(0)
        private let pages = FlagBroadcast<Int>(bufferLimit: 1)

        func send(_ revision: Int) {
            last.withLock { $0 = revision }
            repeatLast()
        }

        func repeatLast() {
            last.withLock { pages.send($0) }
        }

        /// Returns the revisions for one more page, beginning with the last one; `nil` if there are too many pages.
        func makeStream() -> AsyncStream<Int>? {
            last.withLock { pages.makeStream(beginningWith: $0, limit: 64) }
        }
    }
#endif
