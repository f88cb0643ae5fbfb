import TacklineCore

extension RuleEvaluator {
    mutating func list(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        switch node.operation {
        case .merge: return .array(try merge(node))
        case .reduce: return try reduce(node)
        case .map: return .array(try map(node))
        case .filter: return .array(try filter(node))
        default: return .bool(try quantify(node))
        }
    }

    /// The elements of a node's first argument; none where it is no list.
    private mutating func elements(of node: RuleNode) throws(RuleFailure) -> [EncodedFlagValue] {
        guard case .array(let elements) = try evaluate(argument: 0, of: node) else { return [] }
        return elements
    }

    private mutating func merge(_ node: RuleNode) throws(RuleFailure) -> [EncodedFlagValue] {
        var merged: [EncodedFlagValue] = []
        for position in 0..<Int(node.argumentCount) {
            switch try evaluate(argument: position, of: node) {
            case .array(let elements):
                try charge(elements.count)
                merged.append(contentsOf: elements)
            case let value: merged.append(value)
            }
        }
        return merged
    }

    private mutating func map(_ node: RuleNode) throws(RuleFailure) -> [EncodedFlagValue] {
        let elements = try elements(of: node)
        let outer = scope
        var mapped: [EncodedFlagValue] = []
        for element in elements {
            try charge(1)
            scope = RuleScope(element)
            mapped.append(try evaluate(argument: 1, of: node))
        }
        scope = outer
        return mapped
    }

    private mutating func filter(_ node: RuleNode) throws(RuleFailure) -> [EncodedFlagValue] {
        let elements = try elements(of: node)
        let outer = scope
        var kept: [EncodedFlagValue] = []
        for element in elements {
            try charge(1)
            scope = RuleScope(element)
            if try isTrue(argument(1, of: node)) { kept.append(element) }
        }
        scope = outer
        return kept
    }

    /// `all` (false for no elements), `none` and `some`.
    private mutating func quantify(_ node: RuleNode) throws(RuleFailure) -> Bool {
        let elements = try elements(of: node)
        if elements.isEmpty { return node.operation == .none }
        let outer = scope
        let decisive = node.operation != .all
        var isDecided = false
        for element in elements {
            try charge(1)
            scope = RuleScope(element)
            if try isTrue(argument(1, of: node)) == decisive {
                isDecided = true
                break
            }
        }
        scope = outer
        return node.operation == .some ? isDecided : !isDecided
    }

    private mutating func reduce(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        let list = try evaluate(argument: 0, of: node)
        var accumulator = try evaluate(argument: 2, of: node)
        guard case .array(let elements) = list else { return accumulator }
        let outer = scope
        for element in elements {
            try charge(1)
            scope = RuleScope(element, accumulator: accumulator)
            accumulator = try evaluate(argument: 1, of: node)
            // The one value that a loop carries on, and so the one that could grow without bound.
            try checkDepth(of: accumulator)
        }
        scope = outer
        return accumulator
    }
}
