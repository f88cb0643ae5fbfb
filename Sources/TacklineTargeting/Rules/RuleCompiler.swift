import TacklineCore

/// A compiler that turns rules from their JSON form into a program.
///
/// Recursion is bounded by the depth limit. An evaluator that `$ref` names is compiled once for all rules of a
/// document.
struct RuleCompiler {
    let evaluators: SharedRules
    private let settings: RuleSettings
    private let limits: TargetingLimits
    /// The lists that were made so far.
    var parts = RuleParts()
    /// The number of levels that each node needs, itself included.
    private var heights: [Int] = []
    private var referenceNodes: [ExactText: Int32] = [:]
    /// The name of the evaluator that is compiled; `nil` for a flag's rule.
    private let evaluatorName: String?
    private var size = 0
    private var sharedSize = 0
    /// The evaluators that the present rule names.
    private var named: Set<Int32> = []
    private var origin: [String] = []
    private var path: [Step] = []

    private enum Step {
        case name(String)
        case position(Int)
    }

    /// Makes a compiler for the rules of a document.
    init(evaluators: SharedRules, settings: RuleSettings, evaluatorName: String? = nil) {
        self.evaluators = evaluators
        self.settings = settings
        limits = settings.limits
        self.evaluatorName = evaluatorName
    }

    /// Compiles a rule by itself.
    static func compile(
        _ rule: EncodedFlagValue, of flagKey: String = "", evaluators: SharedRules, settings: RuleSettings
    ) throws(TargetingError) -> RuleProgram {
        var compiler = RuleCompiler(evaluators: evaluators, settings: settings)
        return try compiler.program(of: rule, flagKey: flagKey)
    }

    /// Compiles an evaluator. The place of an error is relative to the evaluator.
    static func compile(
        evaluator name: String, _ rule: EncodedFlagValue, of evaluators: SharedRules, settings: RuleSettings
    ) throws(TargetingError) -> RuleProgram {
        var compiler = RuleCompiler(evaluators: evaluators, settings: settings, evaluatorName: name)
        return try compiler.program(of: rule, flagKey: "")
    }

    private mutating func program(of rule: EncodedFlagValue, flagKey: String) throws(TargetingError) -> RuleProgram {
        let part = try add(rule, path: [])
        return RuleProgram(part, of: code(), flagKey: flagKey)
    }

    /// Adds a rule to the code.
    ///
    /// - Parameter path: The rule's place in its document, for errors.
    mutating func add(_ rule: EncodedFlagValue, path origin: [String]) throws(TargetingError) -> RuleProgram.Part {
        self.origin = origin
        (size, sharedSize) = (0, 0)
        named.removeAll(keepingCapacity: true)
        path.removeAll(keepingCapacity: true)
        let firstConstant = parts.constants.count
        let root = try compile(rule, depth: 1)
        let height = heights[Int(root)]
        guard height <= limits.maximumDepth else { throw tooDeep }
        return RuleProgram.Part(
            root: root, constants: firstConstant..<parts.constants.count, size: size, ownSize: size - sharedSize,
            height: height)
    }

    /// Returns the code of all rules that were added.
    func code() -> RuleCode { RuleCode(parts, settings: settings) }

    // MARK: Values

    private mutating func compile(_ value: EncodedFlagValue, depth: Int) throws(TargetingError) -> Int32 {
        try add(size: 1)
        guard depth <= limits.maximumDepth else { throw tooDeep }
        switch value {
        case .array(let elements):
            if try isConstant(value, depth: depth) { return add(constant: value) }
            let indexes = try compile(elements, depth: depth)
            return add(RuleNode(kind: .list), arguments: indexes)
        case .object(let members):
            // To JsonLogic, an object is an operation only if it has exactly one member.
            guard members.count == 1, let (name, argument) = members.first else { return add(constant: value) }
            return try compile(operation: name, argument, depth: depth)
        default:
            return add(constant: value)
        }
    }

    private mutating func compile(_ values: [EncodedFlagValue], depth: Int) throws(TargetingError) -> [Int32] {
        var indexes: [Int32] = []
        indexes.reserveCapacity(values.count)
        for (position, value) in values.enumerated() {
            path.append(.position(position))
            indexes.append(try compile(value, depth: depth + 1))
            path.removeLast()
        }
        return indexes
    }

    /// Returns whether a value holds no operation. Its elements count towards the size.
    private mutating func isConstant(_ value: EncodedFlagValue, depth: Int) throws(TargetingError) -> Bool {
        switch value {
        case .array(let elements):
            guard depth <= limits.maximumDepth else { throw tooDeep }
            for element in elements where try !isConstant(element, depth: depth + 1) { return false }
            try add(size: elements.count)
            return true
        case .object(let members): return members.count != 1
        default: return true
        }
    }

    private mutating func add(size count: Int) throws(TargetingError) {
        size += count
        guard size <= limits.maximumSize else {
            throw failure("the rule has more than \(limits.maximumSize) values; split it or raise the limit")
        }
    }

    // MARK: Operations

    private mutating func compile(
        operation name: String, _ argument: EncodedFlagValue, depth: Int
    ) throws(TargetingError) -> Int32 {
        path.append(.name(name))
        defer { path.removeLast() }
        guard let position = RuleOperator.positions[name] else {
            let advice = evaluators.operators.advice(for: name, otherwise: "correct its name or remove the rule")
            throw failure("there is no operator \(name.quoted); \(advice)")
        }
        let operation = RuleOperator.table[Int(position)]
        var node = RuleNode(kind: .operation, operation: position)
        if case .reference = operation.flow { return try compile(reference: argument, node) }
        let values: [EncodedFlagValue]
        let indexes: [Int32]
        if case .array(let elements) = argument {
            values = elements
            indexes = try compile(elements, depth: depth)
        } else {
            // A single argument may stand without a list around it.
            node.isList = false
            values = [argument]
            indexes = [try compile(argument, depth: depth + 1)]
        }
        if let payload = try operation.preparation?(&self, values, indexes) { node.payload = payload }
        switch operation.flow {
        case .branches: node.kind = .branches
        case .variable where node.isPrepared: node.kind = .variable
        case .shares where node.isPrepared: node.kind = .split
        default: break
        }
        return add(node, arguments: indexes)
    }

    private mutating func compile(
        reference: EncodedFlagValue, _ operation: RuleNode
    ) throws(TargetingError) -> Int32 {
        guard case .string(let name) = reference else {
            throw failure("\"$ref\" needs the name of a rule in \"$evaluators\" as a text")
        }
        if let outer = evaluatorName {
            let advice = "write out what it refers to, since evaluators cannot be nested"
            if outer == name { throw failure("the evaluator \(name.quoted) refers to itself; \(advice)") }
            throw failure("the evaluator \(outer.quoted) refers to the evaluator \(name.quoted); \(advice)")
        }
        if let index = referenceNodes[ExactText(text: name)] {
            try addShared(parts.references[Int(parts.nodes[Int(index)].payload)], at: index)
            return index
        }
        guard name.utf8.count <= VariablePath.nameLimit, evaluators.rules[name] != nil else {
            let advice = evaluators.suggestion.advice(for: name, otherwise: "add it or correct the name")
            throw failure("there is no \(name.quoted) in \"$evaluators\"; \(advice)")
        }
        let program: RuleProgram
        do {
            program = try evaluators.program(of: name, settings: settings)
        } catch {
            throw TargetingError(code: error.code, path: failure("").path + error.path, message: error.message)
        }
        parts.references.append(program)
        var node = operation
        (node.kind, node.isList, node.payload) = (.reference, false, Int32(parts.references.count - 1))
        let index = add(node, arguments: [add(constant: reference)])
        heights[Int(index)] = program.height
        referenceNodes[ExactText(text: name)] = index
        try addShared(program, at: index)
        return index
    }

    /// Adds the size of an evaluator, once for each rule.
    private mutating func addShared(_ program: RuleProgram, at index: Int32) throws(TargetingError) {
        guard named.insert(index).inserted else { return }
        sharedSize += program.size
        try add(size: program.size)
    }

    // MARK: Nodes

    /// Returns the value of a node that is a constant; `nil` for any other node.
    func constant(_ index: Int32) -> EncodedFlagValue? {
        let node = parts.nodes[Int(index)]
        return node.kind == .constant ? parts.constants[Int(node.payload)] : nil
    }

    /// Returns the path that a node asks for, if it asks for one and does nothing else.
    func plainPath(_ index: Int32) -> VariablePath? {
        let node = parts.nodes[Int(index)]
        return node.kind == .variable && node.argumentCount <= 1 ? parts.paths[Int(node.payload)] : nil
    }

    private mutating func add(constant: EncodedFlagValue) -> Int32 {
        parts.constants.append(constant)
        return add(RuleNode(kind: .constant, payload: Int32(parts.constants.count - 1)), arguments: [])
    }

    private mutating func add(_ node: RuleNode, arguments indexes: [Int32]) -> Int32 {
        var node = node
        node.firstArgument = Int32(parts.arguments.count)
        node.argumentCount = Int32(indexes.count)
        parts.arguments.append(contentsOf: indexes)
        parts.nodes.append(node)
        heights.append(1 + (indexes.map { heights[Int($0)] }.max() ?? 0))
        return Int32(parts.nodes.count - 1)
    }

    // MARK: Errors

    private var tooDeep: TargetingError {
        failure("the rule is nested more than \(limits.maximumDepth) levels deep; make it flatter")
    }

    func failure(_ message: String) -> TargetingError {
        let steps = path.map { step in
            switch step {
            case .name(let name): name
            case .position(let position): String(position)
            }
        }
        return TargetingError(code: .parseError, path: JSONPointer.text(origin + steps), message: message)
    }
}
