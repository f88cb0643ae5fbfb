extension FlagProviderConformance {
    /// What a run of the suite came to.
    public struct Report: Sendable {
        /// A check that does not apply.
        public struct Skip: Sendable, Hashable {
            /// The check.
            public let check: FlagProviderCheck
            /// Why it does not apply, and what to give the suite if it should.
            public let reason: String
        }

        /// The checks that the provider passed.
        public internal(set) var passed: [FlagProviderCheck] = []
        /// The checks that were left out.
        public internal(set) var skipped: [Skip] = []
        /// What failed: at most ten failures for each check.
        public internal(set) var failures: [FlagProviderConformanceFailure] = []
    }
}
