public import TacklineCore

/// Switches something on for a percentage of subjects, always the same ones.
///
/// ```swift
/// let rollout = PercentageRollout(10, of: "reservations", by: \.targetingKey)
/// rollout.includes(EvaluationContext(targetingKey: "user-42"))
/// ```
///
/// It places subjects exactly as flagd's `fractional` does in this definition of the flag, so moving it to a document later
/// moves nobody:
///
/// ```json
/// "reservations": {
///   "state": "ENABLED", "variants": { "on": true, "off": false }, "defaultVariant": "off",
///   "targeting": { "fractional": [["on", 10], ["off", 90]] }
/// }
/// ```
///
/// That form buckets by the flag's key and the targeting key together. A rollout by an attribute equals the form that begins
/// with `{"cat": [{"var": "$flagd.flagKey"}, {"var": "<attribute>"}]}`, for every subject that has the attribute as a text.
///
/// Raising the percentage only adds subjects, and lowering it only removes some. Two flags have different keys, so they
/// choose independently of each other.
public struct PercentageRollout: Sendable {
    /// How many of a hundred subjects are included, from 0 to 100.
    public let percentage: Int
    /// The key of the flag; it is part of what is bucketed by.
    public let flagKey: String

    private let subject: @Sendable (EvaluationContext) -> String?
    private let weights: FractionalSplit

    /// Makes a rollout.
    ///
    /// - Parameters:
    ///   - percentage: How many of a hundred subjects are included. Less than 0 means 0, more than 100 means 100. For finer
    ///     steps use ``WeightedVariants``.
    ///   - flagKey: The key of the flag.
    ///   - subject: What stays the same for the same subject. A subject without it, or with the empty text, is not included.
    ///   - bucketing: The arithmetic of `fractional`.
    public init(
        _ percentage: Int, of flagKey: String, by subject: @escaping @Sendable (EvaluationContext) -> String?,
        bucketing: any FractionalBucketing = .secondGeneration
    ) {
        let percentage = min(max(0, percentage), 100)
        self.percentage = percentage
        self.flagKey = flagKey
        self.subject = subject
        weights = FractionalSplit(weights: [percentage, 100 - percentage], bucketing: bucketing)
    }

    /// Whether the subject of a context is included. Safe from any thread, and without allocation.
    public func includes(_ context: EvaluationContext) -> Bool {
        weights.position(flagKey, subject(context)) == 0
    }

    /// The evaluation that the equal definition would give: the variants `on` and `off`, the reason `SPLIT`, and for a
    /// subject that cannot be placed the default variant `off` with the reason `DEFAULT`.
    public func evaluate(for context: EvaluationContext) -> FlagEvaluation {
        switch weights.position(flagKey, subject(context)) {
        case 0?: FlagEvaluation(flagKey: flagKey, outcome: .value(.bool(true)), variant: "on", reason: .split)
        case nil: FlagEvaluation(flagKey: flagKey, outcome: .value(.bool(false)), variant: "off", reason: .default)
        default: FlagEvaluation(flagKey: flagKey, outcome: .value(.bool(false)), variant: "off", reason: .split)
        }
    }

    /// The definition of the flag, in flagd's format, that equals a rollout by targeting key.
    public var definition: EncodedFlagValue {
        let shares: [EncodedFlagValue] = [
            .array([.string("on"), .integer(Int128(percentage))]),
            .array([.string("off"), .integer(Int128(100 - percentage))]),
        ]
        return .object([
            "state": .string("ENABLED"),
            "variants": .object(["on": .bool(true), "off": .bool(false)]),
            "defaultVariant": .string("off"),
            "targeting": .object(["fractional": .array(shares)]),
        ])
    }
}
