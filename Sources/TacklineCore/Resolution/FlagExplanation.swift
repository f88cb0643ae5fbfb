public import TacklineFoundation

/// The reason for a flag's value, with the answer of every provider.
///
/// ```swift
/// print(user.$allowsSSON.explain())
/// ```
///
/// An explanation asks every provider once more and inspects the flag without using it. It is meant for people and
/// logs, not for hot paths.
public struct FlagExplanation: Sendable {
    /// A step of the resolution order and its outcome.
    public struct Step: Sendable {
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
    /// The default that is in force, or `null` if it can't be encoded.
    public var defaultValue: EncodedFlagValue { steps.last?.value ?? .null }
}

extension FlagExplanation: CustomStringConvertible {
    /// The value, the reason, and a line for each step with the winner marked.
    public var description: String {
        // A step of the flag's closure without a value needs no row.
        let rows = steps.indices.filter { steps[$0].source != .computed || steps[$0].value != nil }
        let width = rows.map { steps[$0].rowName.count }.max() ?? 0
        let lines = rows.map { row in
            let name = steps[row].rowName
            let padding = String(repeating: " ", count: width - name.count)
            return "  \(row == winner ? ">" : " ") \(name)\(padding)  \(steps[row].text)"
        }
        let reasons = evaluation?.shown(isSecret: metadata.isSecret) ?? ""
        let origin = reasons.isEmpty ? "\(source)" : "\(source) (\(reasons))"
        var head = "\(key) = \(metadata.shown("\(value)")) (\(valueType)), from \(origin): \(reason)"
        if !metadata.description.isEmpty { head += "\n  \(metadata.description)" }
        return ([head] + lines).joined(separator: "\n")
    }
}

extension FlagExplanation.Step: ReflectedAsDescription {
    /// The source and the answer: `provider "overrides": true`.
    public var description: String { "\(rowName): \(text)" }

    fileprivate var rowName: String { pinnedSince != nil ? "pinned" : provider ?? "\(source)" }

    /// The step's answer in words. A provider's answer is followed by its status if it isn't ready.
    fileprivate var text: String {
        var answer = isExcluded ? "excluded" : refusal.map { "refused: \($0)" } ?? "no value"
        if let value { answer = FlagMetadata.shown("\(value)", isSecret: isSecret) }
        if let pinnedSince { answer += " since \(EncodedFlagValue.date(pinnedSince))" }
        let reasons = evaluation?.shown(isSecret: isSecret) ?? ""
        if provider != nil, !reasons.isEmpty { answer += " [\(reasons)]" }
        return status == .ready ? answer : "\(answer) (\(status))"
    }
}

// MARK: Creating one

extension AnyFlagHandle {
    /// Returns every provider's answer, the winner, and the reason. The flag is inspected, which doesn't count as use and
    /// reports no issue.
    public func explain() -> FlagExplanation {
        let query = core.query(ordinal, for: .inspection)
        var steps: [FlagStep] = []
        _ = core.firstResult(of: query) { step -> Never? in
            steps.append(step)
            return nil
        }
        let metadata = core.metadata(of: ordinal, steps.first(where: \.isSecret))
        // There always is a winner, because the last step, the default, has a value.
        let winner = steps.firstIndex { $0.value != nil } ?? steps.count - 1
        // Overrides are asked before a pinned value. An explanation lists them in the order of the chain.
        let ranks = steps.map { step in
            switch step.origin {
            case .scope: -3
            case .pinned: -2
            case .computed: -1
            case .provider, .default: query.chain.position(above: step.source)
            }
        }
        let order = indices(inOrderOf: ranks)
        return FlagExplanation(
            key: keyPath, valueType: String(describing: valueType), metadata: metadata, updatePolicy: updatePolicy,
            steps: order.map { FlagExplanation.Step(steps[$0], of: self, isSecret: metadata.isSecret) },
            winner: order.firstIndex(of: winner) ?? 0,
            reason: steps[winner].reason(in: query.chain, updatePolicy, isPinned: steps.contains(where: \.isPinned)))
    }
}

extension FlagExplanation.Step {
    fileprivate init(_ step: FlagStep, of flag: AnyFlagHandle, isSecret: Bool) {
        self.init(source: step.source, evaluation: step.evaluation, isSecret: isSecret)
        // A value whose encoding throws is one, too.
        value = step.value.map { flag.declaration.encode($0) ?? evaluation?.value ?? .null }
        if case .refused(let error) = step.outcome { refusal = error.withoutValue(if: isSecret) }
        if case .excluded = step.outcome { isExcluded = true }
        if case .pinned(let pinned) = step.origin { pinnedSince = pinned.since }
        guard case .provider(let link) = step.origin else { return }
        status = link.provider.status
        guard !isSecret, evaluation?.description.isEmpty == false else { return }
        notes = link.provider.innerReasoning(for: flag.keyPath)?.lines ?? []
    }
}

extension FlagStep {
    /// Returns the reason why the step won, as a sentence without a full stop.
    ///
    /// - Parameter isPinned: Whether a value is pinned, which may not be the winner.
    fileprivate func reason(in chain: FlagChain, _ policy: FlagUpdatePolicy, isPinned: Bool) -> String {
        let end = policy == .session ? "until a new session begins" : "until the next launch"
        let reason: String
        switch origin {
        case .scope: return "set for the current task, which wins over everything"
        case .pinned: return "pinned at its first read, \(end)"
        case .computed: reason = "the flag computes its value, which wins over every provider"
        case .provider:
            reason =
                chain.isLocal
                ? "the first usable local value, since the mode is local" : "the first usable value in the chain"
        case .default where chain.isLocal: reason = "no local provider has a usable value, and the mode is local"
        case .default: reason = chain.links.isEmpty ? "the chain has no providers" : "no provider has a usable value"
        }
        if policy == .live || isPinned { return reason }
        guard let link = chain.taskDependent else { return "\(reason); the next read pins it \(end)" }
        return "\(reason); it is not pinned, since answers of provider \"\(link.id)\" differ from task to task"
    }
}
