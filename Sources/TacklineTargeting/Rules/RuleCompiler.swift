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

    static let none = SharedRules([:])

    let rules: [String: EncodedFlagValue]
    /// The number of flags with rules in the document, which share a total of steps.
    let ruleCount: Int
    /// A search for the name of the evaluator that was probably meant.
    let suggestion: KeySuggestion
    /// A search for the operator that was probably meant.
    let operators: KeySuggestion
    private let compiled = Mutex<[String: Result<Compiled, TargetingError>]>([:])

    init(
        _ rules: [String: EncodedFlagValue], ruleCount: Int = 1, budget: KeySuggestion.Budget = KeySuggestion.Budget()
    ) {
        self.rules = rules
        self.ruleCount = ruleCount
        operators = KeySuggestion(KnownNames.operators, budget: budget)
        suggestion = KeySuggestion(rules.keys.sorted(), budget: budget)
    }

    /// Returns a compiled evaluator.
    ///
    /// - Throws: The mistake in it, with its place inside the evaluator.
    func rule(_ name: String, settings: RuleSettings) throws(TargetingError) -> Compiled {
        if let known = compiled.withLock({ $0[name] }) { return try known.get() }
        let result = Result { () throws(TargetingError) in
            try RuleCompiler.compile(evaluator: name, of: self, settings: settings)
        }
        compiled.withLock { $0[name] = result }
        return try result.get()
    }
}

/// A compiler that turns one rule from its JSON form into a tree. The depth limit bounds its recursion.
struct RuleCompiler {
    private let evaluators: SharedRules
    private let settings: RuleSettings
    /// The name of the evaluator that is compiled; `nil` for a flag's rule.
    private var evaluatorName: String?
    private var size = 0
    /// The part of the size that belongs to evaluators.
    private var sharedSize = 0
    /// The evaluators that the rule has named.
    private var named: Set<ObjectIdentifier> = []
    private var path: [String]

    private init(_ evaluators: SharedRules, _ settings: RuleSettings, path: [String] = []) {
        (self.evaluators, self.settings, self.path) = (evaluators, settings, path)
    }

    /// Compiles a rule.
    ///
    /// - Parameter path: The rule's place in its document, for errors.
    static func compile(
        _ rule: EncodedFlagValue, of flagKey: String = "", at path: [String] = [], evaluators: SharedRules,
        settings: RuleSettings
    ) throws(TargetingError) -> CompiledRule {
        var compiler = RuleCompiler(evaluators, settings, path: path)
        let root = try compiler.compile(rule, depth: 1)
        // Without the evaluators, whose size would count for each rule that names them.
        let ownSize = compiler.size - compiler.sharedSize
        let steps = settings.limits.steps(forSize: ownSize, ofOneAmong: evaluators.ruleCount)
        return CompiledRule(root, of: flagKey, settings: settings, maximumSteps: steps)
    }

    /// Compiles an evaluator. The place of an error is relative to the evaluator.
    fileprivate static func compile(
        evaluator name: String, of evaluators: SharedRules, settings: RuleSettings
    ) throws(TargetingError) -> SharedRules.Compiled {
        var compiler = RuleCompiler(evaluators, settings)
        compiler.evaluatorName = name
        let root = try compiler.compile(evaluators.rules[name] ?? .null, depth: 1)
        return (root, compiler.size)
    }

    private mutating func compile(_ value: EncodedFlagValue, depth: Int) throws(TargetingError) -> Rule {
        try add(size: 1)
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

    private mutating func compile(_ values: [EncodedFlagValue], depth: Int) throws(TargetingError) -> [Rule] {
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
    ) throws(TargetingError) -> Rule {
        guard let position = RuleOperator.positions[name] else {
            let advice = evaluators.operators.advice(for: name, otherwise: "correct its name or remove the rule")
            throw failure("there is no operator \(name.quoted); \(advice)")
        }
        if name == "$ref" {
            let root = try reference(argument, depth: depth)
            return Rule(position, [Rule(argument)], hasList: false, .reference(root))
        }
        guard case .array(let elements) = argument else {
            try check(depth: depth)
            let arguments = [try compile(argument, depth: depth + 1)]
            let preparation = try preparation(name, [argument], arguments)
            return Rule(position, arguments, hasList: false, preparation)
        }
        let arguments = try compile(elements, depth: depth)
        return Rule(position, arguments, try preparation(name, elements, arguments))
    }

    private func preparation(
        _ name: String, _ values: [EncodedFlagValue], _ arguments: [Rule]
    ) throws(TargetingError) -> Rule.Preparation {
        switch name {
        case "var":
            let text: String
            switch values.first {
            case nil, .null?: text = ""
            case .string(let name)?: text = name
            case .bool(let flag)?: text = flag ? "true" : "false"
            case .array?, .object?: return .none
            case let value?: text = ScriptNumber.text(value.scriptNumber)
            }
            if let path = VariablePath(text) { return .path(path) }
            let limit = VariablePath.nameLimit.byteText
            throw failure("the name of an attribute has more than \(limit); make it shorter")
        case "in":
            guard values.count > 1, case .array(let elements) = values[1], elements.count > 4 else { return .none }
            let texts = elements.compactMap { if case .string(let text) = $0 { Array(text.utf8) } else { nil } }
            return texts.count == elements.count ? .texts(Set(texts)) : .none
        case "fractional":
            let isKeyLeftOut = if case .array? = values.first { true } else { false }
            let shares = values.dropFirst(isKeyLeftOut ? 0 : 1)
            guard arguments.suffix(shares.count).allSatisfy({ $0.value != nil }) else { return .none }
            return FractionalShares(shares, hasKey: !isKeyLeftOut).map { .shares($0) } ?? .none
        default: return .none
        }
    }

    /// Returns the root of the evaluator that a `$ref` names.
    private mutating func reference(_ argument: EncodedFlagValue, depth: Int) throws(TargetingError) -> Rule {
        guard case .string(let name) = argument else {
            throw failure("\"$ref\" needs the name of a rule in \"$evaluators\" as a text")
        }
        if let outer = evaluatorName {
            let advice = "write out what it refers to, since evaluators cannot be nested"
            if outer == name { throw failure("the evaluator \(name.quoted) refers to itself; \(advice)") }
            throw failure("the evaluator \(outer.quoted) refers to the evaluator \(name.quoted); \(advice)")
        }
        guard name.utf8.count <= VariablePath.nameLimit, evaluators.rules[name] != nil else {
            let advice = evaluators.suggestion.advice(for: name, otherwise: "add it or correct the name")
            throw failure("there is no \(name.quoted) in \"$evaluators\"; \(advice)")
        }
        let (root, size): SharedRules.Compiled
        do {
            (root, size) = try evaluators.rule(name, settings: settings)
        } catch {
            throw TargetingError(code: error.code, path: JSONPointer.text(path) + error.path, message: error.message)
        }
        // It counts towards the size once.
        if named.insert(ObjectIdentifier(root)).inserted {
            sharedSize += size
            try add(size: size)
        }
        try check(depth: depth - 1 + Int(root.height))
        return root
    }

    // MARK: Limits

    private mutating func add(size count: Int) throws(TargetingError) {
        size += count
        guard size > settings.limits.maximumSize else { return }
        throw failure("the rule has more than \(settings.limits.maximumSize) values; split it or raise the limit")
    }

    private func check(depth: Int) throws(TargetingError) {
        guard depth > settings.limits.maximumDepth else { return }
        throw failure("the rule is nested more than \(settings.limits.maximumDepth) levels deep; make it flatter")
    }

    private func failure(_ message: String) -> TargetingError {
        TargetingError(code: .parseError, path: JSONPointer.text(path), message: message)
    }
}
