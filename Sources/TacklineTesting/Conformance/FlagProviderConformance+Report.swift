extension FlagProviderConformance {
    /// The result of a run of the suite. Each check is in one of the three lists.
    public struct Report: Sendable {
        /// A check that was left out because it does not apply.
        public struct Skip: Sendable, Hashable {
            /// The check that was left out.
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
