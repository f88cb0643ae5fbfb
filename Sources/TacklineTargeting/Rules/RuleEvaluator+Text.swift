import TacklineCore

extension RuleEvaluator {
    mutating func textOperation(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        switch node.operation {
        case .join: return .string(try join(node))
        case .substring: return .string(try substring(node))
        case .contains: return .bool(try contains(node))
        default: return try hasAffix(node).map { .bool($0) } ?? .null
        }
    }

    private mutating func join(_ node: RuleNode) throws(RuleFailure) -> String {
        var text = ""
        for position in 0..<Int(node.argumentCount) {
            try append(evaluate(argument: position, of: node), to: &text, depth: 0)
        }
        return text
    }

    /// `substr`, counted in UTF-16 code units as JavaScript counts. A negative start counts from the end, a negative length
    /// leaves out that many at the end. Half of a surrogate pair becomes U+FFFD.
    private mutating func substring(_ node: RuleNode) throws(RuleFailure) -> String {
        let source = try text(evaluate(argument: 0, of: node))
        let start = try node.argumentCount > 1 ? whole(evaluate(argument: 1, of: node)) : 0
        let length = try node.argumentCount > 2 ? whole(evaluate(argument: 2, of: node)) : .infinity
        try charge(source.utf8.count / 16)
        let count = Double(source.utf16.count)
        let first = start < 0 ? max(0, count + start) : min(start, count)
        let available = count - first
        let taken = length < 0 ? max(0, available + length) : min(length, available)
        guard taken > 0 else { return "" }
        let units = source.utf16
        let from = units.index(units.startIndex, offsetBy: Int(first))
        return String(decoding: units[from..<units.index(from, offsetBy: Int(taken))], as: UTF16.self)
    }

    /// JavaScript's conversion to a whole number: towards zero, and 0 for NaN.
    private mutating func whole(_ value: EncodedFlagValue) throws(RuleFailure) -> Double {
        let number = try number(value)
        return number.isNaN ? 0 : number.rounded(.towardZero)
    }

    /// `in`: an element of a list (by `===`), or a part of a text.
    private mutating func contains(_ node: RuleNode) throws(RuleFailure) -> Bool {
        let wanted = try evaluate(argument: 0, of: node)
        let container = try evaluate(argument: 1, of: node)
        if case .array(let elements) = container {
            try charge(elements.count / 8)
            return elements.contains { Self.areIdentical(wanted, $0) }
        }
        // Nothing is in an empty text, not even another one: JsonLogic asks first whether the text is truthy.
        guard let text = container.scriptString, !text.isEmpty else { return false }
        let part = try self.text(wanted)
        return try isPart(part, of: text)
    }

    private mutating func isPart(_ part: String, of text: String) throws(RuleFailure) -> Bool {
        let partCount = part.utf8.count
        let textCount = text.utf8.count
        guard partCount <= textCount else { return false }
        // A bad pair of texts costs their product, so every comparison is counted and paid for.
        let allowance = (remainingSteps &+ 1) &* 16
        let (isFound, comparisons) = part.withUTF8Bytes { part in
            text.withUTF8Bytes { text in
                var comparisons = 0
                var start = 0
                while start + partCount <= textCount, comparisons < allowance {
                    var matched = 0
                    while matched < partCount, text[start + matched] == part[matched] { matched += 1 }
                    comparisons += matched + 1
                    if matched == partCount { return (true, comparisons) }
                    start += 1
                }
                return (false, comparisons)
            }
        }
        try charge(comparisons / 16)
        return isFound
    }

    /// `starts_with` and `ends_with`; `nil` unless there are exactly two texts.
    mutating func hasAffix(_ node: RuleNode) throws(RuleFailure) -> Bool? {
        if node.kind == .affixTest {
            let test = program.affixTests[Int(node.payload)]
            // The usual case: an attribute that is a text, which needs no value made.
            if let attribute = test.attribute, scope == nil, case .string(let text)? = context.attributes[attribute] {
                return test.holds(for: text)
            }
            return try evaluate(argument: 0, of: node).scriptString.map { test.holds(for: $0) }
        }
        guard node.argumentCount == 2 else { return nil }
        guard let text = try evaluate(argument: 0, of: node).scriptString,
            let affix = try evaluate(argument: 1, of: node).scriptString
        else { return nil }
        return AffixTest.has(text, affix, isPrefix: node.operation == .startsWith)
    }
}
