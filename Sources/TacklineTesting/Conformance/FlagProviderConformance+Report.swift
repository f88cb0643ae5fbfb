extension FlagProviderConformance {
    /// The result of a run of the suite. Each check is in one of the three lists.
    public struct Report: Sendable {
        /// A check that was left out because it doesn't apply, or because reads wait.
        public struct Skip: Sendable, Hashable {
            /// The check that was left out.
            public let check: FlagProviderCheck
            /// The reason why it was left out, and what the suite needs to run it.
            public let reason: String
        }

        /// The checks that the provider passed.
        public internal(set) var passed: [FlagProviderCheck] = []
        /// The checks that were left out.
        public internal(set) var skipped: [Skip] = []
        /// The failures, at most ten for each check.
        public internal(set) var failures: [FlagProviderConformanceFailure] = []
    }
}
