#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore
import TacklineFormats
import TacklineRemoteJSON

// Foundation: `Data` is what servers answer.

/// Tells those who watch issues what goes wrong with the server, each sort once until an answer is good again.
final class OFREPIssues: Sendable {
    private let provider: String
    private let reporter: FlagIssueReporter
    private let log = FlagIssueLog()
    /// Problems of flags, of the answers for many contexts: one answer doesn't say that the others are good again.
    private let flagLog = FlagIssueLog()
    /// How many problems of flags are told in all.
    private static let maximumFlags = 100

    init(provider: String, reporter: FlagIssueReporter) {
        self.provider = provider
        self.reporter = reporter
    }

    func take(_ event: RemoteJSONEvent) {
        switch event {
        case .changed, .unchanged, .ready(.fresh): log.resolveAll(Self.codes)
        case .rejected(let reason, _):
            report("ofrep-answer", "The answer of the server was rejected: \(reason). The values stay as they were.")
        case .failed(let error, _, _):
            switch error.code {
            case "misconfigured":
                report("ofrep-refused", "The server refuses to evaluate: \(error.reason). Check context, URL and key.")
            case .network:
                report("ofrep-request", "The server cannot be asked: \(error.reason). The values stay as they were.")
            default: break
            }
        default: break
        }
    }

    /// Tells what is wrong with the flags of many answers, each once.
    func flags(_ problems: [OFREPAnswer.Problem]) {
        for problem in problems where flagLog.issues.count < Self.maximumFlags {
            let issue = problem.issue(provider: provider)
            flagLog.report(issue, detail: issue.message, to: [reporter])
        }
    }

    /// Tells that a context cannot be sent as a whole.
    func context(_ problem: String) {
        report("ofrep-context", "A context cannot be sent: \(problem). Leave out of it what flags do not need.")
    }

    /// Tells that too many requests are on their way.
    func busy(_ reason: String) {
        report(
            "ofrep-busy", "An evaluation was refused: \(reason). Raise maximumRequests, or see why the server is slow.")
    }

    private static let codes = Set(
        ["ofrep-answer", "ofrep-refused", "ofrep-request", "ofrep-context", "ofrep-busy"].map { FlagIssue.Code($0) })

    private func report(_ code: String, _ message: String) {
        // Once for each sort, whatever the server says about it.
        guard !log.issues.contains(where: { $0.code.name == code }) else { return }
        log.report(FlagIssue(.init(code), message: message, provider: provider), to: [reporter])
    }
}

extension OFREPAnswer {
    /// The answer that gives these values to everybody.
    static func document(of values: FlagDocument) -> FlagDocument {
        guard !values.root.isEmpty else { return FlagDocument() }
        let flags = values.root.map {
            EncodedFlagValue.object(["key": .string($0.key), "value": $0.value, "reason": "STATIC"])
        }
        return FlagDocument(["flags": .array(flags)])
    }

    /// What the body of a refusal says.
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
    /// The name of the folder for what this server's contexts were given.
    func folderName(_ namespace: String) -> String {
        "ofrep-\(RemoteJSONCache.fileName(for: "\(base.absoluteString)\n\(namespace)"))"
    }
}
