import TacklineCore

/// Evaluates one compiled rule once.
///
/// Its stack use is bounded, because a rule's depth is checked when it is compiled and values are walked to a fixed depth;
/// its time and memory are bounded by steps, which everything that loops or makes something is charged for. Operators live
/// in small functions of their own: in an unoptimised build the frame of a function holds the temporaries of all its cases.
struct RuleEvaluator: ~Copyable {
    let program: RuleProgram
    let context: EvaluationContext
    /// `nil` for the context.
    var scope: RuleScope?
    var remainingSteps: Int
    /// Whether a split has decided what is being returned.
    var isSplit = false
    /// Whether a split was given null to bucket by, which the third generation reports.
    var hadNoKey = false
    /// The time that the rule sees, in seconds since 1970; `nil` for that of its document.
    var timestamp: Int64?
    /// Which way to take through splits, for a simulation; `nil` to go by the bucketing.
    var decisions: SplitDecisions?

    @inline(__always)
    init(program: RuleProgram, context: EvaluationContext, scope: RuleScope? = nil) {
        self.program = program
        self.context = context
        self.scope = scope
        remainingSteps = program.settings.limits.maximumSteps
    }

    /// Pays for work before it is done.
    @inline(__always)
    mutating func charge(_ steps: Int) throws(RuleFailure) {
        remainingSteps -= steps
        if remainingSteps < 0 { throw .tooManySteps }
    }

    /// The index of a node's argument, `nil` past the last one.
    @inline(__always)
    func argument(_ position: Int, of node: RuleNode) -> Int32? {
        position < Int(node.argumentCount) ? program.arguments[Int(node.firstArgument) + position] : nil
    }

    /// The value of a node's argument; null past the last one.
    @inline(__always)
    mutating func evaluate(argument position: Int, of node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        guard let index = argument(position, of: node) else { return .null }
        return try evaluate(index)
    }

    /// The value of a node.
    mutating func evaluate(_ index: Int32) throws(RuleFailure) -> EncodedFlagValue {
        try charge(1)
        let node = program.nodes[Int(index)]
        switch node.kind {
        case .constant: return program.constants[Int(node.payload)]
        case .list: return .array(try evaluateArguments(of: node))
        case .variable, .variableByName: return try variable(node)
        case .containsConstant, .versionTest, .affixTest: return try test(node)
        case .constantSplit: return try split(node)
        case .operation: return try operate(node)
        }
    }

    mutating func evaluateArguments(of node: RuleNode) throws(RuleFailure) -> [EncodedFlagValue] {
        var values: [EncodedFlagValue] = []
        values.reserveCapacity(Int(node.argumentCount))
        for position in 0..<Int(node.argumentCount) {
            values.append(try evaluate(argument: position, of: node))
        }
        return values
    }

    /// Whether a node's value is truthy, without making the value where an operator answers with yes or no.
    mutating func isTrue(_ index: Int32?) throws(RuleFailure) -> Bool {
        guard let index else { return false }
        let node = program.nodes[Int(index)]
        if node.kind == .affixTest { return try hasAffix(node) ?? false }
        guard node.kind == .operation else { return try evaluate(index).isTruthy }
        try charge(1)
        switch node.operation {
        case .equal, .notEqual, .identical, .notIdentical: return try areEqual(node)
        case .greater, .greaterOrEqual, .less, .lessOrEqual: return try areOrdered(node)
        case .not: return try !isTrue(argument(0, of: node))
        case .truth: return try isTrue(argument(0, of: node))
        case .startsWith, .endsWith: return try hasAffix(node) ?? false
        default: return try operate(node).isTruthy
        }
    }

    private mutating func operate(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        switch node.operation {
        case .condition, .ternary: return try condition(node)
        case .and, .or: return try junction(node)
        case .equal, .notEqual, .identical, .notIdentical: return .bool(try areEqual(node))
        case .greater, .greaterOrEqual, .less, .lessOrEqual: return .bool(try areOrdered(node))
        case .not: return .bool(try !isTrue(argument(0, of: node)))
        case .truth: return .bool(try isTrue(argument(0, of: node)))
        case .plus, .times, .minus, .divide, .remainder, .maximum, .minimum: return try arithmetic(node)
        case .map, .filter, .all, .none, .some, .reduce, .merge: return try list(node)
        case .variable, .missing, .missingSome: return try missing(node)
        case .join, .substring, .contains, .startsWith, .endsWith: return try textOperation(node)
        case .semanticVersion, .fractional: return try flagdOperation(node)
        case .log: return try evaluate(argument: 0, of: node)
        }
    }
}
