import TacklineCore
public import TacklineFormats

extension FlagDefinition {
    /// Says how the flag's rule comes to what it gives: which conditions were asked, what they looked at, and where the
    /// subject falls in a split.
    ///
    /// - Parameter context: Who or what it is evaluated for.
    /// - Complexity: That of some evaluations, whatever the document holds: all steps together are charged like one.
    public func reasoning(for context: EvaluationContext) -> FlagReasoning {
        reasoning(for: context, evaluation: evaluate(for: context), at: nil) { $0.evaluate(for: context) }
    }

    /// - Parameters:
    ///   - evaluation: What the flag gives, in case something else than its rule decided.
    ///   - evaluate: What a flag gives that this one needs.
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
        if let targeting, let program, !isHeldBack {
            var tracer = RuleTracer(self, program.settings, context, timestamp)
            tracer.walk(targeting)
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

/// Walks through a rule as an evaluation does, and notes what it meets.
///
/// It evaluates each condition by itself, so that nothing of this stands in the way of an evaluation. What that costs is charged to
/// one budget, since a document may name an evaluator of any size in each of its conditions; when it is used up, the walk ends.
private struct RuleTracer {
    private static let stepLimit = 100
    private static let attributeLimit = 50

    private let definition: FlagDefinition
    private let settings: RuleSettings
    private let context: EvaluationContext
    private let timestamp: Int64?
    private var names: Set<String> = []
    private var remainingSteps: Int

    private(set) var steps: [FlagReasoning.Step] = []
    private(set) var attributes: [FlagReasoning.Attribute] = []
    private(set) var split: FlagReasoning.Split?

    init(
        _ definition: FlagDefinition, _ settings: RuleSettings, _ context: EvaluationContext, _ timestamp: Int64?
    ) {
        self.definition = definition
        self.settings = settings
        self.context = context
        self.timestamp = timestamp
        remainingSteps = settings.limits.maximumSteps
    }

    private var isExhausted: Bool { remainingSteps <= 0 || steps.count >= Self.stepLimit }

    /// Follows a rule down to what gives the variant. A level of the document each time, and an evaluator refers to no other.
    mutating func walk(_ targeting: EncodedFlagValue) {
        var rule = targeting
        defer { if isExhausted { steps.append(FlagReasoning.Step("There is more than is told here.")) } }
        while !isExhausted, case .object(let members) = rule, members.count == 1, let (name, argument) = members.first {
            let arguments = RuleText.list(argument)
            switch name {
            case "$ref":
                guard case .string(let evaluator)? = arguments.first, let target = definition.evaluators[evaluator]
                else {
                    return
                }
                rule = target
            case "if", "?:": rule = branch(arguments)
            case "fractional": return bucket(rule, arguments)
            default:
                note(rule)
                let value = evaluate(rule)?.description ?? "nothing"
                return steps.append(FlagReasoning.Step("\(RuleText.text(of: rule)) is \(value)."))
            }
        }
    }

    /// What a condition leads to.
    private mutating func branch(_ arguments: [EncodedFlagValue]) -> EncodedFlagValue {
        var position = 0
        while position + 1 < arguments.count {
            guard !isExhausted else { return .null }
            let condition = arguments[position]
            note(condition)
            let holds = evaluate(condition)?.isTruthy ?? false
            steps.append(FlagReasoning.Step(RuleText.text(of: condition), holds: holds))
            if holds { return arguments[position + 1] }
            position += 2
        }
        return position < arguments.count ? arguments[position] : .null
    }

    private mutating func bucket(_ rule: EncodedFlagValue, _ arguments: [EncodedFlagValue]) {
        guard case .array(let evaluated)? = evaluate(.array(arguments)), let evaluator = evaluator(of: rule) else {
            return
        }
        var values = evaluated[...]
        var first: EncodedFlagValue?
        if let value = values.first, evaluator.takes(value) {
            first = value
            values = values.dropFirst()
            note(arguments[0])
        }
        let hash = self.hash(of: first, rule)
        if first == nil || first == .null { note(["var": "targetingKey"]) }
        var split = FlagReasoning.Split(key: nil, place: nil, shares: [], chosen: nil)
        if let hash {
            split.key =
                first.flatMap { $0 == .null ? nil : $0.description }
                ?? context.targetingKey.map { EncodedFlagValue.string($0).description }
            split.place = Double(hash) / 4_294_967_296
        }
        defer {
            self.split = split
            steps.append(FlagReasoning.Step(Self.text(of: split)))
        }
        var ends: [(name: String, end: UInt32)] = []
        var total: Int64 = 0
        for value in values {
            guard case .array(let parts) = value, (1...2).contains(parts.count), RuleEvaluator.isVariant(parts[0]),
                let weight = FractionalWeights.weight(parts.count > 1 ? parts[1] : .null),
                total + weight <= FractionalWeights.maximum
            else { return }
            total += weight
            let name = if case .string(let name) = parts[0] { name } else { parts[0].description }
            ends.append((name, UInt32(total)))
        }
        guard total > 0 else { return }
        var start = 0.0
        for share in ends {
            let end = Double(share.end) / Double(total)
            split.shares.append(FlagReasoning.Split.Share(variant: share.name, start: start, end: end))
            start = end
        }
        guard let hash else { return }
        let place = FractionalGeneration.place(of: hash, totalWeight: UInt32(total))
        split.chosen = ends.firstIndex { place < $0.end }
    }

    private static func text(of split: FlagReasoning.Split) -> String {
        guard let place = split.place else { return "A split, but there is nothing to bucket by." }
        guard let chosen = split.chosen else { return "A split whose weights cannot be used." }
        let shares = split.shares.prefix(20).map { "\($0.variant) \(TextTable.percentage($0.end - $0.start))" }
        let list = shares.joined(separator: ", ") + (split.shares.count > 20 ? ", …" : "")
        return
            "A split: \(list). \(split.key ?? "It") falls at \(TextTable.percentage(place)), into \(split.shares[chosen].variant)."
    }

    // MARK: Evaluating

    private mutating func program(of rule: EncodedFlagValue) -> RuleProgram? {
        guard remainingSteps > 0 else { return nil }
        let program = try? RuleCompiler.compile(
            rule, of: definition.key, evaluators: definition.evaluators, settings: settings)
        remainingSteps -= program?.nodes.count ?? settings.limits.maximumSteps
        return program
    }

    private mutating func evaluate(_ rule: EncodedFlagValue) -> EncodedFlagValue? {
        guard let program = program(of: rule) else { return nil }
        var evaluator = RuleEvaluator(program: program, context: context)
        evaluator.timestamp = timestamp
        evaluator.remainingSteps = max(0, remainingSteps)
        let value = try? evaluator.evaluate(program.root)
        remainingSteps = evaluator.remainingSteps
        return value
    }

    private mutating func evaluator(of rule: EncodedFlagValue) -> RuleEvaluator? {
        guard let program = program(of: rule) else { return nil }
        return RuleEvaluator(program: program, context: context)
    }

    private mutating func hash(of key: EncodedFlagValue?, _ rule: EncodedFlagValue) -> UInt32? {
        guard var evaluator = evaluator(of: rule) else { return nil }
        guard let key else { return evaluator.shorthandHash }
        return (try? evaluator.hash(of: key)) ?? nil
    }

    // MARK: Noting

    /// Notes the attributes that an expression asks for by name. Inside a list's own scope names mean something else.
    private mutating func note(_ rule: EncodedFlagValue) {
        var rest = [rule]
        while let next = rest.popLast(), attributes.count < Self.attributeLimit, remainingSteps > 0 {
            remainingSteps -= 1
            switch next {
            case .array(let elements): rest += elements.reversed()
            case .object(let members):
                guard members.count == 1, let (name, argument) = members.first else { continue }
                let arguments = RuleText.list(argument)
                switch name {
                case "var":
                    if case .string(let path)? = arguments.first { noteAttribute(path) }
                    rest += arguments.dropFirst().reversed()
                case "missing": for case .string(let path) in arguments { noteAttribute(path) }
                case "$ref":
                    // It refers to no other, so this ends.
                    if case .string(let evaluator)? = arguments.first, let target = definition.evaluators[evaluator] {
                        rest.append(target)
                    }
                case "map", "filter", "all", "none", "some", "reduce": rest += arguments.prefix(1)
                default: rest += arguments.reversed()
                }
            default: break
            }
        }
    }

    private mutating func noteAttribute(_ path: String) {
        guard !path.isEmpty, !path.hasPrefix("$flagd."), names.insert(path).inserted else { return }
        let value = evaluate(["var": .string(path)])
        let text = value.flatMap { $0 == .null ? nil : $0.description }
        attributes.append(FlagReasoning.Attribute(name: path, value: text))
    }
}
