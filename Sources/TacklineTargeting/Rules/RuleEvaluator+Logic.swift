import TacklineCore

extension RuleEvaluator {
    /// `if`: condition and value in turn, and at the end the value for everyone else.
    ///
    /// The result counts as split where a split gave the value, or decided the condition that led to it; for the last value
    /// that is any of the conditions.
    mutating func condition(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        let wasSplit = isSplit
        var isSplitSoFar = false
        var position = 0
        let count = Int(node.argumentCount)
        while position + 1 < count {
            isSplit = false
            if try isTrue(argument(position, of: node)) {
                let value = try evaluate(argument: position + 1, of: node)
                isSplit = isSplit || wasSplit
                return value
            }
            isSplitSoFar = isSplitSoFar || isSplit
            position += 2
        }
        isSplit = wasSplit || isSplitSoFar
        return position < count ? try evaluate(argument: position, of: node) : .null
    }

    /// `and` gives the first falsy value, `or` the first truthy one, both otherwise the last.
    mutating func junction(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        let wanted = node.operation == .or
        var value = EncodedFlagValue.null
        for position in 0..<Int(node.argumentCount) {
            value = try evaluate(argument: position, of: node)
            if value.isTruthy == wanted { break }
        }
        return value
    }

    mutating func areEqual(_ node: RuleNode) throws(RuleFailure) -> Bool {
        let left = try evaluate(argument: 0, of: node)
        let right = try evaluate(argument: 1, of: node)
        switch node.operation {
        case .identical: return Self.areIdentical(left, right)
        case .notIdentical: return !Self.areIdentical(left, right)
        case .notEqual: return try !areLooselyEqual(left, right)
        default: return try areLooselyEqual(left, right)
        }
    }

    /// JavaScript's `===`. Lists and objects are equal to nothing: there they would have to be the same object.
    static func areIdentical(_ left: EncodedFlagValue, _ right: EncodedFlagValue) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): return hasSameUnits(left, right)
        case (.null, .null): return true
        case (.bool(let left), .bool(let right)): return left == right
        case (.integer, .integer), (.integer, .double), (.double, .integer), (.double, .double), (.decimal, _),
            (_, .decimal):
            // NaN, which stands for what is no number, equals nothing.
            return plainNumber(left) == plainNumber(right)
        default:
            guard let left = left.scriptString, let right = right.scriptString else { return false }
            return hasSameUnits(left, right)
        }
    }

    /// JavaScript's `==`.
    private mutating func areLooselyEqual(_ left: EncodedFlagValue, _ right: EncodedFlagValue) throws(RuleFailure)
        -> Bool
    {
        switch (left, right) {
        case (.string(let left), .string(let right)): return hasSameUnits(left, right)
        case (.null, .null): return true
        case (.null, _), (_, .null): return false
        case (.array, .array), (.array, .object), (.object, .array), (.object, .object): return false
        default:
            let left = try primitive(left)
            let right = try primitive(right)
            if let left = left.scriptString, let right = right.scriptString { return hasSameUnits(left, right) }
            return try number(left) == number(right)
        }
    }

    /// `<` and `<=` with two or three arguments, `>` and `>=` with two.
    mutating func areOrdered(_ node: RuleNode) throws(RuleFailure) -> Bool {
        guard node.argumentCount >= 2 else { return false }
        let first = try evaluate(argument: 0, of: node)
        let second = try evaluate(argument: 1, of: node)
        switch node.operation {
        case .greater: return try isLess(second, first, orEqual: false)
        case .greaterOrEqual: return try isLess(second, first, orEqual: true)
        default: break
        }
        let orEqual = node.operation == .lessOrEqual
        // Every argument is evaluated, since one that reaches a limit has to fail the rule either way.
        guard node.argumentCount > 2 else { return try isLess(first, second, orEqual: orEqual) }
        let third = try evaluate(argument: 2, of: node)
        guard try isLess(first, second, orEqual: orEqual) else { return false }
        return try isLess(second, third, orEqual: orEqual)
    }

    /// JavaScript's `<`: texts by code units, all else as numbers.
    private mutating func isLess(
        _ left: EncodedFlagValue, _ right: EncodedFlagValue, orEqual: Bool
    ) throws(RuleFailure) -> Bool {
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
}
