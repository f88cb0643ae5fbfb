import TacklineCore

extension FlagDefinition {
    /// Evaluates the flag.
    ///
    /// Keeping the definition and asking it saves the search for its key in ``FlagDefinitions/flags``.
    ///
    /// - Parameters:
    ///   - context: Who or what it is evaluated for.
    ///   - type: The type that the caller can use; another one is a `FlagResolutionErrorCode.typeMismatch`. `nil` takes the
    ///     flag's own type.
    /// - Returns: A value, no opinion, or an error. Nothing is thrown, and the cost stays within the limits, whatever the
    ///   document holds.
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
        return .mismatch(variant, answer.type, type, of: key, metadata: metadata)
    }

    /// Evaluates the flag as of a time, in seconds since 1970; `nil` for now.
    func evaluate(for context: EvaluationContext, at timestamp: Int64?) -> FlagEvaluation {
        evaluate(for: context, at: timestamp) { $0.evaluate(for: context, at: timestamp) }
    }

    /// Evaluates the flag where the flags that it needs are asked otherwise than by their rules alone.
    ///
    /// - Parameters:
    ///   - context: Who or what it is evaluated for.
    ///   - timestamp: Seconds since 1970; `nil` for now.
    ///   - evaluate: What a flag gives that this one needs.
    func evaluate(
        for context: EvaluationContext, at timestamp: Int64?, needing evaluate: (FlagDefinition) -> FlagEvaluation
    ) -> FlagEvaluation {
        if let unavailability { return unavailability }
        guard meetsPrerequisites(evaluate) else { return answers.fallback }
        guard let program else { return answers.fixed }
        return self.evaluate(program, for: context, at: timestamp)
    }

    /// Evaluates the flag's rule with the splits decided from outside, as of a time in seconds since 1970; `nil` for now.
    func evaluate(
        for context: EvaluationContext, at timestamp: Int64?, decisions: SplitDecisions
    ) -> FlagEvaluation {
        guard meetsPrerequisites({ $0.evaluate(for: context, at: timestamp) }) else { return answers.fallback }
        guard let program else { return answers.fixed }
        return evaluate(program, for: context, at: timestamp, decisions: decisions)
    }

    @inline(__always)
    private func evaluate(
        _ program: RuleProgram, for context: EvaluationContext, at timestamp: Int64? = nil,
        decisions: SplitDecisions? = nil
    ) -> FlagEvaluation {
        var evaluator = RuleEvaluator(program: program, context: context)
        evaluator.timestamp = timestamp
        evaluator.decisions = decisions
        do {
            let value: EncodedFlagValue
            switch try evaluator.outcome(of: program.root) {
            case .null: return evaluator.hadNoKey ? answers.withoutKey : answers.fallback
            case .constant(let index):
                if let answer = answers.answer(constant: index, isSplit: evaluator.isSplit) {
                    return evaluator.hadNoKey ? answers.noting(answer) : answer
                }
                value = program.constants[Int(index)]
            case .node(let index): value = try evaluator.evaluate(index)
            }
            let name: String
            switch value {
            case .null: return evaluator.hadNoKey ? answers.withoutKey : answers.fallback
            case .bool(let flag): name = flag ? "true" : "false"
            case .string(let text): name = text
            default: name = try evaluator.text(value)
            }
            let answer =
                answers.answer(name, isSplit: evaluator.isSplit)
                ?? .unknownVariant(name, of: key, variants: variants.keys, metadata: metadata)
            return evaluator.hadNoKey ? answers.noting(answer) : answer
        } catch {
            return .failure(.general, error.message(program.settings.limits), of: key, metadata: metadata)
        }
    }
}
