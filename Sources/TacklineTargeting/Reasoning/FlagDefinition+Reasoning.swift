package import TacklineCore

extension FlagDefinition {
    /// Returns how the flag's rule leads to its result: the conditions that were evaluated, the attributes that they
    /// read, and the subject's place in a split.
    ///
    /// - Parameter context: The subject that the flag is evaluated for.
    /// - Complexity: That of a few evaluations, whatever the document holds: all steps together are charged to the
    ///   limit of one.
    package func reasoning(for context: EvaluationContext) -> FlagReasoning {
        reasoning(for: context, evaluation: evaluated(for: context)) { $0.evaluated(for: context) }
    }

    /// - Parameters:
    ///   - evaluation: The flag's result, in case something other than its rule decided.
    ///   - evaluate: Returns the evaluation of a flag that this one requires.
    func reasoning(
        for context: EvaluationContext, evaluation: EvaluatedFlag, needing evaluate: (FlagDefinition) -> EvaluatedFlag
    ) -> FlagReasoning {
        var reasoning = FlagReasoning(reason: evaluation.reason.rawValue)
        reasoning.variant = evaluation.variant
        reasoning.value = evaluation.value?.description
        reasoning.message = evaluation.message
        if !isEnabled {
            reasoning.steps = [FlagReasoning.Step("The flag is disabled, so the next provider is asked.")]
            return reasoning
        }
        if error != nil { return reasoning }
        for need in prerequisites {
            let variant = evaluate(need.flag).variant
            let text = "It needs \(need.flag.key) to be \(need.variant), which is \(variant ?? "without a variant")."
            reasoning.steps.append(FlagReasoning.Step(text, holds: variant == need.variant))
        }
        let isHeldBack = reasoning.steps.contains { $0.holds == false }
        var ruleVariant: String?
        if let rule, !isHeldBack {
            var tracer = RuleTracer(rule, context)
            tracer.walk(rule.root)
            reasoning.steps += tracer.steps
            reasoning.attributes = tracer.attributes
            reasoning.split = tracer.split
            ruleVariant = tracer.split?.chosen.flatMap { tracer.split?.shares[$0].variant }
        }
        reasoning.steps.append(conclusion(evaluation, ruleVariant: ruleVariant))
        return reasoning
    }

    private func conclusion(_ evaluation: EvaluatedFlag, ruleVariant: String?) -> FlagReasoning.Step {
        if evaluation.errorCode != nil {
            return FlagReasoning.Step("It cannot be evaluated, so the next provider is asked.")
        }
        if evaluation.value == nil {
            return FlagReasoning.Step("It gives no variant, so the next provider is asked.")
        }
        let name = evaluation.variant ?? ""
        if let ruleVariant, ruleVariant != name, evaluation.reason == .split {
            return FlagReasoning.Step("It gives \(name), which was kept for this subject, and not \(ruleVariant).")
        }
        switch evaluation.reason {
        case .default: return FlagReasoning.Step("It gives the default variant, \(name).")
        case .static: return FlagReasoning.Step("It has no rule, and gives its default variant, \(name).")
        default: return FlagReasoning.Step("It gives \(name).")
        }
    }
}

/// A trace of a rule in the order of an evaluation, with its conditions, attributes and split.
///
/// It evaluates the parts of the rule one by one, so that it does not slow down ordinary evaluations. The cost is
/// charged to one evaluation, since a document may name an evaluator of any size in each of its conditions. When its
/// steps are used up, the trace ends.
private struct RuleTracer: ~Copyable {
    private static let stepLimit = 100
    private static let attributeLimit = 50

    private var evaluation: RuleEvaluation
    private var names: Set<String> = []

    private(set) var steps: [FlagReasoning.Step] = []
    private(set) var attributes: [FlagReasoning.Attribute] = []
    private(set) var split: FlagReasoning.Split?

    init(_ rule: CompiledRule, _ context: EvaluationContext) {
        evaluation = RuleEvaluation(rule, for: context)
        evaluation.remainingSteps = rule.settings.limits.maximumSteps
    }

    private var isExhausted: Bool { evaluation.remainingSteps <= 0 || steps.count >= Self.stepLimit }

    /// Follows a rule down to the part that gives the variant. Each step goes one level down the document, and an
    /// evaluator refers to no other, so the loop ends.
    mutating func walk(_ root: Rule) {
        var next: Rule? = root
        while let rule = next, let operation = rule.operation, !isExhausted {
            next = nil
            if case .reference(let root) = rule.preparation {
                next = root
            } else if operation.name == "if" || operation.name == "?:" {
                next = branch(rule)
            } else if operation.name == "fractional" {
                bucket(rule)
            } else {
                noteAttributes(of: rule)
                let value = (try? evaluation.evaluate(rule))?.description ?? "nothing"
                steps.append(FlagReasoning.Step("\(RuleText.text(of: rule)) is \(value)."))
            }
        }
        if isExhausted { steps.append(FlagReasoning.Step("There is more than is shown here.")) }
    }

    /// Returns the branch that the conditions lead to.
    private mutating func branch(_ rule: Rule) -> Rule? {
        var rest = rule.arguments[...]
        while let condition = rest.popFirst(), !isExhausted {
            guard let value = rest.popFirst() else { return condition }
            noteAttributes(of: condition)
            let holds = (try? evaluation.evaluate(condition))?.isTruthy ?? false
            steps.append(FlagReasoning.Step(RuleText.text(of: condition), holds: holds))
            if holds { return value }
        }
        return nil
    }

    private mutating func bucket(_ rule: Rule) {
        guard let values = try? evaluation.values(of: rule) else { return }
        let generation = evaluation.rule.settings.fractional
        let key = values.first.flatMap { generation.isKey($0) ? .some($0) : .none }
        if key != nil { noteAttributes(of: rule.arguments[0]) }
        if key == nil || key == .null { noteAttribute("targetingKey") }
        let hash = if let key { try? evaluation.hash(of: key) } else { evaluation.shorthandHash }
        var split = FlagReasoning.Split(key: nil, place: nil, shares: [], chosen: nil)
        if let hash {
            let shown = key == .null ? nil : key
            split.key = (shown ?? evaluation.context.targetingKey.map { .string($0) })?.description
            split.place = Double(hash) / 4_294_967_296
        }
        let shares = values.dropFirst(key == nil ? 0 : 1)
        if let shares = FractionalShares(shares, hasKey: key != nil), shares.total > 0 {
            var start = 0.0
            for (variant, last) in zip(shares.variants, shares.ends) {
                let name = if case .string(let name) = variant { name } else { variant.description }
                let end = Double(last) / Double(shares.total)
                split.shares.append(FlagReasoning.Split.Share(variant: name, start: start, end: end))
                start = end
            }
            split.chosen = hash.map { shares.position(of: $0) }
        }
        self.split = split
        steps.append(FlagReasoning.Step(Self.text(of: split)))
    }

    private static func text(of split: FlagReasoning.Split) -> String {
        guard let place = split.place else { return "A split, but there is nothing to bucket by." }
        guard let chosen = split.chosen else { return "A split whose weights cannot be used." }
        let shares = split.shares.prefix(20).map { "\($0.variant) \(percentage($0.end - $0.start))" }
        let list = shares.joined(separator: ", ") + (split.shares.count > 20 ? ", …" : "")
        return
            "A split: \(list). \(split.key ?? "It") falls at \(percentage(place)), into \(split.shares[chosen].variant)."
    }

    /// Returns a part as a percentage with two digits after the point: `9.97 %`.
    private static func percentage(_ part: Double) -> String {
        let hundredths = Int64((part * 10_000).rounded())
        return "\(hundredths / 100).\(hundredths % 100 < 10 ? "0" : "")\(hundredths % 100) %"
    }

    /// Records the attributes that a rule asks for by name.
    private mutating func noteAttributes(of rule: Rule) {
        // An evaluator refers to no other, so this ends.
        var rest = [rule]
        while let next = rest.popLast() {
            next.visit { rule, _ in
                evaluation.remainingSteps -= 1
                for (name, _) in rule.attributes() { noteAttribute(name) }
                if case .reference(let root) = rule.preparation { rest.append(root) }
                return attributes.count < Self.attributeLimit && evaluation.remainingSteps > 0
            }
        }
    }

    private mutating func noteAttribute(_ path: String) {
        guard attributes.count < Self.attributeLimit, !path.isEmpty, !path.hasPrefix("$flagd."),
            names.insert(path).inserted
        else { return }
        let value = try? evaluation.lookUp(named: .string(path))
        let text = value.flatMap { $0 == .null ? nil : $0.description }
        attributes.append(FlagReasoning.Attribute(name: path, value: text))
    }
}
