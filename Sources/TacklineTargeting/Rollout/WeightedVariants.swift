/// Gives each subject one of several values, always the same one, in proportion to weights.
///
/// ```swift
/// let theme = WeightedVariants(
///     of: "checkout_theme", by: \.targetingKey,
///     [.init("control", weight: 50, value: Theme.plain), .init("bold", weight: 50, value: Theme.bold)]
/// )
/// theme.value(for: context) ?? .plain
/// ```
///
/// It places subjects exactly as flagd's `fractional` does with `[["control", 50], ["bold", 50]]`, in this order, for a flag
/// of this key; by an attribute, as that which begins with `{"cat": [{"var": "$flagd.flagKey"}, {"var": "<attribute>"}]}`.
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

    private let subject: @Sendable (EvaluationContext) -> String?
    private let weights: FractionalSplit

    /// Makes weighted variants.
    ///
    /// - Parameters:
    ///   - flagKey: The key of the flag.
    ///   - subject: What stays the same for the same subject.
    ///   - variants: The values with their weights. Where these exceed 2,147,483,647, one alone or all together, nobody gets
    ///     a variant.
    ///   - bucketing: The arithmetic of `fractional`.
    public init(
        of flagKey: String, by subject: @escaping @Sendable (EvaluationContext) -> String?, _ variants: [Variant],
        bucketing: any FractionalBucketing = .secondGeneration
    ) {
        self.flagKey = flagKey
        self.subject = subject
        self.variants = variants
        weights = FractionalSplit(weights: variants.map(\.weight), bucketing: bucketing)
    }

    /// The variant of a context's subject; `nil` where it has no key, or an empty one, or no weight is above 0.
    public func variant(for context: EvaluationContext) -> Variant? {
        weights.position(flagKey, subject(context)).map { variants[$0] }
    }

    /// The value of a context's subject; `nil` where there is no variant for it.
    public func value(for context: EvaluationContext) -> Value? {
        variant(for: context)?.value
    }

    /// The name under which a simulation counts a context's subject.
    func name(for context: EvaluationContext) -> String { variant(for: context)?.name ?? RolloutSimulation.noOpinion }

    /// The part of all subjects that each variant gets, in order; together 1, or all 0 where nobody gets one.
    var expectedParts: [Double] { weights.ends.isEmpty ? variants.map { _ in 0 } : weights.parts }
}
