#if canImport(FoundationNetworking) && canImport(CTacklineCurl)
    import CTacklineCurl
    import FoundationNetworking

    // Foundation: FoundationNetworking links libcurl into the process.

    /// A transport that uses libcurl, which every program on Linux that uses `URLSession` contains.
    ///
    /// Providers use it on Linux by default. `URLSession` there also uses libcurl, but ends the process when a server
    /// closes the connection in the middle of its header. This transport fails the request instead, cuts a body exactly
    /// at its limit, and leaks no memory. Proxies and trusted certificates are those of `URLSession` on Linux:
    /// libcurl's environment variables and the system's certificates.
    ///
    /// Each request has a connection and a thread of its own.
    public final class CurlTransport: HTTPTransport {
        private let authorities: String?
        private let time: MonotonicTime

        /// Makes a transport, or `nil` if the process has no libcurl 7.68 or later, for example because it was linked
        /// statically.
        ///
        /// - Parameters:
        ///   - authorities: The path of a file with the certificates to trust (PEM), for a private server; `nil` for
        ///     those of the system.
        ///   - clock: The clock for the timeouts of header and idleness.
        public init?(authorities: String? = nil, clock: any Clock<Duration> = ContinuousClock()) {
            // This reference keeps the linker from removing FoundationNetworking, and libcurl with it.
            _ = URLSession.self
            guard tackline_curl_is_available() != 0 else { return nil }
            self.authorities = authorities
            time = MonotonicTime(clock)
        }

        /// Sends a request and returns with the header of the answer. The timeouts are measured from the call and from the
        /// last bytes. The body waits in memory until it is read, up to the limit of the request; beyond that the server
        /// is held back.
        public func stream(_ request: HTTPTransportRequest) async throws(HTTPTransportError) -> HTTPTransportStream {
            try await answer(to: request, time) { CurlTransfer($0, authorities: authorities) }
        }
    }
#endif
