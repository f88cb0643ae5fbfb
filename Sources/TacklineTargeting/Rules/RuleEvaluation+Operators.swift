import TacklineCore

// The evaluations of the operators, in the order of `RuleOperator.table`.

extension RuleEvaluation {
    // MARK: The context

    /// Evaluates `var`: the value that is found, else the second argument, else null.
    mutating func variable(_ node: Rule) throws -> EncodedFlagValue {
        if case .path(let path) = node.preparation {
            if let found = try lookUp(path) { return found }
        } else if let found = try lookUp(named: argument(0, of: node)) {
            return found
        }
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
        try charge(keys.count)
        return try keys.filter { key in
            let value = try lookUp(named: key) ?? .null
            return value == .null || value == .string("")
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
            if try argument(position, of: node).isTruthy {
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

    /// Returns the arguments as numbers.
    ///
    /// - Parameter isPrefix: Whether a text that is no number counts as the number it begins with: for `+` and `*`,
    ///   JsonLogic uses `parseFloat`, which on its own would refuse the empty text, booleans and null.
    mutating func numbers(of node: Rule, isPrefix: Bool) throws -> [Double] {
        try values(of: node).map { value throws in
            let number = try number(value)
            guard isPrefix, number.isNaN, case .string(let text) = try primitive(value) else { return number }
            return ScriptNumber.parse(text, isPrefix: true)
        }
    }

    // MARK: Lists

    /// Returns the elements of a node's first argument, each with the value of the second argument in its scope.
    mutating func elements(of node: Rule) throws -> [(element: EncodedFlagValue, value: EncodedFlagValue)] {
        guard case .array(let elements) = try argument(0, of: node) else { return [] }
        let outer = scope
        var values: [(EncodedFlagValue, EncodedFlagValue)] = []
        for element in elements {
            try charge(1)
            scope = (element, .none)
            values.append((element, try argument(1, of: node)))
        }
        scope = outer
        return values
    }

    mutating func reduce(_ node: Rule) throws -> EncodedFlagValue {
        let list = try argument(0, of: node)
        var accumulator = try argument(2, of: node)
        guard case .array(let elements) = list else { return accumulator }
        let outer = scope
        for element in elements {
            try charge(1)
            scope = (element, .some(accumulator))
            accumulator = try argument(1, of: node)
            // Only this value passes from one iteration to the next, so only it could grow without bound.
            try checkDepth(of: accumulator)
        }
        scope = outer
        return accumulator
    }

    mutating func merge(_ node: Rule) throws -> EncodedFlagValue {
        let lists = try values(of: node).map { if case .array(let elements) = $0 { elements } else { [$0] } }
        try charge(lists.reduce(0) { $0 + $1.count })
        return .array(lists.flatMap(\.self))
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
        let count = Double(source.utf16.count)
        let first = start < 0 ? max(0, count + start) : min(start, count)
        let taken = length < 0 ? max(0, count - first + length) : min(length, count - first)
        return .string(String(decoding: source.utf16.dropFirst(Int(first)).prefix(Int(taken)), as: UTF16.self))
    }

    /// Evaluates `in`: an element of a list (by `===`), or a part of a text.
    mutating func contains(_ node: Rule) throws -> Bool {
        let wanted = try argument(0, of: node)
        let container = try argument(1, of: node)
        if case .array(let elements) = container {
            // In the worst case, every element is as long as the wanted one.
            try charge(elements.count / 8 * (1 + wanted.byteCount / 16))
            return elements.contains { Self.areIdentical(wanted, $0) }
        }
        // An empty text contains nothing, not even the empty text: JsonLogic first checks whether the text is truthy.
        guard let text = container.scriptString, !text.isEmpty else { return false }
        let part = try self.text(wanted)
        // In the worst case, every byte of the one is compared with every byte of the other.
        try charge(text.utf8.count / 16 * (1 + part.utf8.count / 8))
        return (0..<text.utf8.count).contains { text.hasBytes(of: part, at: $0) }
    }

    /// Evaluates `starts_with` and `ends_with`; gives null unless there are exactly two texts.
    mutating func hasAffix(_ node: Rule, isPrefix: Bool) throws -> EncodedFlagValue {
        guard node.arguments.count == 2, let text = try argument(0, of: node).scriptString,
            let affix = try argument(1, of: node).scriptString
        else { return .null }
        try charge(affix.utf8.count / 16)
        return .bool(text.hasBytes(of: affix, at: isPrefix ? 0 : text.utf8.count - affix.utf8.count))
    }

    /// Evaluates `sem_ver`; gives null unless there are two versions with a sign between them.
    mutating func version(_ node: Rule) throws -> EncodedFlagValue {
        let texts = try values(of: node).map { value throws in
            switch value {
            case .null, .bool, .array, .object: return ""
            default: return try text(value)
            }
        }
        try charge(texts.reduce(0) { $0 + 2 + $1.utf8.count / 4 })
        guard texts.count == 3, let left = SemanticVersion(texts[0]), let right = SemanticVersion(texts[2]),
            let holds = left.holds(texts[1], right)
        else { return .null }
        return .bool(holds)
    }
}
