package import TacklineCore

extension FlagDefinition {
    /// Returns how the flag's rule leads to its result: the conditions that were evaluated, the share of a split, the
    /// result, and the attributes that were read.
    package func reasoning(for context: EvaluationContext, sticky: StickyAssignments? = nil) -> FlagReasoning {
        let evaluator = FlagEvaluator(sticky: sticky)
        let evaluation = evaluator.evaluate(self, for: context)
        var reasoning = FlagReasoning()
        reasoning.message = evaluation.errorMessage
        if isEnabled, error != nil { return reasoning }
        for need in prerequisites where isEnabled {
            let variant = evaluator.evaluate(need.flag, for: context).variant
            let text = "It needs \(need.flag.key) to be \(need.variant), which is \(variant ?? "without a variant")."
            reasoning.steps.append((text, variant == need.variant))
        }
        var share: String?
        if let rule, evaluation.reason != .disabled {
            var tracer = RuleTracer(evaluation: RuleEvaluation(rule: rule, context: context), reasoning: reasoning)
            tracer.walk(rule.root)
            (reasoning, share) = (tracer.reasoning, tracer.share)
        }
        reasoning.steps.append((conclusion(evaluation, share), nil))
        return reasoning
    }

    /// - Parameter share: The variant of the split's share that the subject falls into.
    private func conclusion(_ evaluation: FlagEvaluation, _ share: String?) -> String {
        switch (evaluation.reason, evaluation.variant) {
        case (.error?, _): "It cannot be evaluated, so the next provider is asked."
        case (_, nil): "\(isEnabled ? "It gives no variant" : "The flag is disabled"), so the next provider is asked."
        case (.static?, let name?): "It has no rule, and gives its default variant, \(name)."
        case (.default?, let name?): "It gives the default variant, \(name)."
        case (.split?, let name?) where share != nil && share != name:
            "It gives \(name), which was kept for this subject, and not \(share ?? "")."
        case (_, let name?): "It gives \(name)."
        }
    }
}

/// A walk along a rule in the order of an evaluation. It evaluates the parts of the rule one by one, and ends when the
/// steps of one evaluation are used up.
private struct RuleTracer: ~Copyable {
    var evaluation: RuleEvaluation
    var reasoning: FlagReasoning
    var share: String?

    private var isExhausted: Bool { evaluation.remainingSteps <= 0 || reasoning.steps.count >= 100 }

    mutating func walk(_ root: Rule) {
        var next: Rule? = root
        while let rule = next, let operation = rule.operation, !isExhausted {
            next = nil
            switch operation.name {
            case "$ref": if case .reference(let root) = rule.preparation { next = root }
            case "if", "?:":
                var rest = rule.arguments[...]
                while let condition = rest.popFirst(), next == nil, !isExhausted {
                    guard let value = rest.popFirst() else {
                        next = condition
                        break
                    }
                    noteAttributes(of: condition)
                    let holds = (try? evaluation.evaluate(condition))?.isTruthy ?? false
                    reasoning.steps.append((condition.readable, holds))
                    if holds { next = value }
                }
            case "fractional": bucket(rule)
            default:
                noteAttributes(of: rule)
                let value = (try? evaluation.evaluate(rule))?.description ?? "nothing"
                reasoning.steps.append(("\(rule.readable) is \(value).", nil))
            }
        }
        if isExhausted { reasoning.steps.append(("There is more than is shown here.", nil)) }
    }

    private mutating func bucket(_ rule: Rule) {
        guard let values = try? evaluation.values(of: rule) else { return }
        let key = values.first.flatMap { evaluation.rule.settings.fractional.isKey($0) ? .some($0) : .none }
        if key != nil { noteAttributes(of: rule.arguments[0]) }
        if key == nil || key == .null { note("targetingKey") }
        let hash = if let key { try? evaluation.hash(of: key) } else { evaluation.shorthandHash }
        let shown = key == nil || key == .null ? evaluation.context.targetingKey.map { .string($0) } : key
        var text = "A split whose weights cannot be used."
        if let shares = FractionalShares(values.dropFirst(key == nil ? 0 : 1)), shares.total > 0 {
            let names = shares.variants.map { $0.scriptString ?? $0.description }
            let ends = [0] + shares.ends.map { Double($0) / Double(shares.total) }
            let parts = names.indices.map { index -> EncodedFlagValue in
                ["variant": .string(names[index]), "start": .double(ends[index]), "end": .double(ends[index + 1])]
            }
            let (subject, chosen) = (shown?.description ?? "it", hash.map { shares.position(of: $0) })
            share = chosen.map { names[$0] }
            reasoning.split = [
                "shares": .array(parts), "key": hash == nil ? .null : .string(subject),
                "place": hash.map { .double(Double($0) / 4_294_967_296) } ?? .null,
                "chosen": chosen.map { .integer(Int128($0)) } ?? .null, "variant": share.map { .string($0) } ?? .null,
            ]
            text = share.map { "A split: \(subject) falls into \($0)." } ?? "A split without anything to bucket by."
        }
        reasoning.steps.append((text, nil))
    }

    private mutating func noteAttributes(of rule: Rule) {
        // An evaluator refers to no other, so this ends.
        var rest = [rule]
        while let next = rest.popLast() {
            next.visit { rule, _ in
                evaluation.remainingSteps -= 1
                for (name, _) in rule.attributes() { note(name) }
                if case .reference(let root) = rule.preparation { rest.append(root) }
                return reasoning.attributes.count < 50 && evaluation.remainingSteps > 0
            }
        }
    }

    private mutating func note(_ name: String) {
        let isKnown = reasoning.attributes.contains { $0.name == name }
        if name.isEmpty || name.hasPrefix("$flagd.") || isKnown { return }
        let value = try? evaluation.lookUp(named: .string(name))
        let text = value.flatMap { $0 == .null ? nil : $0.description }
        reasoning.attributes.append((name, text))
    }
}

extension Rule {
    /// Returns the rule as text for people, such as `plan == "gold" and age >= 18`: with signs and `and`, `or` and `in`
    /// between their operands, and as calls otherwise. Parts that are nested deeply are shown as JSON, and a long text is
    /// cut.
    fileprivate var readable: String {
        let text = readable(level: 0)
        let scalars = text.unicodeScalars.prefix(400)
        return scalars.endIndex == text.endIndex ? text : String(scalars) + "…"
    }

    private func readable(level: Int) -> String {
        guard level < 12, let name = operation?.name else { return json.description }
        let parts = arguments.prefix(20).map { part in
            let text = part.readable(level: level + 1)
            return part.arguments.count > 1 && part.operation?.isInfix == true ? "(\(text))" : text
        }
        switch (name, arguments.count) {
        case ("var", 0...1): return arguments.first?.text ?? parts.first ?? "var"
        case ("!", 1): return "not \(parts[0])"
        case ("$ref", _): return "the rule \(arguments[0].text ?? "")"
        case (_, 2...) where operation?.isInfix == true: return parts.joined(separator: " \(name) ")
        default: return "\(name)(\(parts.joined(separator: ", ")))"
        }
    }
}
