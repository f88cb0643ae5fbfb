import TacklineCore

/// A single evaluation of a compiled rule.
///
/// Its stack use is bounded, because a rule's depth is checked when it is compiled and values are traversed to a fixed
/// depth. Its time and memory are bounded by steps: each node costs one, and operators charge for the elements that
/// they visit and the bytes that they make. Operators are small functions of their own: in an unoptimised build, the
/// frame of a function holds the temporaries of all its cases.
struct RuleEvaluation: ~Copyable {
    let rule: CompiledRule
    let context: EvaluationContext
    /// The data of `var`, such as an element of a list, with the intermediate result in `reduce`; `nil` for the
    /// context.
    var scope: (value: EncodedFlagValue, accumulator: EncodedFlagValue?)?
    var remainingSteps: Int
    /// Whether a split has decided the value that is being returned.
    var isSplit = false
    /// Whether a split was given null to bucket by, which the third generation reports.
    var hadNoKey = false

    init(_ rule: CompiledRule, for context: EvaluationContext) {
        self.rule = rule
        self.context = context
        remainingSteps = rule.maximumSteps
    }

    /// Charges steps for work before it is done.
    @inline(__always)
    mutating func charge(_ steps: Int) throws {
        remainingSteps -= steps
        if remainingSteps < 0 { throw RuleFailure.tooManySteps }
    }

    /// Returns the name of the variant that the rule gives; `nil` if it gives none.
    mutating func variant() throws -> String? {
        let value = try evaluate(rule.root)
        switch value {
        case .null: return nil
        case .object, .array([]): throw RuleFailure.noVariant
        default: return try text(value)
        }
    }

    /// Returns the value of a node.
    mutating func evaluate(_ node: Rule) throws -> EncodedFlagValue {
        try charge(1)
        if let position = node.position { return try RuleOperator.table[Int(position)].evaluation(&self, node) }
        if let value = node.value { return value }
        return .array(try values(of: node))
    }

    /// Returns the value of a node's argument; null past the last one.
    mutating func argument(_ position: Int, of node: Rule) throws -> EncodedFlagValue {
        guard position < node.arguments.count else { return .null }
        return try evaluate(node.arguments[position])
    }

    /// Returns the values of all arguments of a node.
    mutating func values(of node: Rule) throws -> [EncodedFlagValue] {
        var values: [EncodedFlagValue] = []
        values.reserveCapacity(node.arguments.count)
        for argument in node.arguments { values.append(try evaluate(argument)) }
        return values
    }

    // MARK: Data

    /// Looks up a path that the rule computes.
    mutating func lookUp(named name: EncodedFlagValue) throws -> EncodedFlagValue? {
        if case .null = name { return try wholeData() }
        let text = try text(name)
        try charge(1 + text.utf8.count / 4)
        return try VariablePath(text).flatMap { try lookUp($0) }
    }

    /// Looks up a path; returns `nil` if nothing is there. A null that is there is found.
    mutating func lookUp(_ path: VariablePath) throws -> EncodedFlagValue? {
        if scope == nil {
            switch path.origin {
            case .attribute: return context.attributes[path.first]
            case .targetingKey: if let key = context.targetingKey { return .string(key) }
            case .flagKey: return .string(rule.flagKey)
            case .timestamp: return .integer(Int128(rule.settings.timestamp()))
            case .data, .whole: break
            }
        }
        try charge(path.cost)
        if path.origin == .whole { return try wholeData() }
        var value: EncodedFlagValue?
        if scope != nil {
            value = try property(path.first, of: wholeData())
        } else if path.first == "$flagd" {
            value = flagdProperties
        } else if path.first == "targetingKey", let key = context.targetingKey {
            value = .string(key)
        } else {
            value = context.attributes[path.first]
        }
        for name in path.rest {
            guard let outer = value else { break }
            value = try property(name, of: outer)
        }
        return value
    }

    /// Returns a property as JavaScript does: members of objects, elements of lists, code units of texts, and lengths
    /// of both.
    private mutating func property(_ name: String, of value: EncodedFlagValue) throws -> EncodedFlagValue? {
        if case .object(let members) = value { return members[name] }
        // A position has no sign and no zeros before it.
        let index = Int(name).flatMap { $0 >= 0 && String($0) == name ? $0 : nil }
        if case .array(let elements) = value {
            if name == "length" { return .integer(Int128(elements.count)) }
            guard let index, index < elements.count else { return Optional.none }
            return elements[index]
        }
        // A text is traversed for its length in code units, and for the position of one of them.
        guard let text = value.scriptString else { return nil }
        try charge(text.utf8.count / 16)
        if name == "length" { return .integer(Int128(text.utf16.count)) }
        guard let unit = text.utf16.dropFirst(index ?? .max).first else { return nil }
        return .string(String(decoding: [unit], as: UTF16.self))
    }

    private var flagdProperties: EncodedFlagValue {
        ["flagKey": .string(rule.flagKey), "timestamp": .integer(Int128(rule.settings.timestamp()))]
    }

    private mutating func wholeData() throws -> EncodedFlagValue {
        if let scope {
            guard let accumulator = scope.accumulator else { return scope.value }
            return .object(["current": scope.value, "accumulator": accumulator])
        }
        try charge(context.attributes.count + 4)
        var members = context.attributes
        if let key = context.targetingKey { members["targetingKey"] = .string(key) }
        members["$flagd"] = flagdProperties
        return .object(members)
    }
}
