#if canImport(Testing)
    public import Testing

    extension FlagProviderConformance {
        /// Runs every check that applies, and records an issue of the current test for each failure.
        public func expectConformance(sourceLocation: SourceLocation = #_sourceLocation) async {
            for failure in await failures() {
                Issue.record(failure, sourceLocation: sourceLocation)
            }
        }
    }
#endif
