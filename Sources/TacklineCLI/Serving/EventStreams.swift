#if CommandLine
    import FlyingSocks
    import Synchronization

    /// The event streams that are open: each is told when the document has changed.
    final class EventStreams: Sendable {
        /// More than a developer has apps.
        static let limit = 100

        private struct State {
            var number = 0
            var live: [Int: AsyncStream<String>.Continuation] = [:]
            var isClosed = false
        }

        private let state = Mutex(State())

        /// Opens a stream of texts in the form of server-sent events (WHATWG HTML, section 9.2).
        ///
        /// - Parameter onEnd: Called when the client has gone.
        /// - Returns: `nil` if there are too many, or no more.
        func open(onEnd: @escaping @Sendable () -> Void) -> AsyncStream<String>? {
            let (stream, continuation) = AsyncStream.makeStream(of: String.self, bufferingPolicy: .bufferingNewest(16))
            let number: Int? = state.withLock { state in
                guard state.live.count < Self.limit, !state.isClosed else { return nil }
                state.number += 1
                state.live[state.number] = continuation
                return state.number
            }
            guard let number else { return nil }
            continuation.onTermination = { [weak self] _ in
                self?.state.withLock { $0.live[number] = nil }
                onEnd()
            }
            // Sends the header off, and has the client come back soon when the server is started again.
            continuation.yield("retry: 500\n: open\n\n")
            return stream
        }

        /// Tells every client that the document has changed; it fetches it then.
        func tell(_ entityTag: String) {
            send("event: change\ndata: \(entityTag)\n\n")
        }

        /// A sign of life, by which a client that has gone is noticed, too.
        func ping() {
            send(": ping\n\n")
        }

        /// Ends all streams, for good.
        func close() {
            let live = state.withLock { state in
                defer { state.live = [:] }
                state.isClosed = true
                return state.live
            }
            for continuation in live.values { continuation.finish() }
        }

        /// Sends a text in the form of server-sent events to every client.
        func send(_ text: String) {
            let live = state.withLock { $0.live }
            for continuation in live.values { continuation.yield(text) }
        }
    }

    /// A stream of texts as the body of an answer: each goes out as soon as it is there.
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
