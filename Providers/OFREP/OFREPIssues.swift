#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Synchronization
import TacklineCore
import TacklineFormats
import TacklineRemoteJSON

// Foundation: `Data` is what servers answer.

/// Tells those who watch issues what goes wrong with the server, each sort once until an answer is good again.
final class OFREPIssues: Sendable {
    private let provider: String
    private let reporter: FlagIssueReporter
    private let told = Mutex<Set<String>>([])

    init(provider: String, reporter: FlagIssueReporter) {
        self.provider = provider
        self.reporter = reporter
    }

    func take(_ event: RemoteJSONEvent) {
        switch event {
        case .changed, .unchanged, .ready(.fresh): told.withLock { $0 = [] }
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

    private func report(_ code: String, _ message: String) {
        guard told.withLock({ $0.insert(code).inserted }) else { return }
        reporter.report(FlagIssue(.init(code), message: message, provider: provider))
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
