#if Web
    /// How much a console takes from its clients before it refuses.
    public struct FlagsConsoleLimits: Sendable, Hashable {
        /// The bytes of a request before its body. Browsers send about 1 KiB, plus the cookies that other programs on the
        /// host have set.
        public var maximumHeaderBytes = 16 << 10
        /// The header fields of a request.
        public var maximumHeaderFields = 100
        /// The bytes of a body: of an edit, or of a bundle that is imported.
        public var maximumBodyBytes = 4 << 20
        /// The connections at one time. When all places are taken, one more gets the place of whoever has waited longest
        /// without showing a session. If all have shown one, 64 more are answered with status 503, and those beyond are closed.
        public var maximumConnections = 64
        /// The pages that are told of changes at one time, which count as connections too.
        public var maximumStreams = 16
        /// How long a client may take to send a request, and to take in an answer.
        public var timeout = Duration.seconds(15)

        /// Makes the usual limits.
        public init() {}
    }
#endif
