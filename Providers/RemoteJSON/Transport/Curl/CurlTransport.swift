#if canImport(FoundationNetworking) && canImport(CTacklineCurl)
    import CTacklineCurl
    import FoundationNetworking

    // Foundation: FoundationNetworking stands on libcurl, which is how a process comes to have it.

    /// Carries requests with libcurl, which every program on Linux that uses `URLSession` has in it.
    ///
    /// This is what providers use on Linux. `URLSession` there stands on libcurl too, but ends the process when a server
    /// closes the connection in the middle of its header. Here that is a failure, a body is cut exactly at its limit,
    /// and nothing is left behind. Proxies and trusted certificates are those of `URLSession` on Linux: what libcurl's
    /// environment variables say, and the system's.
    ///
    /// Each request has a connection and a thread of its own.
    public final class CurlTransport: HTTPTransport {
        private let authorities: String?
        private let time: MonotonicTime

        /// Makes a transport, or `nil` where the process has no libcurl 7.68 or later, because it was linked statically for
        /// example.
        ///
        /// - Parameters:
        ///   - authorities: The path of a file with the certificates to trust (PEM), for a server of one's own; `nil` for
        ///     those of the system.
        ///   - clock: Measures the timeouts for header and idleness.
        public init?(authorities: String? = nil, clock: any Clock<Duration> = ContinuousClock()) {
            // Keeps the linker from leaving FoundationNetworking, and libcurl with it, away.
            _ = URLSession.self
            guard tackline_curl_is_available() != 0 else { return nil }
            self.authorities = authorities
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
            exchange.start(CurlTransfer(exchange, authorities: authorities))
            return exchange
        }
    }
#endif
