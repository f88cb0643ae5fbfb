import TacklineCore

/// A rule as text for people: `plan == "gold" and age >= 18`.
///
/// Long rules are cut. A rule that is nested deeper than a number of levels is shown as JSON.
struct RuleText {
    private static let levels = 12
    private static let limit = 400
    /// The operators whose words are not their names.
    private static let words = ["starts_with": "starts with", "ends_with": "ends with"]

    static func text(of rule: Rule) -> String {
        let text = text(of: rule, level: 0)
        let scalars = text.unicodeScalars.prefix(limit)
        return scalars.endIndex == text.endIndex ? text : String(scalars) + "…"
    }

    private static func text(of rule: Rule, level: Int) -> String {
        guard level < levels else { return rule.json.description }
        let parts = rule.elements ?? rule.arguments
        func text(_ part: Rule) -> String { self.text(of: part, level: level + 1) }
        func list(_ separator: String, _ text: (Rule) -> String) -> String {
            parts.prefix(20).map(text).joined(separator: separator)
        }
        /// Returns the text of an operand, in parentheses if it is an operation on two or more.
        func operand(_ part: Rule) -> String {
            let isCompound = part.arguments.count > 1 && part.operation.map { isInfix($0.name) } ?? false
            return isCompound ? "(\(text(part)))" : text(part)
        }
        guard let name = rule.operation?.name else {
            return rule.elements != nil
                ? "[\(list(", ", text))\(parts.count > 20 ? ", …" : "")]" : rule.json.description
        }
        switch (name, parts.count) {
        case ("!", 1): return "not \(operand(parts[0]))"
        case ("!!", 1), ("and", 1), ("or", 1): return text(parts[0])
        case ("$ref", _): return "the rule \(parts[0].text ?? "")"
        case ("sem_ver", 3):
            return "\(operand(parts[0])) \(parts[1].text ?? text(parts[1])) version \(operand(parts[2]))"
        case ("var", _):
            switch parts.first?.value {
            case .string("")?: return "it"
            case .string("$flagd.flagKey")?: return "the flag's key"
            case .string("$flagd.timestamp")?: return "now"
            case .string(let name)?: return name
            case .integer(let index)?: return "\(index)"
            default: return parts.isEmpty ? "it" : "var(\(list(", ", text)))"
            }
        case (_, 2...) where isInfix(name): return list(" \(words[name] ?? name) ", operand)
        default: return "\(name)(\(list(", ", text)))"
        }
    }

    /// Whether an operator stands between its operands. Signs do.
    private static func isInfix(_ name: String) -> Bool {
        ["and", "or", "in", "starts_with", "ends_with", "sem_ver"].contains(name)
            || !["?:", "!", "!!"].contains(name) && name.utf8.allSatisfy { !(97...122).contains($0) }
    }
}
