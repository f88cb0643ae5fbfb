public import TacklineCore

/// A rule in JsonLogic with flagd's operators, compiled once and evaluated as often as needed.
///
/// ```swift
/// let rule = try TargetingRule(["ends_with": [["var": "email"], "@example.com"]])
/// try rule.evaluate(["email": "ada@example.com"])   // .bool(true)
/// ```
///
/// It is immutable, so any thread may use it at any time.
public struct TargetingRule: Sendable {
    private let rule: CompiledRule

    /// Compiles a rule.
    ///
    /// - Parameters:
    ///   - rule: The rule as JSON. A value that is no operation is a rule that gives this value.
    ///   - evaluators: The rules that `{"$ref": "name"}` stands for, by name. An evaluator cannot refer to another one.
    ///   - limits: Bounds for the rule and its evaluation.
    ///   - fractional: The generation of `fractional`.
    /// - Throws: ``TargetingError`` with `FlagEvaluation.ErrorCode.parseError` and the place in the rule: for an unknown
    ///   operator, an unresolved reference, or a rule beyond the limits.
    /// - Complexity: O(*n*) in the size of the rule.
    public init(
        _ rule: EncodedFlagValue, evaluators: [String: EncodedFlagValue] = [:], limits: TargetingLimits = .default,
        fractional: FractionalGeneration = .v2
    ) throws(TargetingError) {
        let settings = RuleSettings(timestamp: { 0 }, fractional: fractional, limits: limits)
        self.rule = try RuleCompiler.compile(rule, evaluators: SharedRules(evaluators), settings: settings)
    }

    /// Evaluates the rule.
    ///
    /// Numbers are doubles, as in JavaScript; a whole result that a double holds exactly is an integer. `fractional`
    /// takes the flag's key and the targeting key from `$flagd.flagKey` and `targetingKey` of the data.
    ///
    /// - Parameter data: The data in which `var` finds values.
    /// - Throws: ``TargetingError`` with `FlagEvaluation.ErrorCode.general` if a limit was reached.
    public func evaluate(_ data: EncodedFlagValue) throws(TargetingError) -> EncodedFlagValue {
        var context = EvaluationContext()
        if case .object(let members) = data { context.attributes = members }
        var evaluation = RuleEvaluation(rule, for: context)
        evaluation.scope = (data, .none)
        do {
            return try evaluation.evaluate(rule.root)
        } catch {
            throw TargetingError(code: .general, message: RuleFailure.message(error, rule))
        }
    }
}
