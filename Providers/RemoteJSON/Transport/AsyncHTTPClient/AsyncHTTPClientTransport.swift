#if AsyncHTTPClient
    public import AsyncHTTPClient
    import Foundation
    public import NIOCore
    import NIOHTTP1
    import NIOHTTPCompression
    import Synchronization

    // Foundation: `URL` is what redirects lead to, `Data` what clients receive.

    /// Carries requests with AsyncHTTPClient, for servers that have it already: one pool of connections for all requests,
    /// HTTP/2, and the event loops that the server runs on. Needs the trait `AsyncHTTPClient`.
    ///
    /// ```swift
    /// configuration.transport = AsyncHTTPClientTransport(eventLoopGroup: app.eventLoopGroup)
    /// ```
    ///
    /// It has a client of its own, and so a pool of its own, since a client follows redirects by its own rules and not by
    /// those of the request. Providers can share one transport.
    public final class AsyncHTTPClientTransport: HTTPTransport {
        private let client: SharedHTTPClient
        private let time: MonotonicTime

        /// Makes a transport.
        ///
        /// - Parameters:
        ///   - configuration: Certificates, proxy, pool, version of HTTP. Taken as it is, but for redirects, which are
        ///     followed by the rules of the request, and repeated attempts to connect, which are the provider's to make.
        ///     Servers are asked for plain answers. What comes compressed nevertheless is decoded, up to 32 MiB of each
        ///     answer unless the configuration has another limit, and no more than the request allows.
        ///   - eventLoopGroup: Where connections live; those of the client's own unless it is given. It must outlive the
        ///     transport.
        ///   - clock: Measures the timeouts for header and idleness.
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

        /// Sends a request and collects the answer. The timeouts are measured from the call and from the last bytes.
        public func response(
            to request: HTTPTransportRequest
        ) async throws(HTTPTransportError) -> HTTPTransportResponse {
            let exchange = begin(request, collects: true)
            let body = try await exchange.body()
            let head = try await exchange.head()
            return HTTPTransportResponse(status: head.status, headers: head.headers, body: body)
        }

        /// Sends a request and returns with the header of the answer. The body waits in memory until it is read, up to the
        /// limit of the request, and then on the wire.
        public func stream(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportStream {
            try await HTTPExchangeLease.stream(begin(request, collects: false))
        }

        private func begin(_ request: HTTPTransportRequest, collects: Bool) -> HTTPExchange {
            let exchange = HTTPExchange(request, collects: collects, time: time)
            exchange.start(AsyncHTTPClientTransfer(exchange, client))
            return exchange
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

    /// Carries one exchange, redirects included.
    private final class AsyncHTTPClientTransfer: HTTPExchangeWork {
        private let exchange: HTTPExchange
        private let client: SharedHTTPClient
        private let task = Mutex<Task<Void, Never>?>(nil)
        /// Tells that the reader of a stream has caught up.
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

        /// The next portion is asked for only when the last was taken.
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
                    guard [301, 302, 303, 307, 308].contains(status), let location = fields["Location"] else {
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

        /// - Parameter isEmpty: Whether there is no body, though the header may describe one. The client reads it to its end,
        ///   since it uses the connection again then; but it misses what is to be decoded (swift-nio-extras 1.34), which is no
        ///   failure.
        private func take(_ body: HTTPClientResponse.Body, isEmpty: Bool) async throws {
            var turns = caughtUp.stream.makeAsyncIterator()
            do {
                for try await portion in body {
                    let data = Data(portion.readableBytesView)
                    // An exchange that is over takes everything, and drops it.
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
