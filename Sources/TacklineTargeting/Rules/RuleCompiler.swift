import TacklineCore
import TacklineFiles

/// The evaluators of a document, which `$ref` names. All rules share the one tree of an evaluator: a short document may
/// name a large evaluator any number of times.
struct SharedRules: Sendable {
    let settings: RuleSettings
    /// The evaluators by name, or the mistake in each with its place inside the evaluator.
    private(set) var rules: [String: Result<CompiledRule, FlagDefinitionProblem>] = [:]
    let names: KeySuggestion
    let operators: KeySuggestion

    init(
        _ evaluators: [String: EncodedFlagValue] = [:], settings: RuleSettings,
        budget: KeySuggestion.Budget = KeySuggestion.Budget()
    ) {
        self.settings = settings
        names = KeySuggestion(evaluators.keys, budget: budget)
        operators = KeySuggestion(RuleOperator.byName.keys, budget: budget)
        // An evaluator refers to no other.
        let none = self
        for (name, rule) in evaluators {
            rules[name] = Result { () throws(FlagDefinitionProblem) in
                try RuleCompiler.compile(rule, evaluators: none, evaluatorName: name)
            }
        }
    }
}

/// A compiler that turns one rule from its JSON form into a tree. The depth limit bounds its recursion.
struct RuleCompiler {
    private let evaluators: SharedRules
    /// The name of the evaluator that is compiled; `nil` for a flag's rule.
    private let evaluatorName: String?
    private var path: [String]
    private var size = 0
    /// The size of the evaluators that the rule has named.
    private var sharedSize = 0
    private var named: Set<ObjectIdentifier> = []

    /// - Parameter path: The place in the document from which the places of errors are counted.
    static func compile(
        _ rule: EncodedFlagValue, of flagKey: String = "", at path: [String] = [], evaluators: SharedRules,
        evaluatorName: String? = nil
    ) throws(FlagDefinitionProblem) -> CompiledRule {
        var compiler = RuleCompiler(evaluators: evaluators, evaluatorName: evaluatorName, path: path)
        let root = try compiler.compile(rule, depth: 1)
        return CompiledRule(root, of: flagKey, settings: evaluators.settings, size: compiler.size)
    }

    private mutating func compile(_ value: EncodedFlagValue, depth: Int) throws(FlagDefinitionProblem) -> Rule {
        size += 1
        try check(depth: depth)
        switch value {
        case .array(let elements):
            let parts = try compile(elements, depth: depth)
            return parts.allSatisfy { $0.value != nil } ? Rule(value) : Rule(nil, parts)
        case .object(let members):
            // To JsonLogic, an object is an operation only if it has exactly one member.
            guard members.count == 1, let (name, argument) = members.first else { return Rule(value) }
            path.append(name)
            defer { path.removeLast() }
            return try compile(operation: name, argument, depth: depth)
        default: return Rule(value)
        }
    }

    private mutating func compile(
        _ values: [EncodedFlagValue], depth: Int
    ) throws(FlagDefinitionProblem) -> [Rule] {
        var rules: [Rule] = []
        rules.reserveCapacity(values.count)
        for (position, value) in values.enumerated() {
            path.append(String(position))
            rules.append(try compile(value, depth: depth + 1))
            path.removeLast()
        }
        return rules
    }

    private mutating func compile(
        operation name: String, _ argument: EncodedFlagValue, depth: Int
    ) throws(FlagDefinitionProblem) -> Rule {
        guard let operation = RuleOperator.byName[name] else {
            let advice = evaluators.operators.advice(for: name, otherwise: "correct its name or remove the rule")
            throw failure("there is no operator \(name.quoted); \(advice)")
        }
        if name == "$ref" {
            return Rule(operation, [Rule(argument)], hasList: false, .reference(try reference(argument, depth: depth)))
        }
        if case .array(let elements) = argument {
            let arguments = try compile(elements, depth: depth)
            return Rule(operation, arguments, try preparation(name, elements, arguments))
        }
        let arguments = [try compile(argument, depth: depth + 1)]
        return Rule(operation, arguments, hasList: false, try preparation(name, [argument], arguments))
    }

    private func preparation(
        _ name: String, _ values: [EncodedFlagValue], _ arguments: [Rule]
    ) throws(FlagDefinitionProblem) -> Rule.Preparation? {
        switch name {
        case "var":
            guard case .string(let text)? = values.first else { return nil }
            guard let path = VariablePath(text) else {
                let limit = VariablePath.nameLimit.byteText
                throw failure(
                    "the name of an attribute has more than \(limit) or 30 combining marks in a row; make it shorter")
            }
            return .path(path)
        case "fractional":
            // A share that stands first means that the key is left out.
            let hasKey = if case .array? = values.first { false } else { !values.isEmpty }
            let shares = values.dropFirst(hasKey ? 1 : 0)
            guard arguments.suffix(shares.count).allSatisfy({ $0.value != nil }) else { return nil }
            return FractionalShares(shares).map { .shares($0) }
        default: return nil
        }
    }

    private mutating func reference(
        _ argument: EncodedFlagValue, depth: Int
    ) throws(FlagDefinitionProblem) -> Rule {
        guard case .string(let name) = argument else {
            throw failure("\"$ref\" needs the name of a rule in \"$evaluators\" as a text")
        }
        if let evaluatorName {
            throw failure(
                """
                the evaluator \(evaluatorName.quoted) refers to the evaluator \(name.quoted); write out what it refers \
                to, since evaluators cannot be nested
                """)
        }
        guard name.utf8.count <= VariablePath.nameLimit, let compiled = evaluators.rules[name] else {
            let advice = evaluators.names.advice(for: name, otherwise: "add it or correct the name")
            throw failure("there is no \(name.quoted) in \"$evaluators\"; \(advice)")
        }
        let place = JSONPointer.text(path)
        let rule = try compiled.mapError { FlagDefinitionProblem(path: place + $0.path, message: $0.message) }.get()
        // It counts towards the size once.
        if named.insert(ObjectIdentifier(rule)).inserted { sharedSize += rule.size }
        try check(depth: depth + Int(rule.root.height))
        return rule.root
    }

    // MARK: Limits

    /// - Parameter depth: The depth of a value, which may stand inside as many levels as there may be.
    private func check(depth: Int) throws(FlagDefinitionProblem) {
        if size + sharedSize > RuleLimits.size {
            throw failure("the rule has more than \(RuleLimits.size) values; split it")
        }
        if depth > RuleLimits.depth + 1 {
            throw failure("the rule is nested more than \(RuleLimits.depth) levels deep; make it flatter")
        }
    }

    private func failure(_ message: String) -> FlagDefinitionProblem {
        FlagDefinitionProblem(path: JSONPointer.text(path), message: message)
    }
}
