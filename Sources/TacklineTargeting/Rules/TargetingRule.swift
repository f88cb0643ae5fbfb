package import TacklineCore

/// A rule in JsonLogic with flagd's operators, compiled once and evaluated as often as needed, without a document.
package struct TargetingRule: Sendable {
    private let rule: CompiledRule

    /// Compiles a rule. A value that is no operation is a rule that gives this value.
    ///
    /// - Parameter evaluators: The rules that `{"$ref": "name"}` stands for, by name.
    package init(
        _ rule: EncodedFlagValue, evaluators: [String: EncodedFlagValue] = [:], fractional: FractionalVersion = .v2
    ) throws(FlagDefinitionProblem) {
        let settings = RuleSettings(timestamp: { 0 }, fractional: fractional)
        self.rule = try RuleCompiler.compile(rule, evaluators: SharedRules(evaluators), settings: settings)
    }

    /// Evaluates the rule.
    ///
    /// Numbers are doubles, as in JavaScript; a whole result that a double holds exactly is an integer. `fractional`
    /// takes the flag's key and the targeting key from `$flagd.flagKey` and `targetingKey` of the data.
    ///
    /// - Parameter data: The data in which `var` finds values.
    /// - Throws: A `RuleFailure` if a limit was reached.
    package func evaluate(_ data: EncodedFlagValue) throws -> EncodedFlagValue {
        var context = EvaluationContext()
        if case .object(let members) = data { context.attributes = members }
        var evaluation = RuleEvaluation(rule, for: context)
        evaluation.scope = (data, .none)
        return try evaluation.evaluate(rule.root)
    }
}
