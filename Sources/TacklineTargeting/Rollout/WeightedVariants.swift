public import TacklineCore

/// A choice of one of several values for each subject, always the same one, in proportion to weights.
///
/// ```swift
/// let theme = WeightedVariants(
///     of: "checkout_theme",
///     [.init("control", weight: 50, value: Theme.plain), .init("bold", weight: 50, value: Theme.bold)]
/// )
/// theme.value(for: context) ?? .plain
/// ```
///
/// It places subjects exactly as flagd's `fractional` does with `[["control", 50], ["bold", 50]]`, in this order, for a
/// flag with this key.
///
/// Only the first variant can grow without moving subjects out of it, so put the variant that is being rolled out
/// first.
public struct WeightedVariants<Value: Sendable>: Sendable {
    /// One of the values.
    public struct Variant: Sendable {
        /// The variant's name.
        public var name: String
        /// The variant's share, relative to the other weights. A negative one counts as 0.
        public var weight: Int
        /// The value for its subjects.
        public var value: Value

        /// Makes a variant.
        public init(_ name: String, weight: Int, value: Value) {
            self.name = name
            self.weight = weight
            self.value = value
        }
    }

    /// The key of the flag, which is part of the key that the split buckets by.
    public let flagKey: String
    /// The values in order.
    public let variants: [Variant]
    private let attribute: String?
    /// A flag whose values are positions in ``variants``, since several may have one name.
    let flag: FlagDefinition

    /// Makes weighted variants.
    ///
    /// - Parameters:
    ///   - flagKey: The key of the flag.
    ///   - attribute: The attribute of the context that identifies a subject, as for ``PercentageRollout``; `nil` for the
    ///     targeting key.
    ///   - variants: The values with their weights. If a weight or the sum of all exceeds 2,147,483,647, no subject
    ///     gets a variant.
    ///   - fractional: The generation of `fractional`. Everyone who reads the definition later must use the same one.
    public init(
        of flagKey: String, by attribute: String? = nil, _ variants: [Variant], fractional: FractionalVersion = .v2
    ) {
        self.flagKey = flagKey
        self.variants = variants
        self.attribute = attribute
        let positions = variants.indices.map { (String($0), EncodedFlagValue.integer(Int128($0))) }
        let shares = zip(positions, variants).map {
            EncodedFlagValue.array([.string($0.0), .integer(Int128($1.weight))])
        }
        flag = FlagDefinition(
            key: flagKey, variants: Dictionary(uniqueKeysWithValues: positions),
            rule: FlagDefinition.rule(shares, by: attribute), fractional: fractional)
    }

    /// Returns the variant of a context's subject; `nil` if it has no key or an empty one, if no weight is above 0, or
    /// if the weights are too large.
    public func variant(for context: EvaluationContext) -> Variant? {
        guard case .integer(let position)? = flag.evaluate(for: context).value else { return nil }
        return variants[Int(position)]
    }

    /// Returns the value of a context's subject; `nil` if there is no variant for it.
    public func value(for context: EvaluationContext) -> Value? {
        variant(for: context)?.value
    }
}

extension WeightedVariants where Value: FlagValue {
    /// Returns the evaluation that the equal definition would give, for example for an ``ExposureRecorder``: the
    /// variant with the reason `SPLIT`, and no opinion with the reason `DEFAULT` for a subject that has no variant.
    public func evaluate(for context: EvaluationContext) -> FlagEvaluation {
        var evaluation = flag.evaluate(for: context)
        guard case .integer(let position)? = evaluation.value else { return evaluation }
        let variant = variants[Int(position)]
        do throws(FlagValueError) {
            evaluation.value = try variant.value.encoded
            evaluation.variant = variant.name
            return evaluation
        } catch {
            return FlagEvaluation(
                value: nil, reason: .error, errorCode: .general,
                errorMessage: "Flag \(flagKey.quoted): the variant \(variant.name.quoted) can't be encoded: \(error).")
        }
    }

    /// Returns the definition of the flag, in flagd's format, that equals these variants. It has no default variant, so
    /// the next provider answers for subjects that have no variant.
    ///
    /// If several variants have one name, the definition has the value of the first.
    ///
    /// - Throws: `FlagValueError` if a value has no neutral form.
    public func definition() throws(FlagValueError) -> EncodedFlagValue {
        var values: [String: EncodedFlagValue] = [:]
        for variant in variants where values[variant.name] == nil { values[variant.name] = try variant.value.encoded }
        return .object([
            "state": .string("ENABLED"),
            "variants": .object(values),
            "targeting": FlagDefinition.rule(
                variants.map { .array([.string($0.name), .integer(Int128(max(0, $0.weight)))]) }, by: attribute),
        ])
    }
}
