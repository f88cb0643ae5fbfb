import Synchronization
import TacklineCore
import TacklineFiles

/// The evaluators of a document, which `$ref` names.
///
/// Each is compiled when a rule names it for the first time, and shared by all rules that name it: a short document may
/// name a large evaluator any number of times.
final class SharedRules: Sendable {
    /// A compiled evaluator, and the number of values that it consists of.
    typealias Compiled = (root: Rule, size: Int)

    let rules: [String: EncodedFlagValue]
    let suggestion: KeySuggestion
    let operators: KeySuggestion
    private let compiled = Mutex<[String: Result<Compiled, FlagDefinitionProblem>]>([:])

    init(_ rules: [String: EncodedFlagValue] = [:], budget: KeySuggestion.Budget = KeySuggestion.Budget()) {
        self.rules = rules
        operators = KeySuggestion(RuleOperator.byName.keys, budget: budget)
        suggestion = KeySuggestion(rules.keys, budget: budget)
    }

    /// Returns a compiled evaluator.
    ///
    /// - Throws: The mistake in it, with its place inside the evaluator.
    func rule(_ name: String) throws(FlagDefinitionProblem) -> Compiled {
        if let known = compiled.withLock({ $0[name] }) { return try known.get() }
        let result = Result { () throws(FlagDefinitionProblem) in
            try RuleCompiler.compile(evaluator: name, of: self)
        }
        compiled.withLock { $0[name] = result }
        return try result.get()
    }
}

/// A compiler that turns one rule from its JSON form into a tree. The depth limit bounds its recursion.
struct RuleCompiler {
    private let evaluators: SharedRules
    /// The name of the evaluator that is compiled; `nil` for a flag's rule.
    private var evaluatorName: String?
    private var size = 0
    /// The size of the evaluators that the rule has named.
    private var sharedSize = 0
    private var named: Set<ObjectIdentifier> = []
    private var path: [String] = []

    private init(_ evaluators: SharedRules) { self.evaluators = evaluators }

    /// - Parameter path: The rule's place in its document, for errors.
    static func compile(
        _ rule: EncodedFlagValue, of flagKey: String = "", at path: [String] = [], evaluators: SharedRules,
        settings: RuleSettings
    ) throws(FlagDefinitionProblem) -> CompiledRule {
        var compiler = RuleCompiler(evaluators)
        compiler.path = path
        let root = try compiler.compile(rule, depth: 1)
        return CompiledRule(root, of: flagKey, settings: settings, size: compiler.size)
    }

    /// Compiles an evaluator. The place of an error is relative to the evaluator.
    fileprivate static func compile(
        evaluator name: String, of evaluators: SharedRules
    ) throws(FlagDefinitionProblem) -> SharedRules.Compiled {
        var compiler = RuleCompiler(evaluators)
        compiler.evaluatorName = name
        let root = try compiler.compile(evaluators.rules[name] ?? .null, depth: 1)
        return (root, compiler.size)
    }

    private mutating func compile(_ value: EncodedFlagValue, depth: Int) throws(FlagDefinitionProblem) -> Rule {
        size += 1
        try checkSize()
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
        try check(depth: depth)
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
        try check(depth: depth)
        let arguments = [try compile(argument, depth: depth + 1)]
        return Rule(operation, arguments, hasList: false, try preparation(name, [argument], arguments))
    }

    private func preparation(
        _ name: String, _ values: [EncodedFlagValue], _ arguments: [Rule]
    ) throws(FlagDefinitionProblem) -> Rule.Preparation {
        switch name {
        case "var":
            guard case .string(let text)? = values.first else { return .none }
            guard let path = VariablePath(text) else {
                let limit = VariablePath.nameLimit.byteText
                throw failure("the name of an attribute has more than \(limit); make it shorter")
            }
            return .path(path)
        case "fractional":
            let isKeyLeftOut = if case .array? = values.first { true } else { false }
            let shares = values.dropFirst(isKeyLeftOut ? 0 : 1)
            guard arguments.suffix(shares.count).allSatisfy({ $0.value != nil }) else { return .none }
            return FractionalShares(shares, hasKey: !isKeyLeftOut).map { .shares($0) } ?? .none
        default: return .none
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
        guard name.utf8.count <= VariablePath.nameLimit, evaluators.rules[name] != nil else {
            let advice = evaluators.suggestion.advice(for: name, otherwise: "add it or correct the name")
            throw failure("there is no \(name.quoted) in \"$evaluators\"; \(advice)")
        }
        let (root, size): SharedRules.Compiled
        do {
            (root, size) = try evaluators.rule(name)
        } catch {
            throw FlagDefinitionProblem(path: JSONPointer.text(path) + error.path, message: error.message)
        }
        // It counts towards the size once.
        if named.insert(ObjectIdentifier(root)).inserted { sharedSize += size }
        try checkSize()
        try check(depth: depth - 1 + Int(root.height))
        return root
    }

    // MARK: Limits

    private func checkSize() throws(FlagDefinitionProblem) {
        guard size + sharedSize > RuleLimits.size else { return }
        throw failure("the rule has more than \(RuleLimits.size) values; split it")
    }

    private func check(depth: Int) throws(FlagDefinitionProblem) {
        guard depth > RuleLimits.depth else { return }
        throw failure("the rule is nested more than \(RuleLimits.depth) levels deep; make it flatter")
    }

    private func failure(_ message: String) -> FlagDefinitionProblem {
        FlagDefinitionProblem(path: JSONPointer.text(path), message: message)
    }
}
