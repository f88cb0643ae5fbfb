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
    private let subject: RolloutSubject
    private let fractional: FractionalGeneration
    /// A flag whose values are positions in ``variants``, since several may have one name.
    let flag: FlagDefinition

    /// Makes weighted variants.
    ///
    /// - Parameters:
    ///   - flagKey: The key of the flag.
    ///   - subject: The part of the context that identifies a subject.
    ///   - variants: The values with their weights. If a weight or the sum of all exceeds 2,147,483,647, no subject
    ///     gets a variant.
    ///   - fractional: The generation of `fractional`. Everyone who reads the definition later must use the same one.
    public init(
        of flagKey: String, by subject: RolloutSubject = .targetingKey, _ variants: [Variant],
        fractional: FractionalGeneration = .v2
    ) {
        self.flagKey = flagKey
        self.variants = variants
        self.subject = subject
        self.fractional = fractional
        let positions = variants.indices.map { (String($0), EncodedFlagValue.integer(Int128($0))) }
        flag = subject.flag(
            flagKey, variants: Dictionary(uniqueKeysWithValues: positions), defaultVariant: nil,
            shares: zip(positions, variants).map { .array([.string($0.0), .integer(Int128($1.weight))]) },
            fractional: fractional)
    }

    /// Returns the variant of a context's subject; `nil` if it has no key or an empty one, if no weight is above 0, or
    /// if the weights are too large.
    public func variant(for context: EvaluationContext) -> Variant? {
        guard case .integer(let position)? = flag.evaluated(for: context).value else { return nil }
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
        guard let variant = variant(for: context) else {
            return FlagEvaluation(value: nil, reason: .default)
        }
        do throws(FlagValueError) {
            return FlagEvaluation(
                EvaluatedFlag(
                    flagKey: flagKey, value: try variant.value.encoded, variant: variant.name, reason: .split,
                    fractional: fractional))
        } catch {
            return FlagEvaluation(
                .failure(
                    .general, "the variant \"\(variant.name)\" can't be encoded: \(error)", of: flagKey,
                    metadata: LayeredMetadata()))
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
            "targeting": subject.rule(
                variants.map { .array([.string($0.name), .integer(Int128(max(0, $0.weight)))]) }),
        ])
    }
}
