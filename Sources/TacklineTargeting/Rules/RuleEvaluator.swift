import TacklineCore

/// A single evaluation of a compiled rule.
///
/// Its stack use is bounded, because a rule's depth is checked when it is compiled and values are traversed to a fixed
/// depth. Its time and memory are bounded by steps, which every loop and every allocation is charged for. Operators are
/// small functions of their own: in an unoptimised build, the frame of a function holds the temporaries of all its
/// cases.
struct RuleEvaluator: ~Copyable {
    /// The code that is evaluated: that of the flag, or of an evaluator that the flag's rule refers to.
    var program: RuleCode
    /// The rule of the flag.
    let flag: RuleProgram
    let context: EvaluationContext
    /// The data of `var`; `nil` for the context.
    var scope: RuleScope?
    var remainingSteps: Int
    /// Whether a split has decided the value that is being returned.
    var isSplit = false
    /// Whether a split was given null to bucket by, which the third generation reports.
    var hadNoKey = false
    /// The time that the rule sees, in seconds since 1970; `nil` for that of its document.
    var timestamp: Int64?

    @inline(__always)
    init(program: RuleProgram, context: EvaluationContext, scope: RuleScope? = nil) {
        self.program = program.code
        flag = program
        self.context = context
        self.scope = scope
        remainingSteps = program.maximumSteps
    }

    /// Charges steps for work before it is done.
    @inline(__always)
    mutating func charge(_ steps: Int) throws(RuleFailure) {
        remainingSteps -= steps
        if remainingSteps < 0 { throw .tooManySteps }
    }

    /// Returns the index of a node's argument; `nil` past the last one.
    @inline(__always)
    func argument(_ position: Int, of node: RuleNode) -> Int32? {
        position < Int(node.argumentCount) ? program.parts.arguments[Int(node.firstArgument) + position] : nil
    }

    /// Returns the value of a node's argument; null past the last one.
    @inline(__always)
    mutating func evaluate(argument position: Int, of node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        guard let index = argument(position, of: node) else { return .null }
        return try evaluate(index)
    }

    /// Returns the value of a node.
    mutating func evaluate(_ index: Int32) throws(RuleFailure) -> EncodedFlagValue {
        try charge(1)
        let node = program.parts.nodes[Int(index)]
        switch node.kind {
        case .constant: return program.parts.constants[Int(node.payload)]
        case .list: return .array(try evaluateArguments(of: node))
        case .variable: return try variable(node)
        case .reference, .branches, .split, .operation: return try operate(node)
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

    /// Returns whether a node's value is truthy, without making the value if an operator gives true or false.
    mutating func isTrue(_ index: Int32?) throws(RuleFailure) -> Bool {
        guard let index else { return false }
        let node = program.parts.nodes[Int(index)]
        guard node.isOperation else { return try evaluate(index).isTruthy }
        try charge(1)
        switch program.evaluations[Int(node.operation)] {
        case .truth(let compute): return try compute(&self, node)
        case .truthOrNull(let compute): return try compute(&self, node) ?? false
        case .value(let compute): return try compute(&self, node).isTruthy
        }
    }

    /// Returns the result of a node's operator.
    mutating func operate(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        switch program.evaluations[Int(node.operation)] {
        case .truth(let compute): return .bool(try compute(&self, node))
        case .truthOrNull(let compute): return try compute(&self, node).map { .bool($0) } ?? .null
        case .value(let compute): return try compute(&self, node)
        }
    }
}
