#if !canImport(FoundationNetworking)
    public import Foundation

    /// A transport that uses a `URLSession` of its own, without cookies, cache and stored credentials. It is the default on
    /// Apple's systems; on Linux providers use libcurl.
    ///
    /// To pin certificates, to avoid constrained or expensive networks, or to wait for connectivity, pass a configuration
    /// and a delegate:
    ///
    /// ```swift
    /// let network = URLSessionConfiguration.ephemeral
    /// network.allowsExpensiveNetworkAccess = false
    /// configuration.transport = URLSessionTransport(configuration: network, delegate: pinning)
    /// ```
    public final class URLSessionTransport: HTTPTransport {
        private let session: URLSession

        /// Creates a transport.
        ///
        /// - Parameters:
        ///   - configuration: The settings of the session, which are used except for cookies, cache and stored credentials.
        ///   - delegate: The session's delegate, which answers authentication challenges. `nil` leaves them to the system.
        public init(
            configuration: URLSessionConfiguration = .ephemeral, delegate: (any URLSessionTaskDelegate)? = nil
        ) {
            // The session has a copy, so that later changes from outside have no effect.
            let own = (configuration.copy() as? URLSessionConfiguration) ?? .ephemeral
            own.urlCache = nil
            own.httpCookieStorage = nil
            own.httpCookieAcceptPolicy = .never
            own.httpShouldSetCookies = false
            own.urlCredentialStorage = nil
            session = URLSession(configuration: own, delegate: delegate, delegateQueue: nil)
        }

        deinit { session.finishTasksAndInvalidate() }

        /// Sends a request and returns with the header of the answer.
        public func response(to request: HTTPTransportRequest) async throws -> HTTPTransportResponse {
            var own = URLRequest(
                url: request.url, cachePolicy: .reloadIgnoringLocalCacheData, timeoutInterval: 24 * 3600)
            own.httpMethod = request.body == nil ? "GET" : "POST"
            own.httpBody = request.body
            for (name, value) in request.headers { own.setValue(value, forHTTPHeaderField: name) }
            let (bytes, answer) = try await session.bytes(for: own, delegate: NoRedirects())
            guard let head = answer as? HTTPURLResponse else { throw HTTPFailure("the server sent no HTTP answer") }
            let names = head.allHeaderFields.keys.compactMap { $0 as? String }
            let fields = names.compactMap { name in head.value(forHTTPHeaderField: name).map { (name, $0) } }
            let reader = BodyReader(bytes)
            let body = AsyncThrowingStream<Data, any Error> { try await reader.next() }
            return HTTPTransportResponse(
                status: head.statusCode, headers: Dictionary(fields) { first, _ in first }, body: body)
        }
    }

    /// The body of an answer, for one task. `URLSession` holds the server back until the task reads on.
    private final class BodyReader: @unchecked Sendable {
        // Unchecked, and without a lock: a stream asks for one portion at a time.
        private var iterator: URLSession.AsyncBytes.AsyncIterator
        private let task: URLSessionDataTask

        init(_ bytes: URLSession.AsyncBytes) { (iterator, task) = (bytes.makeAsyncIterator(), bytes.task) }

        deinit { task.cancel() }

        /// Returns the next portion, which ends with a line, since events do.
        func next() async throws -> Data? {
            var chunk = Data()
            while let byte = try await iterator.next() {
                chunk.append(byte)
                if byte == 0x0A || byte == 0x0D || chunk.count >= 16 << 10 { return chunk }
            }
            return chunk.isEmpty ? nil : chunk
        }
    }

    /// A delegate of tasks that follows no redirect. Everything else is left to the session's delegate.
    private final class NoRedirects: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
        ) {
            completionHandler(nil)
        }
    }
#endif
