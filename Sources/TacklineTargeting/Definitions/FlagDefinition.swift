public import TacklineCore

/// One flag of a document, compiled.
///
/// Immutable, and shared by every copy of its document.
public final class FlagDefinition: Sendable {
    /// The flag's key.
    public let key: String
    /// Whether the flag's state is `ENABLED`; a disabled flag has no opinion.
    public let isEnabled: Bool
    /// The values that the flag can have, by the names of the variants.
    public var variants: [String: EncodedFlagValue] { faultyVariants ?? answers.values }
    /// The variant for subjects to whom the rule gives none; `nil` leaves them to the next provider.
    public let defaultVariant: String?
    /// The rule as it stands in the document; `nil` if there is none or it is empty.
    ///
    /// - Complexity: O(*n*) in the size of the rule, at each access.
    public var targeting: EncodedFlagValue? { rule?.root.json }
    /// The flag's metadata merged over those of the document.
    public var metadata: [String: EncodedFlagValue] { layers.all }
    /// The error that the flag gives unless it is disabled; `nil` for a flag that works.
    public let error: TargetingError?
    /// The type of the default variant, or else the one that all variants have; `nil` if they have several.
    public let valueType: FlagValueType?

    /// The variants of a flag with an error, which has no answers.
    private let faultyVariants: [String: EncodedFlagValue]?
    /// The flag's position in a list of flags; `nil` in an object by key.
    private let position: Int?
    /// The variants of other flags that the flag requires. If one is not given, the flag gives its default variant.
    let prerequisites: [Prerequisite]
    let rule: CompiledRule?
    /// The rules of the document that `$ref` names; shared by all its flags.
    let evaluators: SharedRules
    let answers: FlagAnswers
    /// The metadata, not merged.
    let layers: LayeredMetadata
    /// Whether the flag is enabled and has no error.
    let isAvailable: Bool

    init(
        key: String, isEnabled: Bool = true, variants: [String: EncodedFlagValue] = [:], defaultVariant: String? = nil,
        metadata: LayeredMetadata = LayeredMetadata(), error: TargetingError? = nil, position: Int? = nil,
        prerequisites: [Prerequisite] = [], rule: CompiledRule? = nil, evaluators: SharedRules = .none
    ) {
        self.key = key
        self.isEnabled = isEnabled
        faultyVariants = error == nil ? nil : variants
        self.defaultVariant = defaultVariant
        layers = metadata
        self.error = error
        self.position = position
        self.prerequisites = prerequisites
        self.rule = rule
        self.evaluators = evaluators
        let type = Self.type(of: variants, defaultVariant: defaultVariant)
        valueType = type
        answers =
            error != nil
            ? .none
            : FlagAnswers(
                key: key, variants: variants, defaultVariant: defaultVariant, type: type, metadata: metadata,
                fractional: rule?.settings.fractional
            )
        isAvailable = isEnabled && error == nil
    }

    /// The flag's place in its document.
    package var path: [String] { ["flags", position.map(String.init) ?? key] }

    /// The place of the flag's rule in its document.
    var rulePath: [String] { path + ["targeting"] }

    /// The evaluation of a flag that has an error or is disabled, for every context; `nil` for any other flag. It is
    /// made at each access, since a document may have any number of such flags.
    var unavailability: EvaluatedFlag? {
        if isAvailable { return nil }
        guard isEnabled, let error else {
            return EvaluatedFlag(flagKey: key, reason: .disabled, metadata: layers)
        }
        return .failure(error.code, error.description, of: key, metadata: layers)
    }

    /// Returns whether the flag has a variant.
    func has(_ variant: String) -> Bool {
        guard let faultyVariants else { return answers.has(variant) }
        return variant.utf8.count <= VariablePath.nameLimit && faultyVariants[variant] != nil
    }

    /// Returns the first twenty names of variants in quotation marks, as messages list them.
    static func list(_ names: ArraySlice<String>) -> String {
        names.prefix(20).map(\.quoted).joined(separator: ", ") + (names.count > 20 ? ", …" : "")
    }

    private static func type(of variants: [String: EncodedFlagValue], defaultVariant: String?) -> FlagValueType? {
        if let defaultVariant, defaultVariant.utf8.count <= VariablePath.nameLimit, let value = variants[defaultVariant]
        {
            return FlagValueType(value)
        }
        let types = Set(variants.values.map { FlagValueType($0) })
        return types.count == 1 ? types.first ?? nil : nil
    }
}
