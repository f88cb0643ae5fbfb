public import TacklineCore

/// One flag of a document, compiled.
///
/// Immutable, and shared by every copy of its document.
public final class FlagDefinition: Sendable {
    /// The flag's key.
    public let key: String
    /// Whether the flag's state is `ENABLED`; a flag that is not has no opinion.
    public let isEnabled: Bool
    /// The values the flag can have, by the name of the variant.
    public let variants: [String: EncodedFlagValue]
    /// The variant for everyone whom the rule does not give one; `nil` leaves them to the next provider.
    public let defaultVariant: String?
    /// The rule as it stands in the document; `nil` where there is none, or an empty one.
    public let targeting: EncodedFlagValue?
    /// The flag's metadata over those of the document.
    public let metadata: [String: EncodedFlagValue]
    /// What is wrong with the flag, so that it answers with an error unless it is disabled; `nil` for a flag that works.
    public let error: TargetingError?
    /// The type of the default variant, or else the one that all variants have; `nil` where they have several.
    public let valueType: FlagValueType?

    /// Where it stands in its document.
    package let path: [String]
    /// What it needs of other flags, without which it gives its default variant.
    let prerequisites: [Prerequisite]
    let program: RuleProgram?
    /// The rules of the document that `$ref` names; shared by all its flags.
    let evaluators: [String: EncodedFlagValue]
    let answers: FlagAnswers
    /// What the flag answers whoever asks, because it is wrong or disabled.
    let unavailability: FlagEvaluation?

    init(
        key: String, isEnabled: Bool = true, variants: [String: EncodedFlagValue] = [:], defaultVariant: String? = nil,
        targeting: EncodedFlagValue? = nil, metadata: [String: EncodedFlagValue] = [:], error: TargetingError? = nil,
        path: [String] = [], prerequisites: [Prerequisite] = [], program: RuleProgram? = nil,
        evaluators: [String: EncodedFlagValue] = [:]
    ) {
        self.key = key
        self.isEnabled = isEnabled
        self.variants = variants
        self.defaultVariant = defaultVariant
        self.targeting = targeting
        self.metadata = metadata
        self.error = error
        self.path = path
        self.prerequisites = prerequisites
        self.program = program
        self.evaluators = evaluators
        let type = Self.type(of: variants, defaultVariant: defaultVariant)
        valueType = type
        answers = FlagAnswers(
            key: key, variants: variants, defaultVariant: defaultVariant, type: type, metadata: metadata,
            program: program
        )
        unavailability =
            if !isEnabled {
                FlagEvaluation(flagKey: key, outcome: .noOpinion, reason: .disabled, metadata: metadata)
            } else if let error {
                .failure(error.code, error.description, of: key, metadata: metadata)
            } else {
                nil
            }
    }

    private static func type(of variants: [String: EncodedFlagValue], defaultVariant: String?) -> FlagValueType? {
        if let value = defaultVariant.flatMap({ variants[$0] }) { return FlagValueType(value) }
        let types = Set(variants.values.map { FlagValueType($0) })
        return types.count == 1 ? types.first ?? nil : nil
    }
}
