import Foundation
import Synchronization
import TacklineCore
import TacklineRemoteJSON

// Foundation: `Data` is the body of an answer.

/// Reports problems with the server as issues, each kind once until an answer is good again.
final class OFREPIssues: Sendable {
    private let provider: String
    private let reporter: FlagIssueReporter
    /// The number of flag problems that were reported, in the answers to many contexts. One good answer doesn't resolve the
    /// problems of others.
    private let flagProblems = Mutex(Set<String>())
    /// The greatest number of flag problems that are reported.
    private static let maximumFlags = 100

    init(provider: String, reporter: FlagIssueReporter) {
        self.provider = provider
        self.reporter = reporter
    }

    func take(_ event: RemoteJSONEvent) {
        switch event {
        case .changed, .unchanged, .ready(.fresh): Self.codes.forEach { reporter.resolve($0, provider: provider) }
        case .rejected(let reason, _):
            report(
                "ofrep-answer",
                """
                The answer to provider "\(provider)" was rejected: \(reason). Its values stay as they were. Correct it \
                on the server.
                """)
        case .failed(let error, _, _):
            switch error.code {
            case "misconfigured":
                report(
                    "ofrep-refused",
                    "The server refuses provider \"\(provider)\": \(error.reason). Its values stay as they were."
                )
            case .network:
                report(
                    "ofrep-request",
                    """
                    Provider "\(provider)" gets no answer: \(error.reason). Its values stay as \
                    they were.
                    """)
            default: break
            }
        default: break
        }
    }

    /// Reports the problems of an answer's flags, each once.
    func flags(_ problems: [OFREPAnswer.Problem]) {
        for problem in problems {
            let issue = problem.issue(provider: provider)
            let isReported = flagProblems.withLock { known in
                known.count < Self.maximumFlags && known.insert(issue.message).inserted
            }
            if isReported { reporter.report(issue) }
        }
    }

    /// Reports that a context cannot be sent in full, each problem once; `nil` for one that can be.
    func context(_ problem: String?) {
        guard let problem else { return reporter.resolve(Self.context, provider: provider) }
        let message =
            "A context of provider \"\(provider)\" cannot be sent: \(problem). Leave out what flags do not need."
        reporter.report(FlagError(Self.context, message, provider: provider))
    }

    /// Reports that there are too many requests at once.
    func busy(_ reason: String) {
        report(
            "ofrep-busy",
            """
            Provider "\(provider)" refused an evaluation: \(reason). Raise maximumRequests, or see why the server is \
            slow.
            """)
    }

    private static let context = FlagError.Code("ofrep-context")
    private static let codes = Set(
        ["ofrep-answer", "ofrep-refused", "ofrep-request", "ofrep-busy"].map { FlagError.Code($0) })

    private func report(_ code: String, _ message: String) {
        // Once for each kind, even if the server's message differs.
        guard reporter.issues(.init(code), provider: provider).isEmpty else { return }
        reporter.report(FlagError(.init(code), message, provider: provider))
    }
}

extension OFREPAnswer {
    /// Returns the document of an answer that gives these values in every context.
    static func document(of values: FlagDocument) -> FlagDocument {
        guard !values.root.isEmpty else { return FlagDocument() }
        let flags = values.root.map {
            EncodedFlagValue.object(["key": .string($0.key), "value": $0.value, "reason": "STATIC"])
        }
        return FlagDocument(["flags": .array(flags)])
    }

    /// Returns the error in the body of a refusal, or `nil` if there is none.
    static func refusal(in body: Data) -> String? {
        guard body.count <= 64 << 10, case .object(let members)? = try? FlagJSONReader().read(Array(body)) else {
            return nil
        }
        var parts: [String] = []
        for name in ["errorCode", "errorDetails"] {
            if case .string(let text)? = members[name] { parts.append(String(text.prefix(200))) }
        }
        return parts.isEmpty ? nil : parts.joined(separator: ", ")
    }
}

extension OFREPEndpoint {
    /// Returns the name of the folder for the answers of this server.
    func folderName(_ namespace: String) -> String {
        "ofrep-\(RemoteJSONCache.fileName(for: "\(base.absoluteString)\n\(namespace)"))"
    }
}
