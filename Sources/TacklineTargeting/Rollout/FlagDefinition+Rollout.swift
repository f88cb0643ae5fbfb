import TacklineCore

/// Makes the rules of rollouts in code.
extension FlagDefinition {
    /// Returns the rule, in flagd's format, that splits by an attribute of the context.
    ///
    /// - Parameters:
    ///   - attribute: The name of the attribute as `var` takes it; `nil` for the targeting key.
    ///   - salt: The text to bucket by besides; `nil` for the key of the flag.
    static func rule(
        _ shares: [EncodedFlagValue], by attribute: String?, salt: EncodedFlagValue? = nil
    ) -> EncodedFlagValue {
        if attribute == nil, salt == nil { return ["fractional": .array(shares)] }
        let name = EncodedFlagValue.string(attribute ?? "targetingKey")
        let key: EncodedFlagValue = ["cat": [salt ?? ["var": "$flagd.flagKey"], ["var": name]]]
        return ["if": [["!": [["missing": [name]]]], ["fractional": .array([key] + shares)]]]
    }

    /// Creates a flag in code, with a rule that needs nothing else of a document.
    convenience init(
        key: String, variants: [String: EncodedFlagValue], defaultVariant: String? = nil, rule: EncodedFlagValue,
        fractional: FractionalVersion
    ) {
        let settings = RuleSettings(timestamp: { 0 }, fractional: fractional)
        // A rule that code makes always compiles, unless it has more variants than a rule may have values.
        let compiled = try? RuleCompiler.compile(rule, of: key, evaluators: SharedRules(settings: settings))
        self.init(key: key, variants: variants, defaultVariant: defaultVariant, rule: compiled)
    }

    func evaluate(for context: EvaluationContext) -> FlagEvaluation { FlagEvaluator().evaluate(self, for: context) }
}
