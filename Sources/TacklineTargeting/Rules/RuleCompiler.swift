import TacklineCore

/// Turns a rule from its JSON form into a program.
///
/// Recursion is bounded by the depth limit, and what `$ref` names is compiled once for each rule, however often it is
/// named.
struct RuleCompiler {
    private let evaluators: [String: EncodedFlagValue]
    private let limits: TargetingLimits
    var nodes: [RuleNode] = []
    /// For each node how many levels it needs, itself included.
    private var heights: [Int] = []
    var arguments: [Int32] = []
    var constants: [EncodedFlagValue] = []
    var paths: [VariablePath] = []
    var sets: [Set<ExactText>] = []
    var versionTests: [VersionTest] = []
    var affixTests: [AffixTest] = []
    var splits: [ConstantSplit] = []
    var splitShares: [SplitShare] = []
    var splitPieces: [SplitPiece] = []

    private var compiledEvaluators: [String: Int32] = [:]
    private var currentEvaluator: String?
    private var size = 0
    /// How many values the document's flags may still take from evaluators.
    private var remainingShared: Int
    private var path: [String]

    private init(
        evaluators: [String: EncodedFlagValue], limits: TargetingLimits, remainingShared: Int, path: [String]
    ) {
        self.evaluators = evaluators
        self.limits = limits
        self.remainingShared = remainingShared
        self.path = path
    }

    /// Compiles a rule.
    ///
    /// - Parameter path: Where the rule stands in its document, for errors.
    static func compile(
        _ rule: EncodedFlagValue, of flagKey: String = "", evaluators: [String: EncodedFlagValue],
        settings: RuleSettings, path: [String] = []
    ) throws(TargetingError) -> RuleProgram {
        var remainingShared = settings.limits.maximumSharedSize
        return try compile(
            rule, of: flagKey, evaluators: evaluators, settings: settings, path: path, remainingShared: &remainingShared
        )
    }

    /// Compiles one of a document's rules.
    ///
    /// - Parameter remainingShared: How many values the document's rules may still take from evaluators; what this one takes
    ///   is taken off, whatever comes of it.
    static func compile(
        _ rule: EncodedFlagValue, of flagKey: String, evaluators: [String: EncodedFlagValue], settings: RuleSettings,
        path: [String], remainingShared: inout Int
    ) throws(TargetingError) -> RuleProgram {
        let limits = settings.limits
        var compiler = RuleCompiler(
            evaluators: evaluators, limits: limits, remainingShared: remainingShared, path: path)
        defer { remainingShared = compiler.remainingShared }
        let root = try compiler.compile(rule, depth: 1)
        guard compiler.heights[Int(root)] <= limits.maximumDepth else { throw compiler.tooDeep }
        return RuleProgram(
            nodes: compiler.nodes, arguments: compiler.arguments, constants: compiler.constants, paths: compiler.paths,
            sets: compiler.sets, versionTests: compiler.versionTests, affixTests: compiler.affixTests,
            splits: compiler.splits, splitShares: compiler.splitShares, splitPieces: compiler.splitPieces, root: root,
            flagKey: flagKey, settings: settings
        )
    }

    // MARK: Values

    private mutating func compile(_ value: EncodedFlagValue, depth: Int) throws(TargetingError) -> Int32 {
        size += 1
        guard size <= limits.maximumSize else {
            throw failure("the rule has more than \(limits.maximumSize) values; split it or raise the limit")
        }
        if currentEvaluator != nil { try takeShared(1) }
        guard depth <= limits.maximumDepth else { throw tooDeep }
        switch value {
        case .array(let elements):
            if try isConstant(value, depth: depth) { return add(constant: value) }
            let indexes = try compile(elements, depth: depth)
            return add(RuleNode(kind: .list), arguments: indexes)
        case .object(let members):
            // JsonLogic takes an object for an operation only if it has exactly one member.
            guard members.count == 1, let (name, argument) = members.first else { return add(constant: value) }
            return try compile(operation: name, argument, depth: depth)
        default:
            return add(constant: value)
        }
    }

    private mutating func compile(_ values: [EncodedFlagValue], depth: Int) throws(TargetingError) -> [Int32] {
        var indexes: [Int32] = []
        for (position, value) in values.enumerated() {
            path.append(String(position))
            indexes.append(try compile(value, depth: depth + 1))
            path.removeLast()
        }
        return indexes
    }

    /// Whether a value holds no operation. Its elements count towards the size.
    private mutating func isConstant(_ value: EncodedFlagValue, depth: Int) throws(TargetingError) -> Bool {
        switch value {
        case .array(let elements):
            guard depth <= limits.maximumDepth else { throw tooDeep }
            for element in elements where try !isConstant(element, depth: depth + 1) { return false }
            size += elements.count
            if currentEvaluator != nil { try takeShared(elements.count) }
            guard size <= limits.maximumSize else {
                throw failure("the rule has more than \(limits.maximumSize) values; split it or raise the limit")
            }
            return true
        case .object(let members): return members.count != 1
        default: return true
        }
    }

    private mutating func takeShared(_ count: Int) throws(TargetingError) {
        remainingShared -= count
        guard remainingShared >= 0 else {
            throw failure(
                "the flags of the document take more than \(limits.maximumSharedSize) values from \"$evaluators\"; "
                    + "make what they refer to shorter or raise the limit")
        }
    }

    // MARK: Operations

    private mutating func compile(
        operation name: String, _ argument: EncodedFlagValue, depth: Int
    ) throws(TargetingError) -> Int32 {
        path.append(name)
        defer { path.removeLast() }
        if name == "$ref" { return try compile(reference: argument, depth: depth) }
        guard let operation = RuleOperator(rawValue: name) else {
            throw failure("there is no operator \"\(name)\"; correct its name or remove the rule")
        }
        let values: [EncodedFlagValue]
        let indexes: [Int32]
        if case .array(let elements) = argument {
            values = elements
            indexes = try compile(elements, depth: depth)
        } else {
            // A single argument may stand without a list around it.
            values = [argument]
            indexes = [try compile(argument, depth: depth + 1)]
        }
        switch operation {
        case .variable: return addVariable(values, indexes)
        case .fractional: return addFractional(values, indexes)
        case .contains: return addContains(indexes)
        case .semanticVersion: return addVersionTest(indexes)
        case .startsWith, .endsWith: return addAffixTest(operation, indexes)
        default: return add(RuleNode(kind: .operation, operation: operation), arguments: indexes)
        }
    }

    private mutating func compile(reference: EncodedFlagValue, depth: Int) throws(TargetingError) -> Int32 {
        guard case .string(let name) = reference else {
            throw failure("\"$ref\" needs the name of a rule in \"$evaluators\" as a text")
        }
        if let outer = currentEvaluator {
            let advice = "write out what it refers to, since evaluators cannot be nested"
            if outer == name { throw failure("the evaluator \"\(name)\" refers to itself; \(advice)") }
            throw failure("the evaluator \"\(outer)\" refers to the evaluator \"\(name)\"; \(advice)")
        }
        if let index = compiledEvaluators[name] { return index }
        guard let rule = evaluators[name] else {
            throw failure("there is no \"\(name)\" in \"$evaluators\"; add it or correct the name")
        }
        currentEvaluator = name
        let index = try compile(rule, depth: depth)
        currentEvaluator = nil
        compiledEvaluators[name] = index
        return index
    }

    // MARK: Nodes

    func constant(_ index: Int32) -> EncodedFlagValue? {
        let node = nodes[Int(index)]
        return node.kind == .constant ? constants[Int(node.payload)] : nil
    }

    private mutating func add(constant: EncodedFlagValue) -> Int32 {
        constants.append(constant)
        return add(RuleNode(kind: .constant, payload: Int32(constants.count - 1)), arguments: [])
    }

    mutating func add(_ node: RuleNode, arguments indexes: [Int32]) -> Int32 {
        var node = node
        node.firstArgument = Int32(arguments.count)
        node.argumentCount = Int32(indexes.count)
        arguments.append(contentsOf: indexes)
        nodes.append(node)
        heights.append(1 + (indexes.map { heights[Int($0)] }.max() ?? 0))
        return Int32(nodes.count - 1)
    }

    // MARK: Errors

    private var tooDeep: TargetingError {
        failure("the rule is nested more than \(limits.maximumDepth) levels deep; make it flatter")
    }

    private func failure(_ message: String) -> TargetingError {
        TargetingError(code: .parseError, path: JSONPointer.text(path), message: message)
    }
}
