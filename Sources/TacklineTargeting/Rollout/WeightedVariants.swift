public import TacklineCore

/// Gives each subject one of several values, always the same one, in proportion to weights.
///
/// ```swift
/// let theme = WeightedVariants(
///     of: "checkout_theme",
///     [.init("control", weight: 50, value: Theme.plain), .init("bold", weight: 50, value: Theme.bold)]
/// )
/// theme.value(for: context) ?? .plain
/// ```
///
/// It places subjects exactly as flagd's `fractional` does with `[["control", 50], ["bold", 50]]`, in this order, for a flag
/// of this key.
///
/// Only the variant that stands first can grow without moving anyone out of it: put the one that is being rolled out first.
public struct WeightedVariants<Value: Sendable>: Sendable {
    /// One of the values.
    public struct Variant: Sendable {
        /// Its name.
        public var name: String
        /// Its share, relative to the other weights. A negative one counts as 0.
        public var weight: Int
        /// What its subjects get.
        public var value: Value

        /// Makes a variant.
        public init(_ name: String, weight: Int, value: Value) {
            self.name = name
            self.weight = weight
            self.value = value
        }
    }

    /// The key of the flag; it is part of what is bucketed by.
    public let flagKey: String
    /// The values in order.
    public let variants: [Variant]
    private let subject: RolloutSubject
    private let fractional: FractionalGeneration
    /// A flag whose values are positions in ``variants``, since several may have one name.
    private let flag: FlagDefinition

    /// Makes weighted variants.
    ///
    /// - Parameters:
    ///   - flagKey: The key of the flag.
    ///   - subject: What stays the same for the same subject.
    ///   - variants: The values with their weights. Where these exceed 2,147,483,647, one alone or all together, nobody gets
    ///     a variant.
    ///   - fractional: The generation of `fractional`. It has to be that of whoever reads the definition later.
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

    /// The variant of a context's subject; `nil` where it has no key, or an empty one, or no weight is above 0, or the weights
    /// are too large.
    public func variant(for context: EvaluationContext) -> Variant? {
        guard case .integer(let position)? = flag.evaluate(for: context).value else { return nil }
        return variants[Int(position)]
    }

    /// The value of a context's subject; `nil` where there is no variant for it.
    public func value(for context: EvaluationContext) -> Value? {
        variant(for: context)?.value
    }

    /// The name under which a simulation counts a context's subject.
    func name(for context: EvaluationContext) -> String { variant(for: context)?.name ?? RolloutSimulation.noOpinion }

    /// The names under which a simulation expects it, each with its probability.
    func expectedNames(for context: EvaluationContext) -> [(String, Double)] {
        flag.expectedVariants(for: context).map { (Int($0).map { variants[$0].name } ?? $0, $1) }
    }
}

extension WeightedVariants where Value: FlagValue {
    /// The evaluation that the equal definition would give, for an ``ExposureRecorder`` for example: the variant with the
    /// reason `SPLIT`, and no opinion with the reason `DEFAULT` for a subject that has no variant.
    public func evaluate(for context: EvaluationContext) -> FlagEvaluation {
        guard let variant = variant(for: context) else {
            return FlagEvaluation(flagKey: flagKey, outcome: .noOpinion, reason: .default)
        }
        do throws(FlagValueError) {
            return FlagEvaluation(
                flagKey: flagKey, outcome: .value(try variant.value.encoded), variant: variant.name, reason: .split,
                fractional: fractional)
        } catch {
            return .failure(
                .general, "the variant \"\(variant.name)\" has no neutral form: \(error)", of: flagKey, metadata: [:])
        }
    }

    /// Returns the definition of the flag, in flagd's format, that equals these variants. It has no default variant, so who
    /// has none is left to the next provider.
    ///
    /// Of several variants with one name the definition has the value of the first.
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
