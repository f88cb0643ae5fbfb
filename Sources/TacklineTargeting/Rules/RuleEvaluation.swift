import TacklineCore
import TacklineFiles

/// The reason why an evaluation was stopped. It has no payload, since it passes through every frame of the evaluation.
enum RuleFailure: UInt8, Error, Sendable {
    case tooManySteps
    case textTooLong
    case valueTooDeep
    /// The rule gave an object or a list.
    case noVariant

    /// A description of the failure and of its remedy.
    var message: String {
        switch self {
        case .tooManySteps:
            "the evaluation took too many steps and was given up; make the rule simpler"
        case .textTooLong:
            "the rule made a text of more than \(RuleLimits.textLength.byteText); make it simpler"
        case .valueTooDeep:
            "the rule met a value nested more than \(RuleLimits.depth) levels deep; make it flatter"
        case .noVariant:
            "the rule gave an object or a list, which names no variant; give each operation one operator with a list"
        }
    }
}

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
    var remainingSteps = RuleLimits.steps
    /// Whether a split has decided the value that is being returned.
    var isSplit = false
    /// Whether a split was given null to bucket by, which the third generation reports.
    var hadNoKey = false

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
        case .object, .array: throw RuleFailure.noVariant
        default: return try text(value)
        }
    }

    mutating func evaluate(_ node: Rule) throws -> EncodedFlagValue {
        try charge(1)
        if let value = node.value { return value }
        return try node.evaluation(&self, node)
    }

    /// Returns the value of a node's argument; null past the last one. It counts no reference to the argument, which the
    /// node holds.
    mutating func argument(_ position: Int, of node: Rule) throws -> EncodedFlagValue {
        guard position < node.arguments.count else { return .null }
        return try Unmanaged.passUnretained(node.arguments[position])._withUnsafeGuaranteedRef { try evaluate($0) }
    }

    mutating func values(of node: Rule) throws -> [EncodedFlagValue] {
        try node.arguments.map { try evaluate($0) }
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
        try charge(path.cost)
        if scope == nil {
            switch path.kind {
            case .attribute: return context.attributes[path.names[0]]
            case .targetingKey: return targetingKey
            case .flagKey: return .string(rule.flagKey)
            case .timestamp: return .integer(Int128(rule.settings.timestamp()))
            case .other: break
            }
        }
        var names = path.names[...]
        var value: EncodedFlagValue?
        if scope == nil, let name = names.first, name != "$flagd" {
            value = name == "targetingKey" ? targetingKey : context.attributes[name]
            names.removeFirst()
        } else {
            value = try wholeData()
        }
        while let outer = value, let name = names.popFirst() { value = try property(name, of: outer) }
        return value
    }

    var targetingKey: EncodedFlagValue? {
        if let key = context.targetingKey { .string(key) } else { context.attributes["targetingKey"] }
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

    private mutating func wholeData() throws -> EncodedFlagValue {
        if let scope {
            guard let accumulator = scope.accumulator else { return scope.value }
            return .object(["current": scope.value, "accumulator": accumulator])
        }
        try charge(context.attributes.count + 4)
        var members = context.attributes
        members["targetingKey"] = targetingKey
        members["$flagd"] = [
            "flagKey": .string(rule.flagKey), "timestamp": .integer(Int128(rule.settings.timestamp())),
        ]
        return .object(members)
    }
}
