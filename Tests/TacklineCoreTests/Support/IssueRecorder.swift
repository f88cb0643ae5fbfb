import Synchronization
import TacklineCore

/// Keeps the issues that a loader reports.
final class IssueRecorder: Sendable {
    private let recorded = Mutex<[FlagIssue]>([])

    var reporter: FlagIssueReporter {
        FlagIssueReporter { [self] issue in recorded.withLock { $0.append(issue) } }
    }

    var issues: [FlagIssue] { recorded.withLock { $0 } }

    var codes: [FlagIssue.Code] { issues.map(\.code) }
}
