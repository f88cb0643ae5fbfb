import TacklineCore

// The evaluations of the operators, in the order of `RuleOperator.table`.

extension RuleEvaluation {
    // MARK: The context

    /// Evaluates `var`: the value that is found, else the second argument, else null.
    mutating func variable(_ node: Rule) throws -> EncodedFlagValue {
        let found =
            if case .path(let path) = node.preparation { try lookUp(path) } else {
                try lookUp(named: argument(0, of: node))
            }
        if let found { return found }
        return try argument(1, of: node)
    }

    mutating func missing(_ node: Rule) throws -> EncodedFlagValue {
        let values = try values(of: node)
        guard case .array(let keys)? = values.first else { return .array(try missing(values)) }
        return .array(try missing(keys))
    }

    mutating func missingSome(_ node: Rule) throws -> EncodedFlagValue {
        let needed = try number(argument(0, of: node))
        let value = try argument(1, of: node)
        let keys = if case .array(let elements) = value { elements } else { [value] }
        let absent = try missing(keys)
        return .array(Double(keys.count - absent.count) >= needed ? [] : absent)
    }

    /// Returns the keys whose value is missing, null or the empty text.
    private mutating func missing(_ keys: [EncodedFlagValue]) throws -> [EncodedFlagValue] {
        try keys.filter { key in
            try charge(1)
            switch try lookUp(named: key) {
            case nil, .null?, .string("")?: return true
            default: return false
            }
        }
    }

    mutating func reference(_ node: Rule) throws -> EncodedFlagValue {
        guard case .reference(let root) = node.preparation else { return .null }
        return try evaluate(root)
    }

    // MARK: Conditions

    /// Returns the position of the argument that conditions lead to, which may be past the last one: conditions and
    /// values in turn, and at the end the value for all other cases.
    ///
    /// The result counts as split if a split gave the value or decided the condition that led to it; for the last
    /// value, if a split decided any of the conditions.
    mutating func branch(of node: Rule) throws -> Int {
        let wasSplit = isSplit
        var isSplitSoFar = false
        var position = 0
        while position + 1 < node.arguments.count {
            isSplit = false
            if try evaluate(node.arguments[position]).isTruthy {
                isSplit = isSplit || wasSplit
                return position + 1
            }
            isSplitSoFar = isSplitSoFar || isSplit
            position += 2
        }
        isSplit = wasSplit || isSplitSoFar
        return position
    }

    /// Returns the first argument with this truth, or else the last one.
    mutating func first(_ truth: Bool, _ node: Rule) throws -> EncodedFlagValue {
        var value = EncodedFlagValue.null
        for argument in node.arguments {
            value = try evaluate(argument)
            if value.isTruthy == truth { break }
        }
        return value
    }

    // MARK: Arithmetic

    /// Evaluates `+` and `*`. A text counts as the number it is, or else as the number it begins with: JsonLogic uses
    /// `parseFloat` here, which on its own would refuse the empty text, booleans and null.
    mutating func total(
        _ node: Rule, from start: Double, _ combine: (Double, Double) -> Double
    ) throws -> EncodedFlagValue {
        var total = start
        for argument in node.arguments {
            let value = try evaluate(argument)
            var number = try number(value)
            if number.isNaN, case .string(let text) = try primitive(value) { number = ScriptNumber.parsePrefix(text) }
            total = combine(total, number)
        }
        return .scriptNumber(total)
    }

    mutating func negative(_ node: Rule) throws -> EncodedFlagValue {
        .scriptNumber(-(try number(argument(0, of: node))))
    }

    /// Evaluates an operator of the first two arguments; NaN if there are fewer.
    mutating func pair(_ node: Rule, _ combine: (Double, Double) -> Double) throws -> EncodedFlagValue {
        // Every argument is evaluated, since one that reaches a limit must fail the rule in any case.
        let left = try number(argument(0, of: node))
        guard node.arguments.count > 1 else { return .double(.nan) }
        return .scriptNumber(combine(left, try number(argument(1, of: node))))
    }

    /// Evaluates `max` and `min`: NaN if any argument is no number.
    mutating func extreme(
        _ node: Rule, from start: Double, _ isBeyond: (Double, Double) -> Bool
    ) throws -> EncodedFlagValue {
        var extreme = start
        for argument in node.arguments {
            let number = try number(evaluate(argument))
            if number.isNaN || isBeyond(number, extreme) { extreme = number }
        }
        return .scriptNumber(extreme)
    }

    // MARK: Lists

    /// Calls a closure with each element of a node's first argument and the value of the second one in its scope, until
    /// the closure returns `false`.
    ///
    /// - Returns: Whether there are any elements.
    @discardableResult
    private mutating func forEachElement(
        of node: Rule, _ body: (_ element: EncodedFlagValue, _ value: EncodedFlagValue) -> Bool
    ) throws -> Bool {
        guard case .array(let elements) = try argument(0, of: node) else { return false }
        let outer = scope
        for element in elements {
            try charge(1)
            scope = Scope(element)
            guard body(element, try argument(1, of: node)) else { break }
        }
        scope = outer
        return !elements.isEmpty
    }

    mutating func map(_ node: Rule) throws -> EncodedFlagValue {
        var mapped: [EncodedFlagValue] = []
        try forEachElement(of: node) { _, value in
            mapped.append(value)
            return true
        }
        return .array(mapped)
    }

    mutating func filter(_ node: Rule) throws -> EncodedFlagValue {
        var kept: [EncodedFlagValue] = []
        try forEachElement(of: node) { element, value in
            if value.isTruthy { kept.append(element) }
            return true
        }
        return .array(kept)
    }

    /// Returns whether the second argument has this truth for an element; `nil` if there are no elements.
    mutating func finds(_ truth: Bool, _ node: Rule) throws -> Bool? {
        var isFound = false
        let hasElements = try forEachElement(of: node) { _, value in
            isFound = value.isTruthy == truth
            return !isFound
        }
        return hasElements ? isFound : nil
    }

    mutating func reduce(_ node: Rule) throws -> EncodedFlagValue {
        let list = try argument(0, of: node)
        var accumulator = try argument(2, of: node)
        guard case .array(let elements) = list else { return accumulator }
        let outer = scope
        for element in elements {
            try charge(1)
            scope = Scope(element, accumulator: accumulator)
            accumulator = try argument(1, of: node)
            // Only this value passes from one iteration to the next, so only it could grow without bound.
            try checkDepth(of: accumulator)
        }
        scope = outer
        return accumulator
    }

    mutating func merge(_ node: Rule) throws -> EncodedFlagValue {
        var merged: [EncodedFlagValue] = []
        for value in try values(of: node) {
            guard case .array(let elements) = value else {
                merged.append(value)
                continue
            }
            try charge(elements.count)
            merged += elements
        }
        return .array(merged)
    }

    // MARK: Texts

    mutating func join(_ node: Rule) throws -> EncodedFlagValue {
        var text = ""
        for argument in node.arguments { try append(evaluate(argument), to: &text) }
        return .string(text)
    }

    /// Evaluates `substr`, counted in UTF-16 code units as in JavaScript. A negative start counts from the end, and a
    /// negative length omits that many code units at the end. Half of a surrogate pair becomes U+FFFD.
    mutating func substring(_ node: Rule) throws -> EncodedFlagValue {
        let source = try text(argument(0, of: node))
        let start = try whole(argument(1, of: node))
        let length = try node.arguments.count > 2 ? whole(argument(2, of: node)) : Double.infinity
        try charge(source.utf8.count / 16)
        let units = source.utf16
        let count = Double(units.count)
        let first = start < 0 ? max(0, count + start) : min(start, count)
        let taken = length < 0 ? max(0, count - first + length) : min(length, count - first)
        guard taken > 0 else { return "" }
        let from = units.index(units.startIndex, offsetBy: Int(first))
        return .string(String(decoding: units[from..<units.index(from, offsetBy: Int(taken))], as: UTF16.self))
    }

    /// Evaluates `in`: an element of a list (by `===`), or a part of a text.
    mutating func contains(_ node: Rule) throws -> Bool {
        let wanted = try argument(0, of: node)
        if case .texts(let texts) = node.preparation {
            try charge(wanted.byteCount / 16)
            return wanted.scriptString.map { texts.contains(ExactText(text: $0)) } ?? false
        }
        let container = try argument(1, of: node)
        if case .array(let elements) = container {
            // In the worst case, every element is as long as the wanted one.
            try charge(elements.count / 8 * (1 + wanted.byteCount / 256))
            return elements.contains { Self.areIdentical(wanted, $0) }
        }
        // An empty text contains nothing, not even the empty text: JsonLogic first checks whether the text is truthy.
        guard let text = container.scriptString, !text.isEmpty else { return false }
        let part = try self.text(wanted)
        // In the worst case, the work is the product of the lengths, so every comparison is counted and charged.
        let (isFound, comparisons) = Self.find(part, in: text, limit: (remainingSteps &+ 1) &* 16)
        try charge(comparisons / 16)
        return isFound
    }

    /// Returns whether a text contains another one, and the number of comparisons of bytes that this took.
    private static func find(_ part: String, in text: String, limit: Int) -> (Bool, Int) {
        part.withUTF8Bytes { part in
            text.withUTF8Bytes { text in
                var (start, comparisons) = (0, 0)
                while start + part.count <= text.count, comparisons < limit {
                    var matched = 0
                    while matched < part.count, text[start + matched] == part[matched] { matched += 1 }
                    comparisons += matched + 1
                    if matched == part.count { return (true, comparisons) }
                    start += 1
                }
                return (false, comparisons)
            }
        }
    }

    /// Evaluates `starts_with` and `ends_with`; gives null unless there are exactly two texts.
    mutating func hasAffix(_ node: Rule, isPrefix: Bool) throws -> EncodedFlagValue {
        guard node.arguments.count == 2, let text = try argument(0, of: node).scriptString,
            let affix = try argument(1, of: node).scriptString
        else { return .null }
        try charge(affix.utf8.count / 16)
        return .bool(text.hasAffix(affix, isPrefix: isPrefix))
    }

    /// Evaluates `sem_ver`; gives null unless there are two versions with a sign between them.
    mutating func version(_ node: Rule) throws -> EncodedFlagValue {
        let values = try values(of: node)
        guard values.count == 3, let sign = values[1].scriptString, let left = try version(values[0]),
            let right = try version(values[2]), let holds = left.holds(sign, right)
        else { return .null }
        return .bool(holds)
    }

    /// Returns the version that a text or a number stands for; `nil` if it is none.
    private mutating func version(_ value: EncodedFlagValue) throws -> SemanticVersion? {
        switch value {
        case .null, .bool, .array, .object: return nil
        default:
            let text = try text(value)
            try charge(text.utf8.count / 4)
            return SemanticVersion(text)
        }
    }
}
