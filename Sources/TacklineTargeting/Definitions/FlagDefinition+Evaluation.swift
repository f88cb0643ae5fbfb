public import TacklineCore

extension FlagDefinition {
    /// Evaluates the flag.
    ///
    /// If you keep the definition, evaluating it saves the search for its key in ``FlagDefinitions/flags``.
    ///
    /// - Parameters:
    ///   - context: The subject that the flag is evaluated for.
    ///   - type: The type that the caller can use; another one is a `FlagEvaluation.ErrorCode.typeMismatch`. `nil`
    ///     accepts the flag's own type.
    /// - Returns: A value, no opinion, or an error. Nothing is thrown, and the cost stays within the limits, whatever
    ///   the document holds.
    public func evaluate(for context: EvaluationContext, expecting type: FlagValueType? = nil) -> FlagEvaluation {
        FlagEvaluation(evaluated(for: context, expecting: type))
    }

    func evaluated(for context: EvaluationContext, expecting type: FlagValueType? = nil) -> EvaluatedFlag {
        if let unavailability { return unavailability }
        let answer: EvaluatedFlag
        if !prerequisites.isEmpty, !meetsPrerequisites({ $0.evaluated(for: context) }) {
            answer = answers.fallback
        } else if let rule {
            answer = evaluate(rule, for: context)
        } else {
            answer = answers.fixed
        }
        guard let type, let variant = answer.variant, answer.type != type else { return answer }
        return .mismatch(variant, answer.type, type, of: key, metadata: layers)
    }

    /// Evaluates the flag, and calls a closure for the evaluations of the flags that it requires.
    func evaluated(
        for context: EvaluationContext, needing evaluate: (FlagDefinition) -> EvaluatedFlag
    ) -> EvaluatedFlag {
        if let unavailability { return unavailability }
        guard meetsPrerequisites(evaluate) else { return answers.fallback }
        guard let rule else { return answers.fixed }
        return self.evaluate(rule, for: context)
    }

    private func evaluate(_ rule: CompiledRule, for context: EvaluationContext) -> EvaluatedFlag {
        var evaluation = RuleEvaluation(rule, for: context)
        let answer: EvaluatedFlag
        do {
            if let name = try evaluation.variant() {
                answer =
                    answers.answer(name, isSplit: evaluation.isSplit)
                    ?? .unknownVariant(name, of: key, variants: answers.variants, metadata: layers)
            } else {
                answer = answers.fallback
            }
        } catch {
            return .failure(.general, RuleFailure.message(error, rule), of: key, metadata: layers)
        }
        return evaluation.hadNoKey ? FlagAnswers.noting(answer) : answer
    }
}
