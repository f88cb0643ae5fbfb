#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: `Date` says since when a value is held.

/// Why a flag has its value: every provider's answer, the winner, and the reason. Print it.
///
/// Making it asks every provider once more, so it is for people and logs and not for hot paths.
public struct FlagExplanation: Sendable, Equatable {
    /// What one provider answered.
    public struct Answer: Sendable, Equatable {
        /// How a provider answered.
        public enum Outcome: Sendable, Equatable {
            /// It holds this value, and the flag's type takes it.
            case value(EncodedFlagValue)
            /// It has no opinion.
            case absent
            /// The flag does not ask it, or nobody does at present, since live providers are switched off.
            case excluded
            /// It holds a value that the flag's type refuses.
            case mismatch(FlagValueError)
        }

        /// The provider's id in the chain.
        public var provider: String
        /// What it answered.
        public var outcome: Outcome
        /// What the provider says about its answer: variant, reason, metadata, and what failed; `nil` if it says nothing.
        public var details: FlagResolutionDetails?
        /// How it is doing; an age says how old the answer is.
        public var status: FlagProviderStatus
    }

    /// A value that is held back from changing (``FlagUpdatePolicy``).
    public struct Hold: Sendable, Equatable {
        /// The value that is held.
        public var value: EncodedFlagValue
        /// Where it came from when it was fixed.
        public var source: FlagSource
        /// When it was fixed.
        public var since: Date
        /// What a read would give if it were not held.
        public var liveValue: EncodedFlagValue
        /// Where that would come from.
        public var liveSource: FlagSource
    }

    /// The flag's key.
    public var key: FlagKeyPath
    /// The flag's type, for people.
    public var valueType: String
    /// What people should know about the flag.
    public var metadata: FlagMetadata
    /// The value that a read gives.
    public var value: EncodedFlagValue
    /// Where that value comes from.
    public var source: FlagSource
    /// Why this source decides, as a sentence without a full stop.
    public var reason: String
    /// What the winner says about the value: variant, reason and metadata; `nil` if it says nothing.
    public var details: FlagResolutionDetails?
    /// What holds for the current task; `nil` if nothing does.
    public var scoped: EncodedFlagValue?
    /// What the flag computes; `nil` if it computes nothing, or nothing at present.
    public var computed: EncodedFlagValue?
    /// The providers' answers, in the order of the chain.
    public var answers: [Answer]
    /// The default.
    public var defaultValue: EncodedFlagValue
    /// When the flag takes a new value.
    public var updatePolicy = FlagUpdatePolicy.live
    /// What is held; `nil` for a live flag, and for one that was not read yet.
    public var hold: Hold?
    /// Whether what is held is the answer.
    package var isHeld = false
}

extension FlagExplanation: CustomStringConvertible {
    /// Some lines for people: the value, the reason, and each answer with the winner marked.
    public var description: String {
        var rows: [(name: String, text: String, isWinner: Bool)] = []
        if let scoped { rows.append(("scope", "\(scoped)", source == .scope)) }
        if let hold { rows.append(("held", hold.text, isHeld)) }
        if let computed { rows.append(("computed", "\(computed)", source == .computed && !isHeld)) }
        for answer in answers {
            rows.append((answer.provider, answer.text, source == .provider(answer.provider) && !isHeld))
        }
        rows.append(("default", "\(defaultValue)", source == .default && !isHeld))
        let width = rows.map { $0.name.count }.max() ?? 0
        let lines = rows.map { row in
            let padding = String(repeating: " ", count: width - row.name.count)
            return "  \(row.isWinner ? ">" : " ") \(row.name)\(padding)  \(row.text)"
        }
        let details = details.map { " (\($0))" } ?? ""
        var head = "\(key) = \(value) (\(valueType)), from \(source)\(details): \(reason)"
        if !metadata.description.isEmpty { head += "\n  \(metadata.description)" }
        return ([head] + lines).joined(separator: "\n")
    }
}

extension FlagExplanation.Hold {
    /// The value, since when it is held, and what it holds back.
    fileprivate var text: String {
        let live =
            liveValue == value ? "which is also the live value" : "and would be \(liveValue) live, from \(liveSource)"
        return "\(value) since \(EncodedFlagValue.date(since)), \(live)"
    }
}

extension FlagExplanation.Answer {
    /// The answer with the provider's status, where that says more than "ready".
    fileprivate var text: String {
        var answer =
            switch outcome {
            case .value(let value): "\(value)"
            case .absent: "no value"
            case .excluded: "excluded"
            case .mismatch(let error): "refused: \(error)"
            }
        if let details { answer += " [\(details)]" }
        return status == .ready ? answer : "\(answer) (\(status))"
    }
}

// MARK: Making one

extension FlagResolver {
    /// Explains a flag's value: takes every step of the law, and reports nothing.
    package func explanation(_ declaration: FlagDeclaration, _ ordinal: Int, metadata: FlagMetadata) -> FlagExplanation
    {
        let question = question(declaration, ordinal)
        let chain = question.chain
        var explanation = FlagExplanation(
            key: keyPaths[ordinal], valueType: String(describing: declaration.valueType), metadata: metadata,
            value: .null, source: .default, reason: "", answers: [], defaultValue: .null,
            updatePolicy: declaration.updatePolicy)
        var winner: FlagStep?
        question.forEachStep { step in
            if winner == nil, step.value != nil { winner = step }
            switch step {
            case .scope(let value): explanation.scoped = declaration.encode(value)
            case .hold(let hold): explanation.hold = self.explanation(of: hold, declaration, ordinal, chain)
            case .computed(let value): explanation.computed = value.flatMap { declaration.encode($0) }
            case .provider(let answer): explanation.answers.append(FlagExplanation.Answer(answer))
            case .fallback(let value): explanation.defaultValue = declaration.encode(value) ?? .null
            }
            return true
        }
        // Overrides that go before a held value were asked first; people expect the order of the chain.
        let places = Dictionary(zip(chain.links.map(\.id), chain.links.indices)) { first, _ in first }
        explanation.answers = explanation.answers.inOrder { places[$0.provider] ?? 0 }
        if let winner {
            explanation.value = winner.encoded ?? winner.value.flatMap { declaration.encode($0) } ?? .null
            explanation.source = winner.source
            explanation.details = winner.details
            explanation.isHeld = if case .hold = winner { true } else { false }
            explanation.reason = winner.reason(in: chain, declaration.updatePolicy, isHeld: explanation.hold != nil)
        }
        return explanation
    }

    private func explanation(
        of hold: FlagHold, _ declaration: FlagDeclaration, _ ordinal: Int, _ chain: FlagChain
    ) -> FlagExplanation.Hold {
        let live = finding(declaration, ordinal, isLive: true, in: chain)
        return FlagExplanation.Hold(
            value: hold.encoded ?? .null, source: hold.source, since: hold.since,
            liveValue: declaration.encode(live.value) ?? .null, liveSource: live.step.source)
    }
}

extension FlagExplanation.Answer {
    fileprivate init(_ answer: FlagProviderAnswer) {
        provider = answer.link.id
        details = answer.details
        status = answer.link.provider.status
        outcome =
            switch answer.outcome {
            case .value(_, let encoded): .value(encoded)
            case .absent: .absent
            case .excluded: .excluded
            case .refused(let error): .mismatch(error)
            }
    }
}

extension FlagStep {
    /// Why the step won, as a sentence without a full stop.
    ///
    /// - Parameter isHeld: Whether something is held, which need not have won.
    fileprivate func reason(in chain: FlagChain, _ policy: FlagUpdatePolicy, isHeld: Bool) -> String {
        let promise = policy == .live || isHeld ? "" : "; the next read fixes it \(policy.end)"
        return switch self {
        case .scope: "set for the current task, which wins over everything"
        case .hold: "fixed at its first read, \(policy.end)"
        case .computed: "the flag computes its value, which wins over every provider" + promise
        case .provider where chain.isLocal: "the first usable local value, since the mode is local" + promise
        case .provider: "the first usable value in the chain" + promise
        case .fallback where chain.isLocal: "no local provider has a usable value, and the mode is local" + promise
        case .fallback where chain.links.isEmpty: "the chain has no providers" + promise
        case .fallback: "no provider has a usable value" + promise
        }
    }
}

extension FlagUpdatePolicy {
    /// How long a flag is held, for messages.
    fileprivate var end: String {
        switch self {
        case .live: "not held"
        case .session: "until a new session begins"
        case .nextLaunch: "until the next launch"
        }
    }
}
