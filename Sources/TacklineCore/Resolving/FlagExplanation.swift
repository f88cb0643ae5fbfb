#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: `Date` says since when a value is held.

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

    /// A value that is held back from changing (``FlagUpdatePolicy``).
    public struct Hold: Sendable, Hashable {
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
    /// When the flag takes a new value.
    public var updatePolicy = FlagUpdatePolicy.live
    /// What is held; `nil` for a live flag, and for one that was not read yet.
    public var hold: Hold?
}

extension FlagExplanation: CustomStringConvertible {
    /// Some lines for people: the value, the reason, and each answer with the winner marked.
    public var description: String {
        var rows: [(name: String, text: String, isWinner: Bool)] = []
        if let scoped { rows.append(("scope", "\(scoped)", source == .scope)) }
        // What is held came from this source earlier; what the source says now is another matter.
        let isHeld = hold?.source == source
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
