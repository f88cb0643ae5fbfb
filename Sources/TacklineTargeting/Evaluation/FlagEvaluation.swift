public import TacklineCore

/// The result of evaluating a flag: a value, no opinion, or an error, with the reason.
///
/// It is immutable and small: the value is an index into the variants of the flag, so evaluating allocates nothing.
public struct FlagEvaluation: Sendable {
    /// The three ways in which an evaluation ends.
    public enum Outcome: Hashable, Sendable {
        /// The flag has this value.
        case value(EncodedFlagValue)
        /// The evaluation succeeded and gives no value: the next provider answers.
        case noOpinion
        /// The flag cannot be evaluated: the next provider answers, and the error should be reported.
        case error
    }

    /// The parts that all evaluations of a flag share, or an evaluation that was made by itself.
    final class Source: Sendable {
        /// An evaluation that is not one of the flag's prepared ones.
        final class Single: Sendable {
            let outcome: Outcome
            let variant: String?
            let reason: FlagResolutionReason
            let errorCode: FlagResolutionErrorCode?
            let message: String?

            init(
                outcome: Outcome, variant: String?, reason: FlagResolutionReason, errorCode: FlagResolutionErrorCode?,
                message: String?
            ) {
                self.outcome = outcome
                self.variant = variant
                self.reason = reason
                self.errorCode = errorCode
                self.message = message
            }
        }

        let flagKey: String
        let metadata: LayeredMetadata
        let fractional: FractionalGeneration?
        /// The variants, in order.
        let names: [String]
        let values: [EncodedFlagValue]
        let single: Single?

        init(
            flagKey: String, metadata: LayeredMetadata, fractional: FractionalGeneration?, names: [String] = [],
            values: [EncodedFlagValue] = [], single: Single? = nil
        ) {
            self.flagKey = flagKey
            self.metadata = metadata
            self.fractional = fractional
            self.names = names
            self.values = values
            self.single = single
        }
    }

    /// The reason why a flag has one of its variants.
    enum Cause: UInt8, Sendable {
        case `static`
        case `default`
        case match
        case split
    }

    private let source: Source
    /// The variant's index among the source's, unless it is a single evaluation.
    private let position: Int32
    private let cause: Cause

    /// Creates the evaluation that gives one of a flag's variants.
    init(_ source: Source, position: Int, cause: Cause) {
        self.source = source
        self.position = Int32(position)
        self.cause = cause
    }

    /// Makes an evaluation.
    public init(
        flagKey: String, outcome: Outcome, variant: String? = nil, reason: FlagResolutionReason,
        errorCode: FlagResolutionErrorCode? = nil, message: String? = nil, metadata: [String: EncodedFlagValue] = [:],
        fractional: FractionalGeneration? = nil
    ) {
        self.init(
            flagKey: flagKey, outcome: outcome, variant: variant, reason: reason, errorCode: errorCode,
            message: message, layers: LayeredMetadata(own: metadata), fractional: fractional)
    }

    init(
        flagKey: String, outcome: Outcome, variant: String? = nil, reason: FlagResolutionReason,
        errorCode: FlagResolutionErrorCode? = nil, message: String? = nil, layers: LayeredMetadata,
        fractional: FractionalGeneration? = nil
    ) {
        source = Source(
            flagKey: flagKey, metadata: layers, fractional: fractional,
            single: Source.Single(
                outcome: outcome, variant: variant, reason: reason, errorCode: errorCode, message: message))
        position = 0
        cause = .static
    }

    /// The key that was asked for.
    public var flagKey: String { source.flagKey }
    /// The outcome of the evaluation.
    public var outcome: Outcome { source.single?.outcome ?? .value(source.values[Int(position)]) }
    /// The name of the variant; `nil` if there is no value.
    public var variant: String? {
        if let single = source.single { single.variant } else { source.names[Int(position)] }
    }
    /// The reason for the outcome.
    public var reason: FlagResolutionReason {
        if let single = source.single { return single.reason }
        return switch cause {
        case .static: .static
        case .default: .default
        case .match: .targetingMatch
        case .split: .split
        }
    }
    /// The kind of error; `nil` if there is none. It is `FlagResolutionErrorCode.flagNotFound` for a key that the
    /// document does not have, although the outcome is then no opinion and not an error.
    public var errorCode: FlagResolutionErrorCode? { source.single?.errorCode }
    /// A description of the mistake and of its remedy; `nil` if there is none. With a message and no ``errorCode`` the
    /// flag was evaluated, but a split of the third generation was given null to bucket by.
    public var message: String? { source.single?.message }
    /// The generation of `fractional` that decided; `nil` if none did.
    public var fractional: FractionalGeneration? {
        source.single != nil || cause == .split ? source.fractional : nil
    }
    /// The flag's metadata merged over those of its document. Names are free; values are texts, numbers and booleans.
    public var metadata: [String: EncodedFlagValue] { source.metadata.all }

    /// The metadata, not merged.
    var layers: LayeredMetadata { source.metadata }

    /// The value; `nil` for no opinion and for an error.
    public var value: EncodedFlagValue? {
        guard let single = source.single else { return source.values[Int(position)] }
        if case .value(let value) = single.outcome { return value }
        return nil
    }

    /// The type of the value; `nil` for no value and for null.
    var type: FlagValueType? { value.flatMap { FlagValueType($0) } }
}

extension FlagEvaluation: Hashable {
    /// Returns whether two evaluations are equal in everything.
    public static func == (left: FlagEvaluation, right: FlagEvaluation) -> Bool {
        left.source === right.source && left.position == right.position && left.cause == right.cause
            || left.flagKey == right.flagKey && left.outcome == right.outcome && left.variant == right.variant
                && left.reason == right.reason && left.errorCode == right.errorCode && left.message == right.message
                && left.layers == right.layers && left.fractional == right.fractional
    }

    /// Hashes the key, the outcome and the reason, which differ for most evaluations.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(flagKey)
        hasher.combine(outcome)
        hasher.combine(reason)
    }
}

extension FlagEvaluation {
    /// The variant, reason, metadata and error as a flag's resolution and explanation show them, with the generation of
    /// `fractional` as a note if a split decided.
    public var details: FlagResolutionDetails {
        FlagResolutionDetails(
            variant: variant, reason: reason, metadata: metadata, errorCode: errorCode, errorMessage: message,
            note: fractional.map { "fractional \($0.rawValue)" })
    }
}
