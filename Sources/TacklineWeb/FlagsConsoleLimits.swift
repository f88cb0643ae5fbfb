#if Web
    import TacklineHTTP

    /// The limits for the clients of a console.
    public struct FlagsConsoleLimits: Sendable, Hashable {
        /// The largest size of a request before its body, in bytes. Browsers send about 1 KiB, plus the cookies that
        /// other programs on the host have set.
        public var maximumHeaderBytes = 16 << 10
        /// The largest number of header fields in a request.
        public var maximumHeaderFields = 100
        /// The largest size of a body in bytes. Bodies contain edits, and bundles to import.
        public var maximumBodyBytes = 4 << 20
        /// The largest number of concurrent connections. If there are more, a new connection replaces the oldest one
        /// that hasn't presented a session yet. If all have presented one, up to 64 more are answered with status 503,
        /// and those beyond that are closed.
        public var maximumConnections = 64
        /// The largest number of pages that receive changes concurrently. They count as connections too.
        public var maximumStreams = 16
        /// The longest time for a client to send a request, and to receive a response.
        public var timeout = Duration.seconds(15)

        /// Creates the default limits.
        public init() {}
    }

    extension FlagsConsoleLimits {
        /// The limits for the reader of requests.
        var reading: HTTPRequestReader.Limits {
            var limits = HTTPRequestReader.Limits()
            (limits.headBytes, limits.fields) = (maximumHeaderBytes, maximumHeaderFields)
            limits.bodyBytes = maximumBodyBytes
            return limits
        }
    }
#endif
