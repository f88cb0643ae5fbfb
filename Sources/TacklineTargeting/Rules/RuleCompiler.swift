import TacklineCore

/// Turns a rule from its JSON form into a program.
///
/// Recursion is bounded by the depth limit, and what `$ref` names is compiled once for each rule, however often it is
/// named.
struct RuleCompiler {
    private let evaluators: [String: EncodedFlagValue]
    private let limits: TargetingLimits
    private var nodes: [RuleNode] = []
    /// For each node how many levels it needs, itself included.
    private var heights: [Int] = []
    private var arguments: [Int32] = []
    private var constants: [EncodedFlagValue] = []
    private var paths: [VariablePath] = []
    private var sets: [Set<ExactText>] = []
    private var versionTests: [VersionTest] = []
    private var affixTests: [AffixTest] = []
    private var splits: [ConstantSplit] = []

    private var compiledEvaluators: [String: Int32] = [:]
    private var currentEvaluator: String?
    private var size = 0
    private var path: [String]

    private init(evaluators: [String: EncodedFlagValue], limits: TargetingLimits, path: [String]) {
        self.evaluators = evaluators
        self.limits = limits
        self.path = path
    }

    /// Compiles a rule.
    ///
    /// - Parameter path: Where the rule stands in its document, for errors.
    static func compile(
        _ rule: EncodedFlagValue, of flagKey: String = "", evaluators: [String: EncodedFlagValue],
        settings: RuleSettings, path: [String] = []
    ) throws(TargetingError) -> RuleProgram {
        let limits = settings.limits
        var compiler = RuleCompiler(evaluators: evaluators, limits: limits, path: path)
        let root = try compiler.compile(rule, depth: 1)
        guard compiler.heights[Int(root)] <= limits.maximumDepth else { throw compiler.tooDeep }
        return RuleProgram(
            nodes: compiler.nodes, arguments: compiler.arguments, constants: compiler.constants, paths: compiler.paths,
            sets: compiler.sets, versionTests: compiler.versionTests, affixTests: compiler.affixTests,
            splits: compiler.splits, root: root, flagKey: flagKey, settings: settings
        )
    }

    // MARK: Values

    private mutating func compile(_ value: EncodedFlagValue, depth: Int) throws(TargetingError) -> Int32 {
        size += 1
        guard size <= limits.maximumSize else {
            throw failure("the rule has more than \(limits.maximumSize) values; split it or raise the limit")
        }
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
            guard size <= limits.maximumSize else {
                throw failure("the rule has more than \(limits.maximumSize) values; split it or raise the limit")
            }
            return true
        case .object(let members): return members.count != 1
        default: return true
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

    private mutating func addVariable(_ values: [EncodedFlagValue], _ indexes: [Int32]) -> Int32 {
        let name: String?
        switch values.first {
        case nil, .null?: name = ""
        case .string(let text)?: name = text
        case .integer(let number)?: name = ScriptNumber.text(Double(number))
        case .double(let number)?: name = ScriptNumber.text(number)
        case .bool(let flag)?: name = flag ? "true" : "false"
        default: name = nil
        }
        guard let name else { return add(RuleNode(kind: .variableByName), arguments: indexes) }
        paths.append(VariablePath(name))
        let node = RuleNode(kind: .variable, payload: Int32(paths.count - 1))
        return add(node, arguments: Array(indexes.dropFirst().prefix(1)))
    }

    private mutating func addContains(_ indexes: [Int32]) -> Int32 {
        let plain = RuleNode(kind: .operation, operation: .contains)
        guard indexes.count >= 2, case .array(let elements)? = constant(indexes[1]), elements.count > 4 else {
            return add(plain, arguments: indexes)
        }
        var texts: Set<ExactText> = []
        for element in elements {
            guard case .string(let text) = element else { return add(plain, arguments: indexes) }
            texts.insert(ExactText(text: text))
        }
        sets.append(texts)
        let node = RuleNode(kind: .containsConstant, payload: Int32(sets.count - 1))
        return add(node, arguments: [indexes[0]])
    }

    private mutating func addVersionTest(_ indexes: [Int32]) -> Int32 {
        guard indexes.count == 3, case .string(let name)? = constant(indexes[1]),
            let comparison = VersionComparison(rawValue: name),
            case .string(let text)? = constant(indexes[2]), let target = SemanticVersion(text)
        else { return add(RuleNode(kind: .operation, operation: .semanticVersion), arguments: indexes) }
        versionTests.append(VersionTest(comparison: comparison, target: target))
        let node = RuleNode(kind: .versionTest, payload: Int32(versionTests.count - 1))
        return add(node, arguments: [indexes[0]])
    }

    private mutating func addAffixTest(_ operation: RuleOperator, _ indexes: [Int32]) -> Int32 {
        guard indexes.count == 2, case .string(let affix)? = constant(indexes[1]) else {
            return add(RuleNode(kind: .operation, operation: operation), arguments: indexes)
        }
        affixTests.append(AffixTest(affix: affix, isPrefix: operation == .startsWith))
        return add(RuleNode(kind: .affixTest, payload: Int32(affixTests.count - 1)), arguments: [indexes[0]])
    }

    // MARK: Splits

    private mutating func addFractional(_ values: [EncodedFlagValue], _ indexes: [Int32]) -> Int32 {
        let plain = RuleNode(kind: .operation, operation: .fractional)
        guard let first = values.first, let (key, skipped) = splitKey(first, index: indexes[0]),
            let split = constantSplit(values.dropFirst(skipped), key: key)
        else { return add(plain, arguments: indexes) }
        splits.append(split)
        return add(RuleNode(kind: .constantSplit, payload: Int32(splits.count - 1)), arguments: indexes)
    }

    /// What a split buckets by, and how many arguments say so.
    private func splitKey(_ value: EncodedFlagValue, index: Int32) -> (SplitKey, Int)? {
        switch value {
        case .array: return (.targetingKey, 0)
        case .null: return (.targetingKey, 1)
        case .string: return (.joined([.node(index)]), 1)
        case .object(let members) where members.count == 1:
            let node = nodes[Int(index)]
            guard node.kind == .operation, node.operation == .join else { return (.node(index), 1) }
            let first = Int(node.firstArgument)
            return (.joined(arguments[first..<(first + Int(node.argumentCount))].map { piece($0) }), 1)
        default: return nil
        }
    }

    private func piece(_ index: Int32) -> SplitPiece {
        let node = nodes[Int(index)]
        guard node.kind == .variable, node.argumentCount == 0 else { return .node(index) }
        switch paths[Int(node.payload)].origin {
        case .flagKey: return .flagKey
        case .targetingKey: return .targetingKey
        default: return .node(index)
        }
    }

    private func constantSplit(_ shares: ArraySlice<EncodedFlagValue>, key: SplitKey) -> ConstantSplit? {
        var ends: [UInt32] = []
        var variants: [EncodedFlagValue] = []
        var total: Int64 = 0
        for share in shares {
            guard case .array(let parts) = share, (1...2).contains(parts.count), RuleEvaluator.isVariant(parts[0]),
                let weight = FractionalWeights.weight(parts.count > 1 ? parts[1] : .null)
            else { return nil }
            total += weight
            guard total <= FractionalWeights.maximum else { return nil }
            ends.append(UInt32(total))
            variants.append(parts[0])
        }
        return ConstantSplit(ends: ends, variants: variants, total: UInt32(total), key: key)
    }

    // MARK: Nodes

    private func constant(_ index: Int32) -> EncodedFlagValue? {
        let node = nodes[Int(index)]
        return node.kind == .constant ? constants[Int(node.payload)] : nil
    }

    private mutating func add(constant: EncodedFlagValue) -> Int32 {
        constants.append(constant)
        return add(RuleNode(kind: .constant, payload: Int32(constants.count - 1)), arguments: [])
    }

    private mutating func add(_ node: RuleNode, arguments indexes: [Int32]) -> Int32 {
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
