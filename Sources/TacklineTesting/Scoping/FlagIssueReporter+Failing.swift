#if canImport(Testing)
    public import TacklineCore
    public import Testing

    extension FlagIssueReporter {
        /// Returns a reporter that fails the current test for each issue of a loader, such as a value that a flag's
        /// type refuses.
        ///
        /// An issue from a thread that belongs to no test fails the run as a whole. In XCTest, use
        /// `FlagIssueReporter { XCTFail("\($0)") }`.
        ///
        /// - Parameter sourceLocation: The source location of the recorded issues.
        public static func failingTest(sourceLocation: SourceLocation = #_sourceLocation) -> FlagIssueReporter {
            FlagIssueReporter { issue in Issue.record(issue, sourceLocation: sourceLocation) }
        }
    }
#endif
