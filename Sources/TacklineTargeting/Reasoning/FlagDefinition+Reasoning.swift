package import TacklineCore

extension FlagDefinition {
    /// Returns how the flag's rule leads to its result: the conditions that were evaluated, the attributes that they
    /// read, and the subject's place in a split.
    ///
    /// - Parameter context: The subject that the flag is evaluated for.
    /// - Complexity: That of a few evaluations, whatever the document holds: all steps together are charged to the
    ///   limit of one.
    package func reasoning(for context: EvaluationContext) -> FlagReasoning {
        reasoning(for: context, evaluation: evaluate(for: context), at: nil) { $0.evaluate(for: context) }
    }

    /// - Parameters:
    ///   - evaluation: The flag's result, in case something other than its rule decided.
    ///   - evaluate: Returns the evaluation of a flag that this one requires.
    func reasoning(
        for context: EvaluationContext, evaluation: FlagEvaluation, at timestamp: Int64?,
        needing evaluate: (FlagDefinition) -> FlagEvaluation
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
        if let program, !isHeldBack {
            var tracer = RuleTracer(program, context, timestamp)
            tracer.walk(program.root)
            reasoning.steps += tracer.steps
            reasoning.attributes = tracer.attributes
            reasoning.split = tracer.split
            ruleVariant = tracer.split?.chosen.flatMap { tracer.split?.shares[$0].variant }
        }
        reasoning.steps.append(conclusion(evaluation, ruleVariant: ruleVariant))
        return reasoning
    }

    private func conclusion(_ evaluation: FlagEvaluation, ruleVariant: String?) -> FlagReasoning.Step {
        switch evaluation.outcome {
        case .error: return FlagReasoning.Step("It cannot be evaluated, so the next provider is asked.")
        case .noOpinion: return FlagReasoning.Step("It gives no variant, so the next provider is asked.")
        case .value: break
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

    private var evaluator: RuleEvaluator
    private var names: Set<String> = []

    private(set) var steps: [FlagReasoning.Step] = []
    private(set) var attributes: [FlagReasoning.Attribute] = []
    private(set) var split: FlagReasoning.Split?

    init(_ program: RuleProgram, _ context: EvaluationContext, _ timestamp: Int64?) {
        evaluator = RuleEvaluator(program: program, context: context)
        evaluator.timestamp = timestamp
        evaluator.remainingSteps = program.settings.limits.maximumSteps
    }

    private var isExhausted: Bool { evaluator.remainingSteps <= 0 || steps.count >= Self.stepLimit }

    private mutating func note(_ step: String, holds: Bool? = nil) {
        steps.append(FlagReasoning.Step(step, holds: holds))
    }

    /// Follows a rule down to the part that gives the variant. Each step goes one level down the document, and an
    /// evaluator refers to no other, so the loop ends.
    mutating func walk(_ root: Int32) {
        var next: Int32? = root
        while let index = next, !isExhausted {
            let node = evaluator.program.parts.nodes[Int(index)]
            let rule = RuleExpression(index, of: evaluator.program)
            guard let operation = rule.operation else { return }
            switch operation.flow {
            case .reference:
                let reference = evaluator.program.parts.references[Int(node.payload)]
                evaluator.program = reference.code
                next = reference.root
            case .branches: next = branch(node, rule)
            case .shares:
                bucket(node, rule)
                next = nil
            default:
                noteAttributes(of: rule)
                let value = (try? evaluator.evaluate(index))?.description ?? "nothing"
                note("\(RuleText.text(of: rule)) is \(value).")
                next = nil
            }
        }
        if isExhausted { note("There is more than is shown here.") }
    }

    /// Returns the branch that the conditions lead to.
    private mutating func branch(_ node: RuleNode, _ rule: RuleExpression) -> Int32? {
        var position = 0
        while position + 1 < rule.count {
            guard !isExhausted else { return nil }
            noteAttributes(of: rule[position])
            let holds = (try? evaluator.isTrue(evaluator.argument(position, of: node))) ?? false
            note(RuleText.text(of: rule[position]), holds: holds)
            if holds { return evaluator.argument(position + 1, of: node) }
            position += 2
        }
        return evaluator.argument(position, of: node)
    }

    private mutating func bucket(_ node: RuleNode, _ rule: RuleExpression) {
        guard let values = try? evaluator.evaluateArguments(of: node) else { return }
        var key: EncodedFlagValue?
        if let first = values.first, evaluator.takes(first) {
            key = first
            noteAttributes(of: rule[0])
        }
        if key == nil || key == .null { noteAttribute("targetingKey") }
        let hash = if let key { try? evaluator.hash(of: key) } else { evaluator.shorthandHash }
        var split = FlagReasoning.Split(key: nil, place: nil, shares: [], chosen: nil)
        if let hash {
            let shown = key.flatMap { $0 == .null ? nil : $0 }
            split.key = (shown ?? evaluator.context.targetingKey.map { .string($0) })?.description
            split.place = Double(hash) / 4_294_967_296
        }
        if let shares = FractionalShares(values.dropFirst(key == nil ? 0 : 1)), shares.total > 0 {
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
        note(Self.text(of: split))
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

    // MARK: Attributes

    /// Records the attributes that an expression asks for by name. In the scope of a list's elements, names have
    /// another meaning.
    private mutating func noteAttributes(of rule: RuleExpression) {
        // An evaluator refers to no other, so this ends.
        var rest = [rule]
        while let next = rest.popLast() {
            next.visit { expression in
                evaluator.remainingSteps -= 1
                for case let name? in expression.operation?.names?(expression).map(\.text) ?? [] { noteAttribute(name) }
                if let reference = expression.reference { rest.append(reference) }
                return attributes.count < Self.attributeLimit && evaluator.remainingSteps > 0
            }
        }
    }

    private mutating func noteAttribute(_ path: String) {
        guard attributes.count < Self.attributeLimit, !path.isEmpty, !path.utf8.starts(with: "$flagd.".utf8),
            names.insert(path).inserted
        else { return }
        let value = try? evaluator.lookUp(named: .string(path))
        let text = value.flatMap { $0 == .null ? nil : $0.description }
        attributes.append(FlagReasoning.Attribute(name: path, value: text))
    }
}
