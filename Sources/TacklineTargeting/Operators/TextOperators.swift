import TacklineCore

extension RuleOperator {
    /// The operators on texts.
    static let texts: [RuleOperator] = [
        RuleOperator(
            "cat", .list(1...), flow: .join,
            .value { evaluator, node throws(RuleFailure) in try evaluator.join(node) }),
        RuleOperator(
            "substr", .list(2...3),
            .value { evaluator, node throws(RuleFailure) in try evaluator.substring(node) }),
        RuleOperator(
            "in", .list(2...2), words: .sign("in"), comparesNumbers: true,
            preparation: { compiler, _, indexes in compiler.addSet(indexes) },
            .truth { evaluator, node throws(RuleFailure) in try evaluator.contains(node) }),
        RuleOperator(
            "starts_with", .texts, words: .sign("starts with"),
            preparation: { compiler, _, indexes in compiler.addAffixTest(indexes, isPrefix: true) },
            .truthOrNull { evaluator, node throws(RuleFailure) in try evaluator.hasAffix(node, isPrefix: true) }),
        RuleOperator(
            "ends_with", .texts, words: .sign("ends with"),
            preparation: { compiler, _, indexes in compiler.addAffixTest(indexes, isPrefix: false) },
            .truthOrNull { evaluator, node throws(RuleFailure) in try evaluator.hasAffix(node, isPrefix: false) }),
    ]
}

// MARK: Prepared arguments

/// A `starts_with` or `ends_with` whose second argument is known when the rule is compiled.
final class AffixTest: Sendable {
    let affix: String
    let isPrefix: Bool
    /// The attribute whose text is tested, if the first argument is a `var` of one attribute.
    let attribute: String?

    init(affix: String, isPrefix: Bool, attribute: String?) {
        self.affix = affix
        self.isPrefix = isPrefix
        self.attribute = attribute
    }

    @inline(__always)
    func holds(for text: String) -> Bool { Self.has(text, affix, isPrefix: isPrefix) }

    /// Returns whether a text has a prefix or suffix. Compares code units, as every other evaluator does.
    @inline(__always)
    static func has(_ text: String, _ affix: String, isPrefix: Bool) -> Bool {
        let count = affix.utf8.count
        let textCount = text.utf8.count
        guard count <= textCount else { return false }
        return text.withUTF8Bytes { text in
            affix.withUTF8Bytes { affix in
                let offset = isPrefix ? 0 : textCount - count
                for position in 0..<count where text[offset + position] != affix[position] { return false }
                return true
            }
        }
    }
}

extension RuleCompiler {
    /// Prepares a search in a constant list of texts.
    fileprivate mutating func addSet(_ indexes: [Int32]) -> Int32? {
        guard indexes.count >= 2, case .array(let elements)? = constant(indexes[1]), elements.count > 4 else {
            return nil
        }
        var texts: Set<ExactText> = []
        for element in elements {
            guard case .string(let text) = element else { return nil }
            texts.insert(ExactText(text: text))
        }
        parts.sets.append(texts)
        return Int32(parts.sets.count - 1)
    }

    fileprivate mutating func addAffixTest(_ indexes: [Int32], isPrefix: Bool) -> Int32? {
        guard indexes.count == 2, case .string(let affix)? = constant(indexes[1]) else { return nil }
        let path = plainPath(indexes[0])
        let attribute = path.flatMap { $0.isAttribute ? $0.first.name : nil }
        parts.affixTests.append(AffixTest(affix: affix, isPrefix: isPrefix, attribute: attribute))
        return Int32(parts.affixTests.count - 1)
    }
}

// MARK: Evaluation

extension RuleEvaluator {
    fileprivate mutating func join(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
        var text = ""
        for position in 0..<Int(node.argumentCount) {
            try append(evaluate(argument: position, of: node), to: &text, depth: 0)
        }
        return .string(text)
    }

    /// Evaluates `substr`, counted in UTF-16 code units as in JavaScript. A negative start counts from the end, and a
    /// negative length omits that many code units at the end. Half of a surrogate pair becomes U+FFFD.
    fileprivate mutating func substring(_ node: RuleNode) throws(RuleFailure) -> EncodedFlagValue {
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
        return .string(String(decoding: units[from..<units.index(from, offsetBy: Int(taken))], as: UTF16.self))
    }

    /// Converts a value to a whole number as JavaScript does: towards zero, and 0 for NaN.
    private mutating func whole(_ value: EncodedFlagValue) throws(RuleFailure) -> Double {
        let number = try number(value)
        return number.isNaN ? 0 : number.rounded(.towardZero)
    }

    /// Evaluates `in`: an element of a list (by `===`), or a part of a text.
    fileprivate mutating func contains(_ node: RuleNode) throws(RuleFailure) -> Bool {
        let wanted = try plain(evaluate(argument: 0, of: node))
        if node.isPrepared {
            guard let text = wanted.scriptString else { return false }
            try charge(text.utf8.count / 16)
            return program.parts.sets[Int(node.payload)].contains(ExactText(text: text))
        }
        let container = try plain(evaluate(argument: 1, of: node))
        if case .array(let elements) = container {
            // In the worst case, every element is as long as the wanted one.
            try charge(elements.count / 8 * (1 + Self.byteCount(wanted) / 256))
            return elements.contains { Self.areIdentical(wanted, $0) }
        }
        // An empty text contains nothing, not even the empty text: JsonLogic first checks whether the text is truthy.
        guard let text = container.scriptString, !text.isEmpty else { return false }
        let part = try self.text(wanted)
        return try isPart(part, of: text)
    }

    private mutating func isPart(_ part: String, of text: String) throws(RuleFailure) -> Bool {
        let partCount = part.utf8.count
        let textCount = text.utf8.count
        guard partCount <= textCount else { return false }
        // In the worst case, the work is the product of the lengths, so every comparison is counted and charged.
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

    /// Evaluates `starts_with` and `ends_with`; returns `nil` unless there are exactly two texts.
    fileprivate mutating func hasAffix(_ node: RuleNode, isPrefix: Bool) throws(RuleFailure) -> Bool? {
        if node.isPrepared {
            let test = program.parts.affixTests[Int(node.payload)]
            // In the usual case, the argument is an attribute that is a text, for which no value has to be made.
            try charge(test.affix.utf8.count / 16)
            if let attribute = test.attribute, scope == nil, case .string(let text)? = context.attributes[attribute] {
                return test.holds(for: text)
            }
            return try evaluate(argument: 0, of: node).scriptString.map { test.holds(for: $0) }
        }
        guard node.argumentCount == 2 else { return nil }
        guard let text = try evaluate(argument: 0, of: node).scriptString,
            let affix = try evaluate(argument: 1, of: node).scriptString
        else { return nil }
        try charge(affix.utf8.count / 16)
        return AffixTest.has(text, affix, isPrefix: isPrefix)
    }
}
