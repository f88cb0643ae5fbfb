extension RuleEvaluator {
    /// Where a rule's conditions lead: to one of its constants, as in a rule that names variants, to null, or to a node that is
    /// still to be evaluated.
    enum Outcome {
        case constant(Int32)
        case null
        case node(Int32)
    }

    /// Follows conditions to what they lead to, without making any value on the way.
    mutating func outcome(of index: Int32) throws(RuleFailure) -> Outcome {
        let node = program.nodes[Int(index)]
        switch node.kind {
        case .constant:
            return .constant(node.payload)
        case .constantSplit:
            let split = program.splits[Int(node.payload)]
            if case .node = split.key { return .node(index) }
            try charge(1)
            return try constant(of: split).map { .constant($0) } ?? .null
        case .operation where node.operation == .condition || node.operation == .ternary:
            try charge(1)
            return try branch(of: node)
        default:
            return .node(index)
        }
    }

    /// As ``condition(_:)``, but the branch that is taken is not evaluated if it is a constant.
    private mutating func branch(of node: RuleNode) throws(RuleFailure) -> Outcome {
        let wasSplit = isSplit
        var isSplitSoFar = false
        var position = 0
        let count = Int(node.argumentCount)
        while position + 1 < count {
            isSplit = false
            if try isTrue(argument(position, of: node)) {
                isSplit = isSplit || wasSplit
                return try outcome(of: program.arguments[Int(node.firstArgument) + position + 1])
            }
            isSplitSoFar = isSplitSoFar || isSplit
            position += 2
        }
        isSplit = wasSplit || isSplitSoFar
        guard position < count else { return .null }
        return try outcome(of: program.arguments[Int(node.firstArgument) + position])
    }
}
