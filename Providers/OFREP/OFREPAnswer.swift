import Foundation
import Synchronization
import TacklineCore
import TacklineRemoteJSON

/// The answer to a bulk evaluation.
struct OFREPAnswer: Sendable {
    private(set) var values = FlagDocument()
    /// The parts of the answer that violate the protocol, up to twenty.
    private(set) var issues: [FlagError] = []
    /// The evaluations without their values.
    private var evaluations: [String: FlagEvaluation] = [:]
    /// The targeting key that the server was asked for.
    private var subject: String?
    /// The reason why there are no values; `nil` if the server has answered.
    private(set) var error: FlagError?
    /// Whether the server could not be asked again, so that the values have the reason `STALE`.
    var isStale = false

    /// Creates the answer that is in force before the server has sent one, or because it could not be asked.
    init(error: FlagError? = nil) { self.error = error }

    /// Reads an answer.
    ///
    /// - Throws: `FlagError` if there is no list of flags, or if the list isn't empty and none of it can be used. An empty
    ///   list means that the server has no flags.
    init(_ document: FlagDocument, provider: String) throws(FlagError) {
        guard case .array(let flags)? = document.root["flags"] else {
            throw FlagError(.invalidDocument, "it has no list \"flags\", which the protocol requires")
        }
        if case .string(let subject)? = document.root[RemoteTarget.labelMember] { self.subject = subject }
        for (index, flag) in flags.enumerated() {
            guard let (key, problem) = take(flag, index), issues.count < 20 else { continue }
            let text = """
                Provider "\(provider)" got a flag that it cannot use. \(problem) The other flags of the answer are in force. \
                Correct this one on the server.
                """
            issues.append(FlagError("ofrep-flag", text, key: key.map { FlagKeyPath($0) }, provider: provider))
        }
        guard flags.isEmpty || evaluations.values.contains(where: { $0.errorCode == nil }) else {
            // The server's words may repeat a key or a token.
            throw FlagError(.invalidDocument, "none of its flags can be used")
        }
    }

    /// Adds a flag, or returns its key, if it has one, and the problem if it cannot be used.
    private mutating func take(_ flag: EncodedFlagValue, _ index: Int) -> (key: String?, problem: String)? {
        guard case .object(let members) = flag else {
            return (nil, "Flag \(index) of the answer is \(flag.kind), and needs to be an object.")
        }
        func text(_ name: String) -> String? { if case .string(let text)? = members[name] { text } else { nil } }
        guard let key = text("key"), !key.isEmpty else { return (nil, "Flag \(index) of the answer has no key.") }
        guard evaluations[key] == nil else {
            return (key, "The answer has a flag with the key of \"\(key)\" twice; the first one is used.")
        }
        var evaluation = FlagEvaluation(value: nil)
        if case .object(let metadata)? = members["metadata"] { evaluation.metadata = metadata }
        if members["errorCode"] != nil {
            evaluation.reason = .error
            evaluation.errorCode = .init(rawValue: text("errorCode") ?? "GENERAL")
            evaluation.errorMessage = text("errorDetails") ?? "the server could not evaluate it"
        } else {
            evaluation.reason = text("reason").map { FlagEvaluation.Reason(rawValue: $0) } ?? .unknown
            evaluation.variant = text("variant")
            // A missing value stands for the application's default.
            if let value = members["value"], value != .null { values.root[key] = value }
        }
        evaluations[key] = evaluation
        return nil
    }

    func evaluation(for key: FlagKeyPath) -> FlagEvaluation {
        if let error {
            return FlagEvaluation(value: nil, reason: .error, errorCode: .general, errorMessage: error.reason)
        }
        // A member of an object has the evaluation of the flag whose value the object is.
        let known = evaluations[key.text] ?? key.components.first.flatMap { evaluations[$0] }
        var evaluation = known ?? FlagEvaluation(value: nil)
        (evaluation.value, evaluation.subject) = (values.value(for: key), subject)
        if isStale, evaluation.value != nil { evaluation.reason = .stale }
        return evaluation
    }
}

/// A store for the answer to a bulk evaluation.
final class OFREPStore: FlagDocumentStore {
    private let providerName: String
    private let reporter: FlagIssueReporter
    private let answer = Mutex(OFREPAnswer())
    /// The values, which find the changes. Its writers' lock orders all changes.
    private let values = FlagProviderStore()

    init(providerName: String, reporter: FlagIssueReporter) {
        (self.providerName, self.reporter) = (providerName, reporter)
    }

    func prepare(_ document: FlagDocument, json: Data?) throws(FlagError) -> PreparedFlagDocument {
        let answer = try OFREPAnswer(document, provider: providerName)
        return { self.take(answer) }
    }

    func clear() -> [FlagProviderChange] { take(OFREPAnswer()) }

    private func take(_ new: OFREPAnswer) -> [FlagProviderChange] {
        values.update { document in
            answer.withLock { $0 = new }
            document = new.values
        } persist: { _ in
        }
    }

    func reportIssues() {
        reporter.replace(["ofrep-flag"], of: providerName, with: answer.withLock { $0 }.issues)
    }

    func announceSubjectChange() { values.announceSubjectChange() }
    func value(for key: FlagKeyPath) -> EncodedFlagValue? { values.value(for: key) }
    func evaluation(for key: FlagKeyPath) -> FlagEvaluation { answer.withLock { $0 }.evaluation(for: key) }
    var document: FlagDocument { values.document }
    func observe(_ observer: FlagProviderObserver) -> Bool { values.observe(observer) }
}
