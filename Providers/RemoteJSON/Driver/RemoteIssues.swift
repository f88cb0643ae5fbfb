import TacklineCore
import TacklineFormats

/// A reporter of rejected documents and unreadable values, each once until it is valid again.
final class RemoteIssues: Sendable {
    private static let rejected = FlagIssue.Code("rejected-document")
    private static let configuration = FlagIssue.Code("remote-configuration")
    private static let unreadable = FlagIssue.Code("unreadable-value")

    private let provider: String
    private let reporter = FlagIssueReporter.current
    private let log = FlagIssueLog()

    init(provider: String) { self.provider = provider }

    /// Reports the problems of a provider's configuration.
    func report(_ problems: [String]) {
        guard !problems.isEmpty else { return }
        let list = problems.joined(separator: "; ")
        let message = """
            The configuration of provider "\(provider)" needs a correction: \(list). Correct it where the provider is created.
            """
        log.report(FlagIssue(Self.configuration, message: message, provider: provider), to: [reporter])
    }

    func take(_ event: RemoteJSONEvent) {
        switch event {
        case .rejected(let reason, _):
            let message = """
                The document of provider "\(provider)" was rejected: \(reason). The values stay as they were. Correct the \
                document on the server.
                """
            log.report(FlagIssue(Self.rejected, message: message, provider: provider), to: [reporter])
        case .changed(_, _, .fresh), .unchanged, .ready(.fresh), .staged: log.resolve(Self.rejected, provider: provider)
        default: break
        }
    }

    /// Replaces the mistakes of the former document with those of the document that was put in force.
    func replaceMistakes(_ mistakes: [(key: FlagKeyPath, error: FlagJSONError)]) {
        let issues = mistakes.map { key, error in
            FlagIssue(
                Self.unreadable,
                message: """
                    Provider "\(provider)" has no value for flag "\(key)": \(error). Its other values are in force. Correct \
                    that one on the server.
                    """,
                key: key, provider: provider)
        }
        log.replace([Self.unreadable], with: issues, to: [reporter])
    }
}
