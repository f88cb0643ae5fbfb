import TacklineCore

extension RuleOperator {
    /// The operators that choose among their arguments.
    static let logic: [RuleOperator] = [
        RuleOperator(
            "if", .list(1...), flow: .branches,
            change: { evaluator, node throws(RuleFailure) in try evaluator.conditionOutlook(node) },
            .value { evaluator, node throws(RuleFailure) in try evaluator.condition(node) }),
        RuleOperator(
            "?:", nil, flow: .branches,
            change: { evaluator, node throws(RuleFailure) in try evaluator.conditionOutlook(node) },
            .value { evaluator, node throws(RuleFailure) in try evaluator.condition(node) }),
        RuleOperator(
            "or", .list(1...), flow: .junction(decisive: true), words: .sign("or", orAlone: true),
            change: { evaluator, node throws(RuleFailure) in try evaluator.junctionOutlook(node, decisive: true) },
            .value { evaluator, node throws(RuleFailure) in try evaluator.junction(node, decisive: true) }),
        RuleOperator(
            "and", .list(1...), flow: .junction(decisive: false), words: .sign("and", orAlone: true),
            change: { evaluator, node throws(RuleFailure) in try evaluator.junctionOutlook(node, decisive: false) },
            .value { evaluator, node throws(RuleFailure) in try evaluator.junction(node, decisive: false) }),
        RuleOperator(
            "!", .single,
            words: RuleWords { text, operation in operation.count == 1 ? "not \(text.operand(operation[0]))" : nil },
            change: { evaluator, node throws(RuleFailure) in try evaluator.truthOutlook(node, isNegated: true) },
            .truth { evaluator, node throws(RuleFailure) in try !evaluator.isTrue(evaluator.argument(0, of: node)) }),
        RuleOperator(
            "!!", .single, words: RuleWords { text, operation in operation.count == 1 ? text.text(operation[0]) : nil },
            change: { evaluator, node throws(RuleFailure) in try evaluator.truthOutlook(node, isNegated: false) },
            .truth { evaluator, node throws(RuleFailure) in try evaluator.isTrue(evaluator.argument(0, of: node)) }),
        RuleOperator(
            "log", nil, flow: .first,
            .value { evaluator, node throws(RuleFailure) in try evaluator.evaluate(argument: 0, of: node) }),
    ]
}

extension RuleEvaluator {
    /// Follows conditions to the argument that they lead to; returns `nil` if there is none.
    ///
    /// The result counts as split if a split gave the value or decided the condition that led to it; for the last
    /// value, if a split decided any of the conditions.
    mutating func branch(of node: RuleNode) throws(RuleFailure) -> Int32? {
        let wasSplit = isSplit
        var isSplitSoFar = false
        var position = 0
        let count = Int(node.argumentCount)
        while position + 1 < count {
            isSplit = false
            if try isTrue(argument(position, of: node)) {
                isSplit = isSplit || wasSplit
                return argument(position + 1, of: node)
            }
            isSplitSoFar = isSplitSoFar || isSplit
            position += 2
        }
        isSplit = wasSplit || isSplitSoFar
        return argument(position, of: node)
    }

    /// Evaluates `if`: conditions and values in turn, and at the end the value for all other cases.
    fileprivate mutating func condition(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        guard let index = try branch(of: node) else { return .null }
        return try evaluate(index)
    }

    /// Evaluates `and`, which gives the first falsy value, or `or`, which gives the first truthy one. Otherwise both
    /// give the last value.
    fileprivate mutating func junction(
        _ node: RuleNode, decisive: Bool
    ) throws(RuleFailure) -> EncodedFlagValue {
        var value = EncodedFlagValue.null
        for position in 0..<Int(node.argumentCount) {
            value = try evaluate(argument: position, of: node)
            if value.isTruthy == decisive { break }
        }
        return value
    }

    // MARK: Over time

    fileprivate mutating func conditionOutlook(_ node: RuleNode) throws(RuleFailure) -> Outlook {
        var until = Int64.max
        var position = 0
        while position + 1 < Int(node.argumentCount) {
            let (isTrue, untilThen) = try truth(argument(position, of: node))
            until = min(until, untilThen)
            if isTrue {
                position += 1
                break
            }
            position += 2
        }
        guard let index = argument(position, of: node) else { return Outlook(value: .null, until: until) }
        var outlook = try outlook(index)
        outlook.until = min(outlook.until, until)
        return outlook
    }

    fileprivate mutating func junctionOutlook(_ node: RuleNode, decisive: Bool) throws(RuleFailure) -> Outlook {
        var result = Outlook(value: .null)
        for position in 0..<Int(node.argumentCount) {
            guard let index = argument(position, of: node) else { break }
            let outlook = try outlook(index)
            let untilThen = crossing(Self.plainNumber(outlook.value), outlook.slope)
            result = Outlook(
                value: outlook.value, slope: outlook.slope, until: min(result.until, outlook.until, untilThen))
            if outlook.value.isTruthy == decisive { break }
        }
        return result
    }

    fileprivate mutating func truthOutlook(_ node: RuleNode, isNegated: Bool) throws(RuleFailure) -> Outlook {
        let (isTrue, until) = try truth(argument(0, of: node))
        return Outlook(value: .bool(isTrue != isNegated), until: until)
    }

    /// Returns whether a node is truthy, and the second up to which that holds.
    private mutating func truth(_ index: Int32?) throws(RuleFailure) -> (Bool, Int64) {
        guard let index else { return (false, .max) }
        let outlook = try outlook(index)
        let until = min(outlook.until, crossing(Self.plainNumber(outlook.value), outlook.slope))
        return (outlook.value.isTruthy, until)
    }
}
