import Foundation
import Synchronization
import TacklineCore

/// A store for the answer to a bulk evaluation.
final class OFREPStore: FlagDocumentStore {
    private let providerName: String
    private let reporter: FlagIssueReporter
    private let state = Mutex(OFREPAnswer())
    /// The values, which find the changes. Its writers' lock orders all changes.
    private let values = FlagProviderStore()

    init(providerName: String, reporter: FlagIssueReporter) {
        self.providerName = providerName
        self.reporter = reporter
    }

    func prepare(_ document: FlagDocument, json: Data?) throws(FlagError) -> PreparedFlagDocument {
        let answer = try OFREPAnswer(document)
        return PreparedFlagDocument { self.take(answer) }
    }

    /// The answer in force.
    var answer: OFREPAnswer { state.withLock { $0 } }

    func clear() -> [FlagProviderChange] { take(OFREPAnswer()) }

    func announceSubjectChange() { values.announceSubjectChange() }

    private func take(_ answer: OFREPAnswer) -> [FlagProviderChange] {
        var old = OFREPAnswer()
        defer { withExtendedLifetime(old) {} }
        return values.update { document in
            // The old answer is released after the locks.
            state.withLock { state in
                (old, state) = (state, answer)
                state.number = old.number + 1
            }
            document = answer.values
        } persist: { _ in
        }
    }

    func reportIssues() {
        reporter.replace(
            [.init("ofrep-flag")], of: providerName, with: answer.problems.map { $0.issue(provider: providerName) })
    }

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { values.value(for: key) }

    func evaluation(for key: FlagKeyPath) -> FlagEvaluation { answer.evaluation(for: key) }

    var document: FlagDocument { values.document }

    func observe(_ observer: FlagProviderObserver) -> Bool { values.observe(observer) }
}

/// The answer to a bulk evaluation, as evaluations. It never changes.
struct OFREPAnswer: Sendable {
    /// A part of the answer that violates the protocol.
    struct Problem: Sendable, Hashable {
        var key: String?
        var message: String

        func issue(provider: String) -> FlagError {
            FlagError(
                .init("ofrep-flag"),
                """
                Provider "\(provider)" got a flag that it cannot use. \(message) The other flags of the answer are in force. \
                Correct this one on the server.
                """,
                key: key.map { FlagKeyPath($0) }, provider: provider)
        }
    }

    /// The greatest number of problems that are reported for one answer.
    private static let maximumProblems = 20

    private(set) var values = FlagDocument()
    private(set) var problems: [Problem] = []
    /// The evaluations without their values, with the key as it was sent: a dictionary treats keys that differ only in
    /// Unicode normalization as equal.
    private var evaluations: [String: (key: String, evaluation: FlagEvaluation)] = [:]
    /// The number of the answer in its store.
    fileprivate(set) var number = 0

    /// Makes the answer that is in force before the server has sent one.
    init() {}

    init(_ document: FlagDocument) throws(FlagError) {
        guard case .array(let flags)? = document.root["flags"] else {
            throw FlagError(.invalidDocument, "it has no list \"flags\", which the protocol requires")
        }
        var misfits = 0
        for (index, flag) in flags.enumerated() {
            if let problem = take(flag, index) {
                misfits += 1
                if problems.count < Self.maximumProblems { problems.append(problem) }
            }
        }
        guard flags.isEmpty || !evaluations.isEmpty else {
            let reason = problems.first?.message ?? ""
            throw FlagError(.invalidDocument, "none of its flags can be used. \(reason)")
        }
        if misfits > problems.count {
            problems.append(Problem(message: "\(misfits - problems.count) more flags of the answer cannot be used."))
        }
    }

    /// Adds a flag.
    ///
    /// - Returns: The problem, if the flag cannot be used.
    private mutating func take(_ flag: EncodedFlagValue, _ index: Int) -> Problem? {
        guard case .object(let members) = flag else {
            return Problem(message: "Flag \(index) of the answer is \(flag.kind), and needs to be an object.")
        }
        guard case .string(let key)? = members["key"], !key.isEmpty else {
            return Problem(message: "Flag \(index) of the answer has no key.")
        }
        guard evaluations[key] == nil else {
            return Problem(
                key: key, message: "The answer has a flag with the key of \"\(key)\" twice; the first one is used.")
        }
        var metadata: [String: EncodedFlagValue] = [:]
        if case .object(let given)? = members["metadata"] { metadata = given }
        if let code = members["errorCode"] {
            let code = if case .string(let code) = code { code } else { "GENERAL" }
            let message = Self.text(members["errorDetails"]) ?? "the server could not evaluate it"
            let failure = FlagEvaluation(
                value: nil, reason: .error, metadata: metadata, errorCode: .init(rawValue: code), errorMessage: message)
            evaluations[key] = (key, failure)
            return nil
        }
        let reason = Self.text(members["reason"]).map { FlagEvaluation.Reason(rawValue: $0) } ?? .unknown
        let variant = Self.text(members["variant"])
        evaluations[key] = (key, FlagEvaluation(value: nil, variant: variant, reason: reason, metadata: metadata))
        // A missing value stands for the application's default.
        if let value = members["value"], value != .null { values.root[key] = value }
        return nil
    }

    private static func text(_ value: EncodedFlagValue?) -> String? {
        if case .string(let text)? = value { text } else { nil }
    }

    func evaluation(for key: FlagKeyPath) -> FlagEvaluation {
        var evaluation = FlagEvaluation(value: nil)
        // A member of an object has the evaluation of the flag whose value the object is.
        for name in [key.text] + key.components.prefix(1) {
            guard let known = evaluations[name], known.key.utf8.elementsEqual(name.utf8) else { continue }
            evaluation = known.evaluation
            break
        }
        evaluation.value = values.value(for: key)
        return evaluation
    }
}
