import TacklineCore

/// A single evaluation of a compiled rule.
///
/// Its stack use is bounded, because a rule's depth is checked when it is compiled and values are traversed to a fixed
/// depth. Its time and memory are bounded by steps: each node costs one, and operators charge for the elements that
/// they visit and the bytes that they make. Operators are small functions of their own: in an unoptimised build, the
/// frame of a function holds the temporaries of all its cases.
struct RuleEvaluation: ~Copyable {
    /// The data in which `var` finds values, if it is not the evaluation's context.
    ///
    /// A class, because most rules never make a scope, and the evaluation is smaller this way.
    final class Scope {
        /// One element of a list, or data that is no context; inside `reduce` its current element.
        let value: EncodedFlagValue
        /// The intermediate result of `reduce`; `nil` in other scopes.
        let accumulator: EncodedFlagValue?

        init(_ value: EncodedFlagValue, accumulator: EncodedFlagValue? = nil) {
            (self.value, self.accumulator) = (value, accumulator)
        }
    }

    let rule: CompiledRule
    let context: EvaluationContext
    /// The data of `var`; `nil` for the context.
    var scope: Scope?
    var remainingSteps: Int
    /// Whether a split has decided the value that is being returned.
    var isSplit = false
    /// Whether a split was given null to bucket by, which the third generation reports.
    var hadNoKey = false

    init(_ rule: CompiledRule, for context: EvaluationContext, scope: Scope? = nil) {
        self.rule = rule
        self.context = context
        self.scope = scope
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

    /// Returns whether a node's first argument is truthy.
    mutating func isTrue(_ node: Rule) throws -> Bool { try argument(0, of: node).isTruthy }

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
            case .timestamp: return timestamp
            case .data, .whole: break
            }
        }
        try charge(path.cost)
        if path.origin == .whole { return try wholeData() }
        guard var value = try member(path.first) else { return nil }
        for name in path.rest {
            guard let next = try property(name, of: value) else { return nil }
            value = next
        }
        return value
    }

    private var timestamp: EncodedFlagValue { .integer(Int128(rule.settings.timestamp())) }

    private var flagdProperties: EncodedFlagValue {
        .object(["flagKey": .string(rule.flagKey), "timestamp": timestamp])
    }

    /// Returns the result of the first step into the data of the current scope.
    private mutating func member(_ name: String) throws -> EncodedFlagValue? {
        guard let scope else {
            if name == "$flagd" { return flagdProperties }
            if name == "targetingKey", let key = context.targetingKey { return .string(key) }
            return context.attributes[name]
        }
        guard let accumulator = scope.accumulator else { return try property(name, of: scope.value) }
        switch name {
        case "current": return scope.value
        case "accumulator": return accumulator
        default: return nil
        }
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
        try charge(value.byteCount / 16)
        guard let units = value.scriptString?.utf16 else { return nil }
        if name == "length" { return .integer(Int128(units.count)) }
        guard let index, let position = units.index(units.startIndex, offsetBy: index, limitedBy: units.endIndex),
            position < units.endIndex
        else { return nil }
        return .string(String(decoding: [units[position]], as: UTF16.self))
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
