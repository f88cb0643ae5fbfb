import TacklineCore

/// The part of the context that identifies a subject for a rollout in code.
public struct RolloutSubject: Hashable, Sendable {
    private let attribute: String?

    /// The targeting key, which most rollouts use. A subject without one, or with the empty text, is not placed.
    public static let targetingKey = RolloutSubject(attribute: nil)

    /// Returns a subject that an attribute of the context identifies, by the name that `var` takes: `"email"`, or
    /// `"account.id"` inside an object. A subject without it, or whose attribute is null or the empty text, is not
    /// placed.
    public static func attribute(_ name: String) -> RolloutSubject { RolloutSubject(attribute: name) }

    /// Returns the rule, in flagd's format, that splits by this part of the context.
    func rule(_ shares: [EncodedFlagValue]) -> EncodedFlagValue {
        guard attribute != nil else { return ["fractional": .array(shares)] }
        return rule(shares, salt: ["var": "$flagd.flagKey"])
    }

    /// Returns the rule that splits by this part of the context and a text, and not by the key of the flag.
    func rule(_ shares: [EncodedFlagValue], salt: EncodedFlagValue) -> EncodedFlagValue {
        let name = EncodedFlagValue.string(attribute ?? "targetingKey")
        let key: EncodedFlagValue = ["cat": [salt, ["var": name]]]
        return ["if": [["!": [["missing": [name]]]], ["fractional": .array([key] + shares)]]]
    }

    /// Returns a flag that splits by this part of the context.
    func flag(
        _ key: String, variants: [String: EncodedFlagValue], defaultVariant: String?, shares: [EncodedFlagValue],
        fractional: FractionalGeneration
    ) -> FlagDefinition {
        FlagDefinition(
            key: key, variants: variants, defaultVariant: defaultVariant, rule: rule(shares), fractional: fractional)
    }
}

extension FlagDefinition {
    /// Creates a flag in code, with a rule that needs nothing else of a document.
    convenience init(
        key: String, variants: [String: EncodedFlagValue], defaultVariant: String? = nil, rule: EncodedFlagValue,
        fractional: FractionalGeneration
    ) {
        let settings = RuleSettings(timestamp: { 0 }, fractional: fractional, limits: .default)
        // A rule that code makes always compiles, unless it has more variants than a rule may have values.
        let compiled = try? RuleCompiler.compile(rule, of: key, evaluators: .none, settings: settings)
        self.init(key: key, variants: variants, defaultVariant: defaultVariant, rule: compiled)
    }
}
