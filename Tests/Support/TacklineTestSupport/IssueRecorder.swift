import Synchronization
package import TacklineCore

/// Keeps the issues that a loader reports.
package final class IssueRecorder: Sendable {
    private let recorded = Mutex<[FlagIssue]>([])

    package init() {}

    package var reporter: FlagIssueReporter {
        FlagIssueReporter { [self] issue in recorded.withLock { $0.append(issue) } }
    }

    package var issues: [FlagIssue] { recorded.withLock { $0 } }

    package var codes: [FlagIssue.Code] { issues.map(\.code) }
}
