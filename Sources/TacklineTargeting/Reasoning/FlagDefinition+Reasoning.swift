import TacklineCore

extension FlagDefinition {
    /// Returns how the flag's rule leads to its result, as short lines for people: the conditions that were evaluated, the
    /// share of a split, the result, and the attributes that were read. Long texts are shortened.
    package func reasoning(for context: EvaluationContext, sticky: StickyAssignments? = nil) -> [String] {
        let evaluator = FlagEvaluator(sticky: sticky)
        let evaluation = evaluator.evaluate(self, for: context)
        let message = [evaluation.errorMessage].compactMap(\.self)
        if isEnabled, error != nil { return message }
        let needs = prerequisites.filter { _ in isEnabled }.map { need in
            let variant = evaluator.evaluate(need.flag, for: context).variant
            let text = "It needs \(need.flag.key) to be \(need.variant), which is \(variant ?? "without a variant")."
            return variant == need.variant ? "yes  \(text)" : "no   \(text)"
        }
        guard let rule, evaluation.reason != .disabled else { return needs + [conclusion(evaluation, nil)] + message }
        var tracer = RuleTracer(evaluation: RuleEvaluation(rule: rule, context: context), lines: needs)
        tracer.walk(rule.root)
        let attributes = tracer.attributes.map { "\($0.name) = \($0.value ?? "not given")" }
        let read = attributes.isEmpty ? [] : ["Looked at: \(attributes.joined(separator: ", "))"]
        return tracer.lines + [conclusion(evaluation, tracer.share)] + read + message
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

/// A trace of a rule in the order of an evaluation. It evaluates the parts of the rule one by one, and ends when the steps
/// of one evaluation are used up.
private struct RuleTracer: ~Copyable {
    var evaluation: RuleEvaluation
    var lines: [String]
    /// The attributes that were read, in the order of the first access.
    var attributes: [(name: String, value: String?)] = []
    var share: String?

    init(evaluation: consuming RuleEvaluation, lines: [String]) {
        self.evaluation = evaluation
        self.lines = lines
    }

    private var isExhausted: Bool { evaluation.remainingSteps <= 0 || lines.count >= 100 }

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
                    lines.append("\(holds ? "yes" : "no ")  \(condition.readable)")
                    if holds { next = value }
                }
            case "fractional": bucket(rule)
            default:
                noteAttributes(of: rule)
                let value = (try? evaluation.evaluate(rule))?.description ?? "nothing"
                lines.append("\(rule.readable) is \(value).")
            }
        }
        if isExhausted { lines.append("There is more than is shown here.") }
    }

    private mutating func bucket(_ rule: Rule) {
        guard let values = try? evaluation.values(of: rule) else { return }
        let key = values.first.flatMap { evaluation.rule.settings.fractional.isKey($0) ? .some($0) : .none }
        if key != nil { noteAttributes(of: rule.arguments[0]) }
        if key == nil || key == .null { note("targetingKey") }
        let hash = if let key { try? evaluation.hash(of: key) } else { evaluation.shorthandHash }
        guard let hash else { return lines.append("A split, but there is nothing to bucket by.") }
        let shown = key == nil || key == .null ? evaluation.context.targetingKey.map { .string($0) } : key
        let shares = FractionalShares(values.dropFirst(key == nil ? 0 : 1), hasKey: key != nil)
        guard let shares, shares.total > 0 else { return lines.append("A split whose weights cannot be used.") }
        let variant = shares.variants[shares.position(of: hash)]
        let name = variant.scriptString ?? variant.description
        share = name
        lines.append("A split: \(shown?.description ?? "it") falls into \(name).")
    }

    private mutating func noteAttributes(of rule: Rule) {
        // An evaluator refers to no other, so this ends.
        var rest = [rule]
        while let next = rest.popLast() {
            next.visit { rule, _ in
                evaluation.remainingSteps -= 1
                for (name, _) in rule.attributes() { note(name) }
                if case .reference(let root) = rule.preparation { rest.append(root) }
                return attributes.count < 50 && evaluation.remainingSteps > 0
            }
        }
    }

    private mutating func note(_ name: String) {
        guard !name.isEmpty, !name.hasPrefix("$flagd."), !attributes.contains(where: { $0.name == name })
        else {
            return
        }
        let value = try? evaluation.lookUp(named: .string(name))
        let text = value.flatMap { $0 == .null ? nil : $0.description }
        attributes.append((name, text))
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
