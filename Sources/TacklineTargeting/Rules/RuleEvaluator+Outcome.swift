extension RuleEvaluator {
    /// The part of a rule that its conditions lead to: a constant, as in a rule that names variants, null, or a node
    /// that is not yet evaluated.
    enum Outcome {
        case constant(Int32)
        case null
        case node(Int32)
    }

    /// Follows conditions to the part that they lead to, without making a value.
    mutating func outcome(of index: Int32) throws(RuleFailure) -> Outcome {
        let node = program.parts.nodes[Int(index)]
        switch node.kind {
        case .constant:
            return .constant(node.payload)
        case .split:
            let split = program.parts.splits[Int(node.payload)]
            if case .node = split.key { return .node(index) }
            try charge(1)
            return try constant(of: split).map { .constant($0) } ?? .null
        case .branches:
            try charge(1)
            guard let index = try branch(of: node) else { return .null }
            return try outcome(of: index)
        case .list, .variable, .reference, .operation:
            return .node(index)
        }
    }
}
