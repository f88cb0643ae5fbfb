public import TacklineCore

/// What evaluating a flag gave: a value, no opinion, or an error; and why.
public struct FlagEvaluation: Hashable, Sendable {
    /// The three ways in which an evaluation ends.
    public enum Outcome: Hashable, Sendable {
        /// The flag has this value here.
        case value(EncodedFlagValue)
        /// There is nothing wrong, and nothing to say: the next provider answers.
        case noOpinion
        /// The flag cannot be evaluated: the next provider answers, and somebody should be told.
        case error
    }

    /// The key that was asked for.
    public var flagKey: String
    /// How the evaluation ended.
    public var outcome: Outcome
    /// The name of the value; `nil` where there is none.
    public var variant: String?
    /// Why it ended so.
    public var reason: EvaluationReason
    /// The kind of error. Also set, to ``EvaluationErrorCode/flagNotFound``, for a key that the document does not have, which
    /// is no opinion and not an error.
    public var errorCode: EvaluationErrorCode?
    /// What is wrong and what to do about it; `nil` unless there is an ``errorCode``.
    public var message: String?
    /// The flag's metadata over those of its document. Names are free; values are texts, numbers and booleans.
    public var metadata: [String: EncodedFlagValue]

    /// Makes an evaluation.
    public init(
        flagKey: String, outcome: Outcome, variant: String? = nil, reason: EvaluationReason,
        errorCode: EvaluationErrorCode? = nil, message: String? = nil, metadata: [String: EncodedFlagValue] = [:]
    ) {
        self.flagKey = flagKey
        self.outcome = outcome
        self.variant = variant
        self.reason = reason
        self.errorCode = errorCode
        self.message = message
        self.metadata = metadata
    }

    /// The value; `nil` for no opinion and for an error.
    public var value: EncodedFlagValue? {
        if case .value(let value) = outcome { return value }
        return nil
    }
}
