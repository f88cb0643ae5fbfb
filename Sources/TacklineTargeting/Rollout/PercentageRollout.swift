public import TacklineCore

/// A rollout to a percentage of subjects, always the same ones.
///
/// ```swift
/// let rollout = PercentageRollout(12.5, of: "reservations")
/// rollout.includes(EvaluationContext(targetingKey: "user-42"))
/// ```
///
/// It is the definition of a flag in flagd's format, evaluated in the app. Moving it to a document later therefore
/// moves no subject:
///
/// ```json
/// "reservations": {
///   "state": "ENABLED", "variants": { "on": true, "off": false }, "defaultVariant": "off",
///   "targeting": { "fractional": [["on", 125], ["off", 875]] }
/// }
/// ```
///
/// Raising the percentage only adds subjects, and lowering it only removes some. Two flags have different keys, so they
/// choose independently of each other.
public struct PercentageRollout: Sendable {
    /// The percentage of subjects that are included, from 0 to 100.
    public let percentage: Double
    /// The flag as it stands in a document. Its key is part of the key that the split buckets by.
    let flag: FlagDefinition

    /// Makes a rollout.
    ///
    /// - Parameters:
    ///   - percentage: The percentage of subjects that are included, exact to a hundred-thousandth of a percent. Less
    ///     than 0 means 0, more than 100 means 100.
    ///   - flagKey: The key of the flag.
    ///   - attribute: The attribute of the context that identifies a subject, by the name that `var` takes: `"email"`,
    ///     or `"account.id"` inside an object; `nil` for the targeting key. A subject without it, or for whom it is null
    ///     or the empty text, is not included.
    ///   - fractional: The generation of `fractional`. Everyone who reads the definition later must use the same one.
    public init(
        _ percentage: Double, of flagKey: String, by attribute: String? = nil, fractional: FractionalVersion = .v2
    ) {
        let percentage = percentage > 0 ? min(percentage, 100) : 0
        self.percentage = percentage
        let (weight, total) = Self.weights(percentage)
        let shares: [EncodedFlagValue] = [["on", .integer(weight)], ["off", .integer(total - weight)]]
        flag = FlagDefinition(
            key: flagKey, variants: ["on": true, "off": false], defaultVariant: "off",
            rule: FlagDefinition.rule(shares, by: attribute), fractional: fractional)
    }

    /// Returns the percentage as whole weights: 10 of 100, and 125 of 1,000 for 12.5. The scale moves no subject.
    private static func weights(_ percentage: Double) -> (Int128, total: Int128) {
        var scale = 1.0
        while scale < 100_000, (percentage * scale).rounded() / scale != percentage { scale *= 10 }
        return (Int128((percentage * scale).rounded()), Int128(100 * scale))
    }

    /// The key of the flag.
    public var flagKey: String { flag.key }

    /// Returns whether the subject of a context is included. Any thread may call it.
    public func includes(_ context: EvaluationContext) -> Bool { flag.evaluate(for: context).variant == "on" }

    /// Evaluates the definition. The variants are `on` and `off` with the reason `SPLIT`; a subject that cannot be
    /// placed gets the default variant `off` with the reason `DEFAULT`.
    public func evaluate(for context: EvaluationContext) -> FlagEvaluation { flag.evaluate(for: context) }

    /// The definition of the flag in flagd's format. A document with it answers as this rollout does, if it is read
    /// with the same generation of `fractional`.
    public var definition: EncodedFlagValue {
        .object([
            "state": .string("ENABLED"),
            "variants": .object(flag.variants),
            "defaultVariant": .string("off"),
            "targeting": flag.targeting ?? .object([:]),
        ])
    }
}
