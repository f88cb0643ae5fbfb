import TacklineCore

extension FlagDefinition {
    /// Evaluates the flag in the order that flagd prescribes.
    func evaluate(for context: EvaluationContext, expecting type: FlagValueType?, settings: RuleSettings) -> FlagEvaluation {
        if let error { return failure(error.code, error.description) }
        guard isEnabled else { return noOpinion(.disabled) }
        guard let program else { return answerDefault(.static, expecting: type) }

        let environment = RuleEnvironment(
            targetingKey: context.targetingKey, attributes: context.attributes, flagKey: key, settings: settings
        )
        var evaluator = RuleEvaluator(program: program, environment: environment)
        do {
            let name: String
            switch try evaluator.evaluate(program.root) {
            case .null: return answerDefault(.default, expecting: type)
            case .bool(let flag): name = flag ? "true" : "false"
            case .string(let text): name = text
            case let value: name = try evaluator.text(value)
            }
            return answer(name, evaluator.isSplit ? .split : .targetingMatch, expecting: type)
        } catch {
            return failure(.general, error.message(settings.limits))
        }
    }

    private func answerDefault(_ reason: EvaluationReason, expecting type: FlagValueType?) -> FlagEvaluation {
        guard let defaultVariant else { return noOpinion(.default) }
        return answer(defaultVariant, reason, expecting: type)
    }

    private func answer(_ variant: String, _ reason: EvaluationReason, expecting type: FlagValueType?) -> FlagEvaluation {
        guard let value = variants[variant] else {
            let names = variants.keys.sorted().map { "\"\($0)\"" }.joined(separator: ", ")
            return failure(.general, "there is no variant \"\(variant)\"; the variants are \(names)")
        }
        if let wanted = type ?? valueType, FlagValueType(value) != wanted {
            let found = FlagValueType(value)?.rawValue ?? "null"
            return failure(
                .typeMismatch, "the variant \"\(variant)\" is of type \(found), but the flag is of type \(wanted.rawValue)"
            )
        }
        return FlagEvaluation(
            flagKey: key, outcome: .value(value), variant: variant, reason: reason, metadata: metadata
        )
    }

    private func noOpinion(_ reason: EvaluationReason) -> FlagEvaluation {
        FlagEvaluation(flagKey: key, outcome: .noOpinion, reason: reason, metadata: metadata)
    }

    private func failure(_ code: EvaluationErrorCode, _ message: String) -> FlagEvaluation {
        FlagEvaluation(
            flagKey: key, outcome: .error, reason: .error, errorCode: code,
            message: "Flag \"\(key)\": \(message).", metadata: metadata
        )
    }
}
