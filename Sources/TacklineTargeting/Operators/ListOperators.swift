import TacklineCore

extension RuleOperator {
    /// The operators on lists. Most evaluate their other arguments for each element.
    static let lists: [RuleOperator] = [
        RuleOperator(
            "map", .list(2...2), bindsElements: true,
            .value { evaluator, node throws(RuleFailure) in try evaluator.map(node) }),
        RuleOperator(
            "filter", .list(2...2), bindsElements: true,
            .value { evaluator, node throws(RuleFailure) in try evaluator.filter(node) }),
        RuleOperator(
            "reduce", .list(3...3), bindsElements: true,
            .value { evaluator, node throws(RuleFailure) in try evaluator.reduce(node) }),
        // JsonLogic's `all` is false for a list without elements.
        RuleOperator(
            "all", .list(2...2), bindsElements: true,
            .truth { evaluator, node throws(RuleFailure) in try evaluator.finds(false, node) == false }),
        RuleOperator(
            "none", .list(2...2), bindsElements: true,
            .truth { evaluator, node throws(RuleFailure) in try evaluator.finds(true, node) != true }),
        RuleOperator(
            "some", .list(2...2), bindsElements: true,
            .truth { evaluator, node throws(RuleFailure) in try evaluator.finds(true, node) == true }),
        RuleOperator(
            "merge", .list(1...), .value { evaluator, node throws(RuleFailure) in try evaluator.merge(node) }),
    ]
}

extension RuleEvaluator {
    /// Calls a closure with each element of a node's first argument, in whose scope it evaluates, until the closure
    /// returns `false`.
    ///
    /// - Returns: Whether there are any elements.
    @discardableResult
    private mutating func forEachElement(
        of node: RuleNode, _ body: (inout RuleEvaluator, EncodedFlagValue) throws(RuleFailure) -> Bool
    ) throws(RuleFailure) -> Bool {
        guard case .array(let elements) = try evaluate(argument: 0, of: node) else { return false }
        let outer = scope
        for element in elements {
            try charge(1)
            scope = RuleScope(element)
            guard try body(&self, element) else { break }
        }
        scope = outer
        return !elements.isEmpty
    }

    fileprivate mutating func merge(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        var merged: [EncodedFlagValue] = []
        for position in 0..<Int(node.argumentCount) {
            switch try evaluate(argument: position, of: node) {
            case .array(let elements):
                try charge(elements.count)
                merged.append(contentsOf: elements)
            case let value: merged.append(value)
            }
        }
        return .array(merged)
    }

    fileprivate mutating func map(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        var mapped: [EncodedFlagValue] = []
        try forEachElement(of: node) { evaluator, _ throws(RuleFailure) in
            mapped.append(try evaluator.evaluate(argument: 1, of: node))
            return true
        }
        return .array(mapped)
    }

    fileprivate mutating func filter(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        var kept: [EncodedFlagValue] = []
        try forEachElement(of: node) { evaluator, element throws(RuleFailure) in
            if try evaluator.isTrue(evaluator.argument(1, of: node)) { kept.append(element) }
            return true
        }
        return .array(kept)
    }

    /// Returns whether the second argument has this truth for an element; `nil` if there are no elements.
    fileprivate mutating func finds(_ truth: Bool, _ node: RuleNode) throws(RuleFailure) -> Bool? {
        var isFound = false
        let hasElements = try forEachElement(of: node) { evaluator, _ throws(RuleFailure) in
            isFound = try evaluator.isTrue(evaluator.argument(1, of: node)) == truth
            return !isFound
        }
        return hasElements ? isFound : nil
    }

    fileprivate mutating func reduce(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        let list = try evaluate(argument: 0, of: node)
        var accumulator = try evaluate(argument: 2, of: node)
        guard case .array(let elements) = list else { return accumulator }
        let outer = scope
        for element in elements {
            try charge(1)
            scope = RuleScope(element, accumulator: accumulator)
            accumulator = try evaluate(argument: 1, of: node)
            // Only this value passes from one iteration to the next, so only it could grow without bound.
            try checkDepth(of: accumulator)
        }
        scope = outer
        return accumulator
    }
}
