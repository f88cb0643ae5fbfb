public import TacklineCore

/// The result of evaluating a flag: a value, no opinion, or an error, with the reason.
///
/// Immutable and one reference in size: the evaluations that a flag can give are made when its document is read, and handed
/// out without being copied.
public struct FlagEvaluation: Sendable {
    /// The three ways in which an evaluation ends.
    public enum Outcome: Hashable, Sendable {
        /// The flag has this value here.
        case value(EncodedFlagValue)
        /// There is nothing wrong, and nothing to say: the next provider answers.
        case noOpinion
        /// The flag cannot be evaluated: the next provider answers, and somebody should be told.
        case error
    }

    private final class Storage: Sendable {
        let flagKey: String
        let outcome: Outcome
        let type: FlagValueType?
        let variant: String?
        let reason: FlagResolutionReason
        let errorCode: FlagResolutionErrorCode?
        let message: String?
        let metadata: [String: EncodedFlagValue]
        let fractional: FractionalGeneration?

        init(
            flagKey: String, outcome: Outcome, variant: String?, reason: FlagResolutionReason,
            errorCode: FlagResolutionErrorCode?, message: String?, metadata: [String: EncodedFlagValue],
            fractional: FractionalGeneration?
        ) {
            self.flagKey = flagKey
            self.outcome = outcome
            if case .value(let value) = outcome { type = FlagValueType(value) } else { type = nil }
            self.variant = variant
            self.reason = reason
            self.errorCode = errorCode
            self.message = message
            self.metadata = metadata
            self.fractional = fractional
        }
    }

    private let storage: Storage

    /// Makes an evaluation.
    public init(
        flagKey: String, outcome: Outcome, variant: String? = nil, reason: FlagResolutionReason,
        errorCode: FlagResolutionErrorCode? = nil, message: String? = nil, metadata: [String: EncodedFlagValue] = [:],
        fractional: FractionalGeneration? = nil
    ) {
        storage = Storage(
            flagKey: flagKey, outcome: outcome, variant: variant, reason: reason, errorCode: errorCode,
            message: message, metadata: metadata, fractional: fractional
        )
    }

    /// The key that was asked for.
    public var flagKey: String { storage.flagKey }
    /// How the evaluation ended.
    public var outcome: Outcome { storage.outcome }
    /// The name of the variant; `nil` where there is no value.
    public var variant: String? { storage.variant }
    /// Why the evaluation ended with this outcome.
    public var reason: FlagResolutionReason { storage.reason }
    /// The kind of error; `nil` where there is none. It is `FlagResolutionErrorCode.flagNotFound` for a key that the document
    /// does not have, although the outcome is then no opinion and not an error.
    public var errorCode: FlagResolutionErrorCode? { storage.errorCode }
    /// What is wrong and what to do about it; `nil` for nothing. With a message and no ``errorCode`` the flag was evaluated,
    /// but a split of the third generation was given null to bucket by.
    public var message: String? { storage.message }
    /// The generation of `fractional` that decided; `nil` where none did.
    public var fractional: FractionalGeneration? { storage.fractional }
    /// The flag's metadata over those of its document. Names are free; values are texts, numbers and booleans.
    public var metadata: [String: EncodedFlagValue] { storage.metadata }

    /// The value; `nil` for no opinion and for an error.
    public var value: EncodedFlagValue? {
        if case .value(let value) = storage.outcome { return value }
        return nil
    }

    /// The type of the value; `nil` where there is no value, or null.
    var type: FlagValueType? { storage.type }
}

extension FlagEvaluation: Hashable {
    /// Whether two evaluations are equal in everything.
    public static func == (left: FlagEvaluation, right: FlagEvaluation) -> Bool {
        left.storage === right.storage
            || left.flagKey == right.flagKey && left.outcome == right.outcome && left.variant == right.variant
                && left.reason == right.reason && left.errorCode == right.errorCode && left.message == right.message
                && left.metadata == right.metadata && left.fractional == right.fractional
    }

    /// Hashes key, outcome and reason, which tell most evaluations apart.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(flagKey)
        hasher.combine(outcome)
        hasher.combine(reason)
    }
}

extension FlagEvaluation {
    /// Variant, reason, metadata and error as a flag's resolution and explanation show them, with the generation of
    /// `fractional` as a note where a split decided.
    public var details: FlagResolutionDetails {
        FlagResolutionDetails(
            variant: variant, reason: reason, metadata: metadata, errorCode: errorCode, errorMessage: message,
            note: fractional.map { "fractional \($0.rawValue)" })
    }
}
