#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: `Date` is the time at which a value was pinned.

/// The reason for a flag's value, with the answer of every provider.
///
/// ```swift
/// print(user.$allowsSSON.explain())
/// ```
///
/// An explanation asks every provider once more and inspects the flag without using it. It is meant for people and
/// logs, not for hot paths.
public struct FlagExplanation: Sendable, Equatable {
    /// A step of the resolution order and its outcome.
    public struct Step: Sendable, Equatable {
        /// The source of the step. That of a pinned value is the source from which it was pinned.
        public var source: FlagSource
        /// The value, or `nil` if the step has none that the flag can use.
        public var value: EncodedFlagValue?
        /// The reason why the flag's type refuses the provider's value, or `nil` if there is none.
        public var refusal: FlagValueError?
        /// Whether the provider was not asked, because the flag excludes it or live providers are switched off.
        public var isExcluded = false
        /// The time at which the value was pinned, or `nil` for a value that isn't pinned (``FlagUpdatePolicy``).
        public var pinnedSince: Date?
        /// The provider's evaluation, or `nil` if the value doesn't come from a provider or the provider was not asked.
        public var evaluation: FlagEvaluation?
        /// The way in which the provider's rules choose the value, as lines of text. It is empty without rules, and for a
        /// secret flag.
        ///
        /// - Important: The lines contain names from documents and contexts. Escape control characters before you print
        ///   them.
        public var notes: [String] = []
        /// The provider's health. A stale status includes the age of the answer.
        public var status = FlagProviderStatus.ready
        /// Whether the flag is secret, so that the step is printed without its value.
        var isSecret = false

        /// The id of the provider that was asked, or `nil` if the step is not that of a provider.
        public var provider: String? {
            if pinnedSince == nil, case .provider(let id) = source { id } else { nil }
        }
    }

    /// The flag's key.
    public var key: FlagKeyPath
    /// The name of the flag's type.
    public var valueType: String
    /// The description of the flag for people.
    public var metadata: FlagMetadata
    /// The time at which the flag takes a new value.
    public var updatePolicy = FlagUpdatePolicy.live
    /// The steps: a value for the current task and a pinned value if there are any, the computed value, the providers
    /// in the order of the chain, and the default.
    public var steps: [Step]
    /// The position in ``steps`` of the winner, the step that decides the flag's value.
    public var winner: Int
    /// The reason why the winner decides, as a sentence without a full stop.
    public var reason: String

    /// The value that a read returns, or `null` if it can't be encoded.
    public var value: EncodedFlagValue { steps[winner].value ?? .null }
    /// The source of the value that a read returns.
    public var source: FlagSource { steps[winner].source }
    /// The evaluation of the provider that decides, or `nil` if none does.
    public var evaluation: FlagEvaluation? { steps[winner].evaluation }
    /// The steps of the providers, in the order of the chain.
    public var providers: [Step] { steps.filter { $0.provider != nil } }
    /// The pinned value, or `nil` if the flag is live or was not read yet.
    public var pinned: Step? { steps.first { $0.pinnedSince != nil } }
    /// The step that would decide if no value were pinned and none were set for the current task.
    public var live: Step? { steps.first { $0.pinnedSince == nil && $0.source != .scope && $0.value != nil } }
    /// The default that is in force, or `null` if it can't be encoded.
    public var defaultValue: EncodedFlagValue { steps.last?.value ?? .null }
}

extension FlagExplanation: CustomStringConvertible {
    /// The value, the reason, and a line for each step with the winner marked.
    public var description: String {
        let rows = steps.indices.compactMap { index -> (name: String, text: String, isWinner: Bool)? in
            let step = steps[index]
            // The flag's closure returned `nil`, so its step needs no row.
            if step.source == .computed, step.value == nil { return nil }
            return (step.rowName, step.text(live: live), index == winner)
        }
        let width = rows.map { $0.name.count }.max() ?? 0
        let lines = rows.map { row in
            let padding = String(repeating: " ", count: width - row.name.count)
            return "  \(row.isWinner ? ">" : " ") \(row.name)\(padding)  \(row.text)"
        }
        let reasons = evaluation?.shown(isSecret: metadata.isSecret) ?? ""
        let origin = reasons.isEmpty ? "\(source)" : "\(source) (\(reasons))"
        var head = "\(key) = \(metadata.shown("\(value)")) (\(valueType)), from \(origin): \(reason)"
        if !metadata.description.isEmpty { head += "\n  \(metadata.description)" }
        return ([head] + lines).joined(separator: "\n")
    }
}

extension FlagExplanation.Step {
    fileprivate var rowName: String {
        if pinnedSince != nil { return "pinned" }
        return if case .provider(let id) = source { id } else { "\(source)" }
    }

    /// Returns the step's answer in words. A pinned value is followed by the live one, and a provider's answer by its
    /// status if it isn't ready.
    fileprivate func text(live: FlagExplanation.Step?) -> String {
        var answer: String
        if let value {
            answer = shown(value)
            if let pinnedSince { answer += " since \(EncodedFlagValue.date(pinnedSince)), \(remark(on: live))" }
        } else if isExcluded {
            answer = "excluded"
        } else {
            answer = refusal.map { "refused: \($0)" } ?? "no value"
        }
        let reasons = evaluation?.shown(isSecret: isSecret) ?? ""
        if pinnedSince == nil, provider != nil, !reasons.isEmpty { answer += " [\(reasons)]" }
        return status == .ready ? answer : "\(answer) (\(status))"
    }

    private func remark(on live: FlagExplanation.Step?) -> String {
        guard let live, let liveValue = live.value, liveValue != value else { return "which is also the live value" }
        return "and would be \(shown(liveValue)) live, from \(live.source)"
    }

    private func shown(_ value: EncodedFlagValue) -> String { FlagMetadata.shown("\(value)", isSecret: isSecret) }
}

extension FlagExplanation.Step: ReflectedAsDescription {
    /// The source and the answer: `provider "overrides": true`.
    public var description: String { "\(rowName): \(text(live: nil))" }
}

// MARK: Creating one

extension LoaderCore {
    /// Returns the explanation of a flag's value. Every step of the resolution order is taken, and no issue is
    /// reported.
    package func explanation(of ordinal: Int) -> FlagExplanation {
        let declaration = declarations[ordinal]
        let query = query(ordinal, for: .inspection)
        var steps: [(rank: Int, step: FlagStep)] = []
        let last = firstStep(of: query) { step in
            steps.append((query.chain.rank(of: step), step))
            return false
        }
        steps.append((query.chain.rank(of: last), last))
        let isSecret = declaration.isSecret || steps.contains { $0.step.isSecret }
        var metadata = metadata(of: ordinal)
        metadata.isSecret = isSecret
        // There always is a winner, because the last step, the default, has a value.
        let winner = steps.first { $0.step.value != nil } ?? steps[steps.count - 1]
        let pinned = steps.contains { $0.step.isPinned }
        // Overrides are asked before a pinned value. An explanation lists them in the order of the chain.
        if pinned { steps = steps.sorted { $0.rank < $1.rank } }
        return FlagExplanation(
            key: index.keyPaths[ordinal], valueType: String(describing: declaration.valueType),
            metadata: metadata, updatePolicy: declaration.updatePolicy,
            steps: steps.map {
                FlagExplanation.Step($0.step, declaration, index.keyPaths[ordinal], isSecret: isSecret)
            },
            winner: steps.firstIndex { $0.rank == winner.rank } ?? 0,
            reason: winner.step.reason(in: query.chain, declaration.updatePolicy, isPinned: pinned))
    }
}

extension FlagChain {
    /// Returns the position of a step in an explanation.
    fileprivate func rank(of step: FlagStep) -> Int {
        switch step.origin {
        case .scope: 0
        case .pinned: 1
        case .computed: 2
        case .provider(let link): 3 + (links.firstIndex { $0 === link } ?? links.count)
        case .default: .max
        }
    }
}

extension FlagExplanation.Step {
    fileprivate init(_ step: FlagStep, _ declaration: FlagDeclaration, _ key: FlagKeyPath, isSecret: Bool) {
        self.init(source: step.source, evaluation: step.evaluation, isSecret: isSecret)
        // A text without a type is shown as what the flag's type makes of it. A value whose encoding throws is one, too.
        if let usable = step.value {
            if let given = evaluation?.value { value = given }
            if case .unparsed? = value { value = nil }
            value = value ?? declaration.encode(usable) ?? evaluation?.value ?? .null
        }
        switch step.outcome {
        case .refused(let error): refusal = error.withoutValue(if: isSecret)
        case .excluded: isExcluded = true
        case .value, .absent: break
        }
        switch step.origin {
        case .provider(let link):
            status = link.provider.status
            if !isSecret, evaluation?.hasReasons == true {
                notes = link.provider.innerReasoning(for: key, as: nil)?.lines ?? []
            }
        case .pinned(let pinned): pinnedSince = pinned.since
        case .scope, .computed, .default: break
        }
    }
}

extension FlagStep {
    /// Returns the reason why the step won, as a sentence without a full stop.
    ///
    /// - Parameter isPinned: Whether a value is pinned, which may not be the winner.
    fileprivate func reason(in chain: FlagChain, _ policy: FlagUpdatePolicy, isPinned: Bool) -> String {
        var remark = ""
        if policy != .live, !isPinned {
            remark = "; the next read pins it \(policy.end)"
            if let id = chain.taskDependent?.id {
                remark = "; it is not pinned, since answers of provider \"\(id)\" differ from task to task"
            }
        }
        return switch origin {
        case .scope: "set for the current task, which wins over everything"
        case .pinned: "pinned at its first read, \(policy.end)"
        case .computed: "the flag computes its value, which wins over every provider" + remark
        case .provider where chain.isLocal: "the first usable local value, since the mode is local" + remark
        case .provider: "the first usable value in the chain" + remark
        case .default where chain.isLocal: "no local provider has a usable value, and the mode is local" + remark
        case .default where chain.links.isEmpty: "the chain has no providers" + remark
        case .default: "no provider has a usable value" + remark
        }
    }
}

extension FlagUpdatePolicy {
    /// The end of a pinned value, for messages.
    fileprivate var end: String {
        switch self {
        case .live: "not pinned"
        case .session: "until a new session begins"
        case .nextLaunch: "until the next launch"
        }
    }
}
