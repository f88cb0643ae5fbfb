import Synchronization
package import TacklineCore

/// Keeps the issues that a loader reports.
package final class IssueRecorder: Sendable {
    private let recorded = Mutex<[FlagError]>([])

    package init() {}

    package var reporter: FlagIssueReporter {
        FlagIssueReporter { [self] issue in recorded.withLock { $0.append(issue) } }
    }

    package var issues: [FlagError] { recorded.withLock { $0 } }

    package var codes: [FlagError.Code] { issues.map(\.code) }
}
