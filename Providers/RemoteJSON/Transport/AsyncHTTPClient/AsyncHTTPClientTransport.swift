#if AsyncHTTPClient
    public import AsyncHTTPClient
    import Foundation
    public import NIOCore
    import NIOHTTP1
    import NIOHTTPCompression
    import Synchronization

    // Foundation: `URL` is the target of a redirect, `Data` is received by clients.

    /// A transport that uses AsyncHTTPClient, for servers that depend on it anyway. It has one connection pool for all
    /// requests, supports HTTP/2, and runs on the server's event loops. It needs the trait `AsyncHTTPClient`.
    ///
    /// ```swift
    /// configuration.transport = AsyncHTTPClientTransport(eventLoopGroup: app.eventLoopGroup)
    /// ```
    ///
    /// The transport has a client and a connection pool of its own, since a client follows redirects by its own rules
    /// and not by those of the request. Providers can share one transport.
    public final class AsyncHTTPClientTransport: HTTPTransport {
        private let client: SharedHTTPClient
        private let time: MonotonicTime

        /// Makes a transport.
        ///
        /// - Parameters:
        ///   - configuration: The settings for certificates, proxy, pool and HTTP version. Two of its settings are not
        ///     used: redirects follow the rules of the request, and only the provider repeats failed connections.
        ///     Requests ask for uncompressed answers. A compressed answer is decoded nevertheless, up to 32 MiB unless
        ///     the configuration has another limit, and no further than the request allows.
        ///   - eventLoopGroup: The event loops of the connections. The default is the client's own. The group must
        ///     outlive the transport.
        ///   - clock: The clock for the timeouts of header and idleness.
        public init(
            configuration: HTTPClient.Configuration = HTTPClient.Configuration(),
            eventLoopGroup: any EventLoopGroup = HTTPClient.defaultEventLoopGroup,
            clock: any Clock<Duration> = ContinuousClock()
        ) {
            var own = configuration
            own.redirectConfiguration = .disallow
            own.connectionPool.retryConnectionEstablishment = false
            if case .disabled = own.decompression { own.decompression = .enabled(limit: .size(32 << 20)) }
            client = SharedHTTPClient(HTTPClient(eventLoopGroup: eventLoopGroup, configuration: own))
            time = MonotonicTime(clock)
        }

        /// Sends a request and returns with the header of the answer. The timeouts are measured from the call and from the
        /// last bytes. The body waits in memory until it is read, up to the limit of the request; beyond that the server
        /// is held back.
        public func stream(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportStream {
            try await answer(to: request, time) { AsyncHTTPClientTransfer($0, client) }
        }
    }

    /// A client that is shut down when neither its transport nor a request needs it any more.
    private final class SharedHTTPClient: Sendable {
        private let client: HTTPClient

        init(_ client: HTTPClient) {
            self.client = client
        }

        deinit {
            client.shutdown { _ in }
        }

        func execute(_ url: URL, _ headers: HTTPTransportHeaders, _ body: Data?) async throws -> HTTPClientResponse {
            var request = HTTPClientRequest(url: url.absoluteString)
            if let body {
                request.method = .POST
                request.body = .bytes(ByteBuffer(bytes: body))
            }
            for field in headers.fields { request.headers.add(name: field.name, value: field.value) }
            request.headers.replaceOrAdd(name: "Accept-Encoding", value: "identity")
            return try await client.execute(request, deadline: .distantFuture)
        }
    }

    /// The work of one exchange, redirects included.
    private final class AsyncHTTPClientTransfer: HTTPExchangeWork {
        private let exchange: HTTPExchange
        private let client: SharedHTTPClient
        private let task = Mutex<Task<Void, Never>?>(nil)
        /// The signals that the reader of a stream has caught up.
        private let caughtUp = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))

        init(_ exchange: HTTPExchange, _ client: SharedHTTPClient) {
            self.exchange = exchange
            self.client = client
        }

        func resume() {
            task.withLock { $0 = Task { await run() } }
        }

        func cancel() {
            task.withLock { $0?.cancel() }
        }

        /// The next portion is requested only after the last one was taken, so this is always possible.
        func holdBack() -> Bool { true }

        func proceed() {
            caughtUp.continuation.yield()
        }

        private func run() async {
            var (url, headers) = (exchange.request.url, exchange.request.headers)
            do {
                while !Task.isCancelled {
                    let answer = try await client.execute(url, headers, exchange.request.body)
                    let (status, fields) = (Int(answer.status.code), HTTPTransportHeaders(answer.headers))
                    guard exchange.follows(status), let location = fields["Location"] else {
                        exchange.didReceiveHead(status: status, headers: fields)
                        return try await take(answer.body, isEmpty: status == 304)
                    }
                    let target = URL(string: location, relativeTo: url)?.absoluteURL
                    guard let next = exchange.didReceiveRedirect(to: target), let target else { return }
                    (url, headers) = (target, next)
                }
            } catch {
                exchange.didComplete(Self.error(error, hasHead: exchange.hasHead))
            }
        }

        /// Reads the body into the exchange.
        ///
        /// - Parameter isEmpty: Whether the answer has no body, though its header may describe one. The body is still
        ///   read to its end, so that the client reuses the connection. The decoder then fails for lack of data
        ///   (swift-nio-extras 1.34), which is no failure of the exchange.
        private func take(_ body: HTTPClientResponse.Body, isEmpty: Bool) async throws {
            var turns = caughtUp.stream.makeAsyncIterator()
            do {
                for try await portion in body {
                    let data = Data(portion.readableBytesView)
                    // An exchange that is over accepts every portion and drops it.
                    while case .later = exchange.offer(data) { _ = await turns.next() }
                    if exchange.isOver { return }
                }
            } catch  where isEmpty {
                return exchange.didCompleteWithoutBody()
            }
            exchange.didComplete(nil)
        }

        private static func error(_ error: any Error, hasHead: Bool) -> HTTPTransportError {
            if case HTTPParserError.headerOverflow = error { return .headerIsTooLarge }
            let code: HTTPTransportError.Code =
                switch error as? HTTPClientError {
                case .cancelled?: .cancelled
                case .connectTimeout?, .readTimeout?, .deadlineExceeded?, .tlsHandshakeTimeout?: .timedOut
                case .remoteConnectionClosed? where hasHead: .incomplete
                default: error is CancellationError ? .cancelled : hasHead ? .incomplete : .connection
                }
            return HTTPTransportError(code, reason: "the request failed: \(error)")
        }
    }

    extension HTTPTransportHeaders {
        fileprivate init(_ headers: NIOHTTP1.HTTPHeaders) {
            self.init()
            for (name, value) in headers { append(name: name, value: value) }
        }
    }
#endif
