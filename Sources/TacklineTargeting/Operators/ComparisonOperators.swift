import TacklineCore

extension RuleOperator {
    /// The operators that compare values.
    static let comparisons: [RuleOperator] = [
        comparison("==", 2...2) { evaluator, node throws(RuleFailure) in try evaluator.areEqual(node) },
        comparison("!=", 2...2) { evaluator, node throws(RuleFailure) in try !evaluator.areEqual(node) },
        comparison("===", 2...2) { evaluator, node throws(RuleFailure) in
            try evaluator.areIdentical(node)
        },
        comparison("!==", 2...2) { evaluator, node throws(RuleFailure) in
            try !evaluator.areIdentical(node)
        },
        comparison(">", 2...2) { evaluator, node throws(RuleFailure) in
            try evaluator.isGreater(node, orEqual: false)
        },
        comparison(">=", 2...2) { evaluator, node throws(RuleFailure) in
            try evaluator.isGreater(node, orEqual: true)
        },
        comparison("<", 2...3) { evaluator, node throws(RuleFailure) in
            try evaluator.areAscending(node, orEqual: false)
        },
        comparison("<=", 2...3) { evaluator, node throws(RuleFailure) in
            try evaluator.areAscending(node, orEqual: true)
        },
    ]

    private static func comparison(
        _ sign: String, _ counts: ClosedRange<Int>, compute: @escaping Computation<Bool>
    ) -> RuleOperator {
        RuleOperator(
            sign, .list(counts), words: .sign(sign), comparesNumbers: true,
            change: { evaluator, node throws(RuleFailure) in try evaluator.comparisonOutlook(node) }, .truth(compute))
    }
}

extension RuleEvaluator {
    fileprivate mutating func areEqual(_ node: RuleNode) throws(RuleFailure) -> Bool {
        let (left, right) = try sides(of: node)
        return try areLooselyEqual(left, right)
    }

    fileprivate mutating func areIdentical(_ node: RuleNode) throws(RuleFailure) -> Bool {
        let (left, right) = try sides(of: node)
        return Self.areIdentical(left, right)
    }

    @inline(__always)
    private mutating func sides(
        of node: RuleNode
    ) throws(RuleFailure) -> (left: EncodedFlagValue, right: EncodedFlagValue) {
        let left = try plain(evaluate(argument: 0, of: node))
        let right = try plain(evaluate(argument: 1, of: node))
        if case .string(let text) = left { try charge(text.utf8.count / 64) }
        return (left, right)
    }

    /// Compares values as JavaScript's `===` does. Lists and objects equal nothing: they would have to be the same
    /// object.
    static func areIdentical(_ left: EncodedFlagValue, _ right: EncodedFlagValue) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): return left.hasSameBytes(as: right)
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.integer, .integer), (.integer, .double), (.double, .integer), (.double, .double), (.decimal, _),
            (_, .decimal):
            // NaN, which `plainNumber` returns for a value that is no number, equals nothing.
            return plainNumber(left) == plainNumber(right)
        default:
            guard let left = left.scriptString, let right = right.scriptString else { return false }
            return left.hasSameBytes(as: right)
        }
    }

    /// Compares values as JavaScript's `==` does.
    private mutating func areLooselyEqual(
        _ left: EncodedFlagValue, _ right: EncodedFlagValue
    ) throws(RuleFailure) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): return left.hasSameBytes(as: right)
        case (.integer(let left), .integer(let right)): return Self.double(left) == Self.double(right)
        case (.null, .null): return true
        case (.null, _), (_, .null): return false
        case (.array, .array), (.array, .object), (.object, .array), (.object, .object): return false
        default:
            let left = try primitive(left)
            let right = try primitive(right)
            if let left = left.scriptString, let right = right.scriptString {
                return left.hasSameBytes(as: right)
            }
            return try number(left) == number(right)
        }
    }

    /// Evaluates `>` and `>=` of two arguments.
    fileprivate mutating func isGreater(_ node: RuleNode, orEqual: Bool) throws(RuleFailure) -> Bool {
        guard node.argumentCount >= 2 else { return false }
        let first = try evaluate(argument: 0, of: node)
        let second = try evaluate(argument: 1, of: node)
        return try isLess(second, first, orEqual: orEqual)
    }

    /// Evaluates `<` and `<=` of two or three arguments.
    fileprivate mutating func areAscending(_ node: RuleNode, orEqual: Bool) throws(RuleFailure) -> Bool {
        guard node.argumentCount >= 2 else { return false }
        let first = try evaluate(argument: 0, of: node)
        let second = try evaluate(argument: 1, of: node)
        // Every argument is evaluated, since one that reaches a limit must fail the rule in any case.
        guard node.argumentCount > 2 else { return try isLess(first, second, orEqual: orEqual) }
        let third = try evaluate(argument: 2, of: node)
        guard try isLess(first, second, orEqual: orEqual) else { return false }
        return try isLess(second, third, orEqual: orEqual)
    }

    /// Compares values as JavaScript's `<` does: texts by code units, all else as numbers.
    private mutating func isLess(
        _ left: EncodedFlagValue, _ right: EncodedFlagValue, orEqual: Bool
    ) throws(RuleFailure) -> Bool {
        if case .integer(let left) = left, case .integer(let right) = right {
            return orEqual ? Self.double(left) <= Self.double(right) : Self.double(left) < Self.double(right)
        }
        let left = try primitive(left)
        let right = try primitive(right)
        if let left = left.scriptString, let right = right.scriptString {
            try charge(min(left.utf8.count, right.utf8.count) / 16)
            return orEqual
                ? !right.utf16.lexicographicallyPrecedes(left.utf16) : left.utf16.lexicographicallyPrecedes(right.utf16)
        }
        let leftNumber = try number(left)
        let rightNumber = try number(right)
        return orEqual ? leftNumber <= rightNumber : leftNumber < rightNumber
    }

    // MARK: Over time

    /// Returns the result of a comparison, and the second at which the order of two sides changes.
    fileprivate mutating func comparisonOutlook(_ node: RuleNode) throws(RuleFailure) -> Outlook {
        var outlook = Outlook(value: try operate(node))
        var last: Outlook?
        for position in 0..<Int(node.argumentCount) {
            guard let index = argument(position, of: node) else { break }
            let side = try steppedOutlook(index)
            outlook.until = min(outlook.until, side.until)
            if let before = last {
                // A text counts as the number that it represents. If a side is no number, time does not change the
                // relation.
                let difference = try number(side.value) - number(before.value)
                let stairs = Set([side.stair, before.stair].compactMap(\.self))
                let slope = side.slope - before.slope
                if stairs.count == 1, slope == 0 {
                    let turn = crossing(difference, side.rise - before.rise, stairs.first)
                    outlook.until = min(outlook.until, difference.isFinite ? turn : .max)
                } else {
                    for stair in stairs { outlook.until = min(outlook.until, stair.next) }
                    if difference.isFinite { outlook.until = min(outlook.until, crossing(difference, slope)) }
                }
            }
            last = side
        }
        return outlook
    }
}
