import TacklineCore

/// A rule as people read it: `plan == "gold" and age >= 18`.
///
/// Long rules are cut. Recursion is bounded by the levels, beyond which the rule stands as a short value.
struct RuleText {
    private static let levels = 12
    private static let limit = 400

    private static let infix: [String: String] = [
        "==": "==", "===": "===", "!=": "!=", "!==": "!==", ">": ">", ">=": ">=", "<": "<", "<=": "<=", "+": "+",
        "-": "-",
        "*": "*", "/": "/", "%": "%", "in": "in", "starts_with": "starts with", "ends_with": "ends with", "and": "and",
        "or": "or",
    ]

    static func text(of rule: EncodedFlagValue) -> String {
        let text = text(of: rule, level: 0)
        return text.unicodeScalars.count > limit
            ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit))) + "…" : text
    }

    private static func text(of rule: EncodedFlagValue, level: Int) -> String {
        guard level < levels else { return rule.description }
        switch rule {
        case .array(let elements):
            let parts = elements.prefix(20).map { text(of: $0, level: level + 1) }
            return "[\((parts + (elements.count > 20 ? ["…"] : [])).joined(separator: ", "))]"
        case .object(let members):
            guard members.count == 1, let (name, argument) = members.first else { return rule.description }
            return text(of: name, arguments: list(argument), level: level)
        default: return rule.description
        }
    }

    private static func text(of name: String, arguments: [EncodedFlagValue], level: Int) -> String {
        var parts: [String] { arguments.prefix(20).map { text(of: $0, level: level + 1) } }
        switch (name, arguments.count) {
        case ("var", 0...): return variable(arguments.first) ?? "var(\(parts.joined(separator: ", ")))"
        case ("$ref", 1): if case .string(let evaluator) = arguments[0] { return "the rule \(evaluator)" }
        case ("!", 1): return "not \(operand(arguments[0], level))"
        case ("!!", 1): return text(of: arguments[0], level: level + 1)
        case ("sem_ver", 3):
            let sign =
                if case .string(let sign) = arguments[1] { sign } else { text(of: arguments[1], level: level + 1) }
            return "\(operand(arguments[0], level)) \(sign) version \(operand(arguments[2], level))"
        case (_, 1) where name == "and" || name == "or": return text(of: arguments[0], level: level + 1)
        case (_, 2...):
            guard let sign = infix[name] else { break }
            return arguments.prefix(20).map { operand($0, level) }.joined(separator: " \(sign) ")
        default: break
        }
        return "\(name)(\(parts.joined(separator: ", ")))"
    }

    /// An operand, with parentheses round an operation of two.
    private static func operand(_ rule: EncodedFlagValue, _ level: Int) -> String {
        let text = text(of: rule, level: level + 1)
        guard case .object(let members) = rule, members.count == 1, let (name, argument) = members.first,
            infix[name] != nil || name == "sem_ver", list(argument).count > 1
        else { return text }
        return "(\(text))"
    }

    private static func variable(_ name: EncodedFlagValue?) -> String? {
        switch name {
        case .string(""), nil: "it"
        case .string("$flagd.flagKey"): "the flag's key"
        case .string("$flagd.timestamp"): "now"
        case .string(let name): name
        case .integer(let index): "\(index)"
        default: nil
        }
    }

    /// The arguments of an operation: a single one may stand without a list around it.
    static func list(_ argument: EncodedFlagValue) -> [EncodedFlagValue] {
        if case .array(let elements) = argument { elements } else { [argument] }
    }
}
