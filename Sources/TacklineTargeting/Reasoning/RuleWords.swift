import TacklineCore

/// The text of an operation for people.
struct RuleWords: Sendable {
    /// Whether the text is put in parentheses inside that of another operation.
    let isCompound: Bool
    /// Returns the text; `nil` for the notation of a function.
    let text: @Sendable (RuleText, RuleExpression) -> String?

    init(isCompound: Bool = false, text: @escaping @Sendable (RuleText, RuleExpression) -> String?) {
        self.isCompound = isCompound
        self.text = text
    }

    /// The operator's name, followed by the arguments in parentheses.
    static let function = RuleWords { _, _ in nil }

    /// Returns the words of an operator that stand between its arguments.
    ///
    /// - Parameter orAlone: Whether a single argument is shown as if there were no operator.
    static func sign(_ sign: String, orAlone: Bool = false) -> RuleWords {
        RuleWords(isCompound: true) { text, operation in
            if operation.count > 1 {
                operation.parts.prefix(20).map { text.operand($0) }.joined(separator: " \(sign) ")
            } else {
                orAlone && operation.count == 1 ? text.text(operation[0]) : nil
            }
        }
    }
}

/// A rule as text for people: `plan == "gold" and age >= 18`.
///
/// Long rules are cut. A rule that is nested deeper than a number of levels is shown as JSON, which bounds the
/// recursion.
struct RuleText {
    private static let levels = 12
    private static let limit = 400

    private var level = 0

    static func text(of rule: RuleExpression) -> String {
        let text = RuleText().text(of: rule)
        return text.unicodeScalars.count > limit
            ? String(String.UnicodeScalarView(text.unicodeScalars.prefix(limit))) + "…" : text
    }

    /// Returns the text of a part, one level down.
    func text(_ part: RuleExpression) -> String {
        var inner = self
        inner.level += 1
        return inner.text(of: part)
    }

    /// Returns the text of an operand, in parentheses if it is an operation on two or more.
    func operand(_ part: RuleExpression) -> String {
        let text = text(part)
        return part.count > 1 && part.operation?.words.isCompound == true ? "(\(text))" : text
    }

    /// Returns the text of a `var`; `nil` if its name is not known.
    func variable(_ operation: RuleExpression) -> String? {
        switch operation.count > 0 ? operation[0].constant : .string("") {
        case .string("")?: "it"
        case .string("$flagd.flagKey")?: "the flag's key"
        case .string("$flagd.timestamp")?: "now"
        case .string(let name)?: name
        case .integer(let index)?: "\(index)"
        default: nil
        }
    }

    private func text(of rule: RuleExpression) -> String {
        if let operation = rule.operation, level < Self.levels {
            return operation.words.text(self, rule)
                ?? "\(operation.name)(\(rule.parts.prefix(20).map { text($0) }.joined(separator: ", ")))"
        }
        guard let elements = rule.elements, level < Self.levels else { return rule.json.description }
        let parts = elements.prefix(20).map { text($0) } + (elements.count > 20 ? ["…"] : [])
        return "[\(parts.joined(separator: ", "))]"
    }
}
