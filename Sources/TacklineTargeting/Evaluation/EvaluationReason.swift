/// Why an evaluation gave what it gave, in the words of OpenFeature.
///
/// An open set: other evaluators may use reasons of their own.
public struct EvaluationReason: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    /// The reason as OpenFeature writes it, in capitals.
    public var rawValue: String

    /// Makes a reason.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The flag has no rule, so everybody gets its default variant.
    public static let `static` = EvaluationReason(rawValue: "STATIC")
    /// The rule had nothing to say, or there is no default variant.
    public static let `default` = EvaluationReason(rawValue: "DEFAULT")
    /// The rule named the variant.
    public static let targetingMatch = EvaluationReason(rawValue: "TARGETING_MATCH")
    /// A random but stable assignment decided.
    public static let split = EvaluationReason(rawValue: "SPLIT")
    /// The flag is switched off in its definition.
    public static let disabled = EvaluationReason(rawValue: "DISABLED")
    /// The evaluation failed.
    public static let error = EvaluationReason(rawValue: "ERROR")

    /// The reason itself.
    public var description: String { rawValue }
}
