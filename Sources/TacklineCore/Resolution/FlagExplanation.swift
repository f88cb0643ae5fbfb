/// Why a flag has its value: every provider's answer, the winner, and the reason. Print it.
///
/// It is made by asking every provider once more, so it is for people and logs and not for hot paths.
public struct FlagExplanation: Sendable, Hashable {
    /// What one provider answered.
    public struct Answer: Sendable, Hashable {
        /// How a provider answered.
        public enum Outcome: Sendable, Hashable {
            /// It holds this value, and the flag's type takes it.
            case value(EncodedFlagValue)
            /// It has no opinion.
            case absent
            /// The flag does not ask it, or nobody does in the present mode (``FlagMode/local``).
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

    /// The flag.
    public var key: FlagKeyPath
    /// The flag's type, for people.
    public var valueType: String
    /// What the flag is for.
    public var metadata: FlagMetadata
    /// The value that a read gives.
    public var value: EncodedFlagValue
    /// Where that value comes from.
    public var source: FlagSource
    /// Why that is asked, as a sentence without a full stop.
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
}

extension FlagExplanation: CustomStringConvertible {
    /// Some lines for people: the value, the reason, and each answer with the winner marked.
    public var description: String {
        var rows: [(name: String, text: String, isWinner: Bool)] = []
        if let scoped { rows.append(("scope", "\(scoped)", source == .scope)) }
        if let computed { rows.append(("computed", "\(computed)", source == .computed)) }
        for answer in answers {
            rows.append((answer.provider, answer.text, source == .provider(answer.provider)))
        }
        rows.append(("default", "\(defaultValue)", source == .default))
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
