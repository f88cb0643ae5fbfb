import TacklineCore

extension RuleEvaluator {
    mutating func arithmetic(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        switch node.operation {
        case .plus, .times: return .scriptNumber(try total(node))
        case .maximum, .minimum: return .scriptNumber(try extreme(node))
        default: return .scriptNumber(try difference(node))
        }
    }

    /// `+` and `*`. A text counts as the number it is, or else as the number it begins with: JsonLogic uses `parseFloat`
    /// here, which on its own would refuse the empty text, booleans and null.
    private mutating func total(_ node: RuleNode) throws(RuleFailure) -> Double {
        let isSum = node.operation == .plus
        var total = isSum ? 0.0 : 1.0
        for position in 0..<Int(node.argumentCount) {
            let value = try evaluate(argument: position, of: node)
            var number = try number(value)
            if number.isNaN, case .string(let text) = try primitive(value) { number = ScriptNumber.parsePrefix(text) }
            if isSum { total += number } else { total *= number }
        }
        return total
    }

    /// `max` and `min`, NaN where any argument is no number.
    private mutating func extreme(_ node: RuleNode) throws(RuleFailure) -> Double {
        let isMaximum = node.operation == .maximum
        var extreme = isMaximum ? -Double.infinity : .infinity
        for position in 0..<Int(node.argumentCount) {
            let number = try number(evaluate(argument: position, of: node))
            if number.isNaN { extreme = .nan }
            if isMaximum ? number > extreme : number < extreme { extreme = number }
        }
        return extreme
    }

    /// `-`, `/` and `%` of the first two arguments, or the negative of a single one.
    private mutating func difference(_ node: RuleNode) throws(RuleFailure) -> Double {
        guard node.argumentCount > 0 else { return .nan }
        let left = try number(evaluate(argument: 0, of: node))
        guard node.argumentCount > 1 else { return node.operation == .minus ? -left : .nan }
        let right = try number(evaluate(argument: 1, of: node))
        switch node.operation {
        case .minus: return left - right
        case .divide: return left / right
        default: return left.truncatingRemainder(dividingBy: right)
        }
    }
}
