import TacklineCore

/// A reporter of rejected documents, each once until another one is accepted.
final class RemoteIssues: Sendable {
    private static let rejected = FlagError.Code("rejected-document")
    private static let configuration = FlagError.Code("remote-configuration")

    private let provider: String
    private let reporter = FlagIssueReporter.current

    init(provider: String) { self.provider = provider }

    /// Reports the problems of a provider's configuration.
    func report(_ problems: [String]) {
        guard !problems.isEmpty else { return }
        let list = problems.joined(separator: "; ")
        let message = """
            The configuration of provider "\(provider)" needs a correction: \(list). Correct it where the provider is created.
            """
        reporter.report(FlagError(Self.configuration, message, provider: provider))
    }

    func take(_ event: RemoteJSONEvent) {
        switch event {
        case .rejected(let reason, _):
            let message = """
                The document of provider "\(provider)" was rejected: \(reason). The values stay as they were. Correct the \
                document on the server.
                """
            reporter.report(FlagError(Self.rejected, message, provider: provider))
        case .changed(_, _, .fresh), .unchanged, .ready(.fresh), .staged:
            reporter.resolve(Self.rejected, provider: provider)
        default: break
        }
    }
}
