#if CommandLine
    import FlyingSocks
    import TacklineCore

    /// The open event streams, each of which receives an event when the document changes.
    final class EventStreams: Sendable {
        /// The largest number of open streams.
        static let limit = 100

        private let texts = FlagBroadcast<String>(bufferLimit: 16)

        /// Opens a stream of texts in the form of server-sent events (WHATWG HTML, section 9.2).
        ///
        /// - Parameter onEnd: A closure that is called when the stream ends.
        /// - Returns: The stream; `nil` if too many are open, or after ``close()``.
        func open(onEnd: @escaping @Sendable () -> Void) -> AsyncStream<String>? {
            // The first text sends the header, and makes the client reconnect soon after a restart of the server.
            texts.makeStream(beginningWith: "retry: 500\n: open\n\n", limit: Self.limit, onEnd: onEnd)
        }

        /// Notifies every client of a change of the document, which the client then requests.
        func send(_ entityTag: String) { texts.send("event: change\ndata: \(entityTag)\n\n") }

        /// Sends a comment to every client, which also detects closed connections.
        func ping() { texts.send(": ping\n\n") }

        /// Ends all streams. None can be opened afterwards.
        func close() { texts.finish() }
    }

    /// A stream of texts as the body of an answer. Each text is sent immediately.
    struct EventBody: AsyncBufferedSequence {
        typealias Element = UInt8

        let texts: AsyncStream<String>

        func makeAsyncIterator() -> Iterator { Iterator(base: texts.makeAsyncIterator()) }

        struct Iterator: AsyncBufferedIteratorProtocol {
            fileprivate var base: AsyncStream<String>.Iterator
            private var rest: [UInt8] = []

            fileprivate init(base: AsyncStream<String>.Iterator) {
                self.base = base
            }

            mutating func next() async -> UInt8? {
                while rest.isEmpty {
                    guard let text = await base.next(isolation: #isolation) else { return nil }
                    rest = text.utf8.reversed()
                }
                return rest.popLast()
            }

            mutating func nextBuffer(suggested count: Int) async -> [UInt8]? {
                if !rest.isEmpty {
                    defer { rest = [] }
                    return rest.reversed()
                }
                guard let text = await base.next(isolation: #isolation) else { return nil }
                return Array(text.utf8)
            }
        }
    }
#endif
