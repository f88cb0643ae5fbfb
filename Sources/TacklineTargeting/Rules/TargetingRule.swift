package import TacklineCore

/// A rule in JsonLogic with flagd's operators, compiled once and evaluated as often as needed, without a document.
package struct TargetingRule: Sendable {
    private let rule: CompiledRule

    package init(
        _ rule: EncodedFlagValue, evaluators: [String: EncodedFlagValue] = [:], fractional: FractionalVersion = .v2
    ) throws(FlagDefinitionProblem) {
        let settings = RuleSettings(timestamp: { 0 }, fractional: fractional)
        self.rule = try RuleCompiler.compile(rule, evaluators: SharedRules(evaluators, settings: settings))
    }

    /// Evaluates the rule for the data in which `var` finds values, also the flag's key and the targeting key.
    package func evaluate(_ data: EncodedFlagValue) throws -> EncodedFlagValue {
        var context = EvaluationContext()
        if case .object(let members) = data { context.attributes = members }
        var rule = rule
        if case .object(let flagd)? = context.attributes["$flagd"], case .string(let key)? = flagd["flagKey"] {
            rule = CompiledRule(rule.root, of: key, settings: rule.settings, size: rule.size)
        }
        var evaluation = RuleEvaluation(rule: rule, context: context)
        evaluation.scope = (data, .none)
        return try evaluation.evaluate(rule.root)
    }
}
