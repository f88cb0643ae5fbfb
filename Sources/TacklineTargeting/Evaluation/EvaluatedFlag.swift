import TacklineCore

/// The result of evaluating a definition, in the small form that this module passes around: the value is an index into
/// the variants of the flag, so evaluating allocates nothing. What is public is a `FlagEvaluation`.
struct EvaluatedFlag: Sendable {
    /// The parts that all evaluations of a flag share, or an evaluation that was made by itself.
    final class Source: Sendable {
        /// An evaluation that is not one of the flag's prepared ones.
        // A class, so that finding out whether there is one copies nothing.
        final class Single: Sendable {
            let evaluation: FlagEvaluation

            init(_ evaluation: FlagEvaluation) { self.evaluation = evaluation }
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

    /// Creates an evaluation that is not one of a flag's prepared ones.
    init(
        flagKey: String, value: EncodedFlagValue? = nil, variant: String? = nil, reason: FlagEvaluation.Reason,
        errorCode: FlagEvaluation.ErrorCode? = nil, message: String? = nil,
        metadata: LayeredMetadata = LayeredMetadata(), fractional: FractionalGeneration? = nil
    ) {
        source = Source(
            flagKey: flagKey, metadata: metadata, fractional: fractional,
            single: Source.Single(
                FlagEvaluation(
                    value: value, variant: variant, reason: reason, errorCode: errorCode, errorMessage: message)))
        position = 0
        cause = .static
    }

    /// The key that was asked for.
    var flagKey: String { source.flagKey }
    /// The value; `nil` for no opinion and for an error.
    var value: EncodedFlagValue? {
        if let single = source.single { single.evaluation.value } else { source.values[Int(position)] }
    }
    /// The name of the variant; `nil` if there is no value.
    var variant: String? {
        if let single = source.single { single.evaluation.variant } else { source.names[Int(position)] }
    }
    /// The reason for the value, or for its absence.
    var reason: FlagEvaluation.Reason {
        if let single = source.single { return single.evaluation.reason ?? .default }
        return switch cause {
        case .static: .static
        case .default: .default
        case .match: .targetingMatch
        case .split: .split
        }
    }
    /// The kind of error; `nil` if there is none.
    var errorCode: FlagEvaluation.ErrorCode? { source.single?.evaluation.errorCode }
    /// A description of the mistake and of its remedy; `nil` if there is none. With a message and no ``errorCode`` the
    /// flag was evaluated, but a split of the third generation was given null to bucket by.
    var message: String? { source.single?.evaluation.errorMessage }
    /// Whether the evaluation is to be reported.
    var needsReport: Bool { errorCode != nil || message != nil }
    /// The generation of `fractional` that decided; `nil` if none did.
    var fractional: FractionalGeneration? { source.single != nil || cause == .split ? source.fractional : nil }
    /// The flag's metadata over those of its document.
    var metadata: LayeredMetadata { source.metadata }
    /// The type of the value; `nil` for no value and for null.
    var type: FlagValueType? { value.flatMap { FlagValueType($0) } }
}

extension FlagEvaluation {
    /// Creates the public form, with the generation of `fractional` as a note if a split decided.
    init(_ flag: EvaluatedFlag) {
        self.init(
            value: flag.value, variant: flag.variant, reason: flag.reason, metadata: flag.metadata.all,
            errorCode: flag.errorCode, errorMessage: flag.message)
        note = flag.fractional.map { $0 == .v2 ? "fractional v2" : "fractional v3" }
    }
}
