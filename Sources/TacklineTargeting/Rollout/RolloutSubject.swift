import TacklineCore

/// What a rollout in code goes by: what stays the same for the same subject.
public struct RolloutSubject: Hashable, Sendable {
    private let attribute: String?

    /// The targeting key, as most rollouts do. A subject without one, or with the empty text, is not placed.
    public static let targetingKey = RolloutSubject(attribute: nil)

    /// An attribute of the context, by the name that `var` takes: `"email"`, or `"account.id"` inside an object. A subject
    /// without it, or whose attribute is null or the empty text, is not placed.
    public static func attribute(_ name: String) -> RolloutSubject { RolloutSubject(attribute: name) }

    /// The rule, in flagd's format, that splits by this.
    func rule(_ shares: [EncodedFlagValue]) -> EncodedFlagValue {
        guard attribute != nil else { return ["fractional": .array(shares)] }
        return rule(shares, salt: ["var": "$flagd.flagKey"])
    }

    /// The rule that splits by this and a text, whatever flag it stands in.
    func rule(_ shares: [EncodedFlagValue], salt: EncodedFlagValue) -> EncodedFlagValue {
        let name = EncodedFlagValue.string(attribute ?? "targetingKey")
        let key: EncodedFlagValue = ["cat": [salt, ["var": name]]]
        return ["if": [["!": [["missing": [name]]]], ["fractional": .array([key] + shares)]]]
    }

    /// A flag that this splits.
    func flag(
        _ key: String, variants: [String: EncodedFlagValue], defaultVariant: String?, shares: [EncodedFlagValue],
        fractional: FractionalGeneration
    ) -> FlagDefinition {
        FlagDefinition(
            key: key, variants: variants, defaultVariant: defaultVariant, rule: rule(shares), fractional: fractional)
    }
}

extension FlagDefinition {
    /// A flag that code makes, with a rule that needs nothing else of a document.
    convenience init(
        key: String, variants: [String: EncodedFlagValue], defaultVariant: String? = nil, rule: EncodedFlagValue,
        fractional: FractionalGeneration
    ) {
        let settings = RuleSettings(timestamp: { 0 }, fractional: fractional, limits: .default)
        // A rule that code makes always compiles, unless it has more variants than a rule may have values.
        let program = try? RuleCompiler.compile(rule, of: key, evaluators: [:], settings: settings)
        self.init(
            key: key, variants: variants, defaultVariant: defaultVariant, targeting: rule, program: program)
    }
}
