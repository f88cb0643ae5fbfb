#if canImport(Testing)
    public import TacklineCore
    public import Testing

    extension FlagIssueReporter {
        /// Fails the current test for each issue of a loader, such as a value that a flag's type refuses.
        ///
        /// An issue that comes from a thread which belongs to no test fails the run as a whole. In XCTest write
        /// `FlagIssueReporter { XCTFail("\($0)") }`.
        ///
        /// - Parameter sourceLocation: Where the issues are shown.
        public static func failingTest(sourceLocation: SourceLocation = #_sourceLocation) -> FlagIssueReporter {
            FlagIssueReporter { issue in Issue.record(issue, sourceLocation: sourceLocation) }
        }
    }
#endif
