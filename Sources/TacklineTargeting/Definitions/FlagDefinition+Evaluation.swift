import TacklineCore

extension FlagDefinition {
    /// Evaluates the flag.
    ///
    /// If you keep the definition, evaluating it saves the search for its key in ``FlagDefinitions/flags``.
    ///
    /// - Parameters:
    ///   - context: The subject that the flag is evaluated for.
    ///   - type: The type that the caller can use; another one is a `FlagResolutionErrorCode.typeMismatch`. `nil`
    ///     accepts the flag's own type.
    /// - Returns: A value, no opinion, or an error. Nothing is thrown, and the cost stays within the limits, whatever
    ///   the document holds.
    public func evaluate(for context: EvaluationContext, expecting type: FlagValueType? = nil) -> FlagEvaluation {
        if let unavailability { return unavailability }
        let answer: FlagEvaluation
        if !prerequisites.isEmpty, !meetsPrerequisites({ $0.evaluate(for: context) }) {
            answer = answers.fallback
        } else if let program {
            answer = evaluate(program, for: context)
        } else {
            answer = answers.fixed
        }
        guard let type, let variant = answer.variant, answer.type != type else { return answer }
        return .mismatch(variant, answer.type, type, of: key, metadata: layers)
    }

    /// Evaluates the flag as of a time in seconds since 1970; `nil` for the document's time.
    func evaluate(for context: EvaluationContext, at timestamp: Int64?) -> FlagEvaluation {
        evaluate(for: context, at: timestamp) { $0.evaluate(for: context, at: timestamp) }
    }

    /// Evaluates the flag, and calls a closure for the evaluations of the flags that it requires.
    ///
    /// - Parameters:
    ///   - context: The subject that the flag is evaluated for.
    ///   - timestamp: Seconds since 1970; `nil` for the document's time.
    ///   - evaluate: Returns the evaluation of a flag that this one requires.
    func evaluate(
        for context: EvaluationContext, at timestamp: Int64?, needing evaluate: (FlagDefinition) -> FlagEvaluation
    ) -> FlagEvaluation {
        if let unavailability { return unavailability }
        guard meetsPrerequisites(evaluate) else { return answers.fallback }
        guard let program else { return answers.fixed }
        return self.evaluate(program, for: context, at: timestamp)
    }

    @inline(__always)
    private func evaluate(
        _ program: RuleProgram, for context: EvaluationContext, at timestamp: Int64? = nil
    ) -> FlagEvaluation {
        var evaluator = RuleEvaluator(program: program, context: context)
        evaluator.timestamp = timestamp
        do throws(RuleFailure) {
            let value: EncodedFlagValue
            switch try evaluator.outcome(of: program.root) {
            case .null: return evaluator.hadNoKey ? answers.withoutKey : answers.fallback
            case .constant(let index):
                if let answer = answers.answer(constant: index, isSplit: evaluator.isSplit) {
                    return evaluator.hadNoKey ? answers.noting(answer) : answer
                }
                value = program.code.parts.constants[Int(index)]
            case .node(let index): value = try evaluator.evaluate(index)
            }
            let name: String
            switch value {
            case .null: return evaluator.hadNoKey ? answers.withoutKey : answers.fallback
            case .bool(let flag): name = flag ? "true" : "false"
            case .string(let text): name = text
            case .object: throw .noVariant
            case .array([]): throw .noVariant
            default: name = try evaluator.text(value)
            }
            let answer =
                answers.answer(name, isSplit: evaluator.isSplit)
                ?? .unknownVariant(name, of: key, variants: answers.variants, metadata: layers)
            return evaluator.hadNoKey ? answers.noting(answer) : answer
        } catch {
            return .failure(.general, error.message(program), of: key, metadata: layers)
        }
    }
}
