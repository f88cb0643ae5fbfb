import TacklineCore

/// A node of a compiled rule: a value, a list of nodes, or an operation on nodes.
///
/// Nodes are immutable objects, so an evaluation passes references and copies no part of the rule. The root of an
/// evaluator that `$ref` names is one node, which all rules that name it share.
final class Rule: Sendable {
    /// The arguments that are known when the rule is compiled, in the form in which the operator uses them.
    enum Preparation: Sendable {
        case path(VariablePath)
        case shares(FractionalShares)
        case reference(Rule)
    }

    /// The value of a node without operations; `nil` for any other.
    let value: EncodedFlagValue?
    /// The operator; `nil` for a value and for a list.
    let operation: RuleOperator?
    /// The evaluation of the operator or of a list, which is called without counting a reference to the operator.
    let evaluation: RuleOperator.Evaluation
    /// The arguments of an operation, or the elements of a list that contains operations.
    let arguments: [Rule]
    /// Whether the arguments stand in a list in the document. A single one may stand without.
    let hasList: Bool
    let preparation: Preparation?
    let height: UInt8

    init(_ value: EncodedFlagValue) {
        self.value = .some(value)
        evaluation = RuleOperator.list
        (operation, arguments, hasList, preparation, height) = (nil, [], true, nil, 1)
    }

    /// Creates the node of an operation, or of a list if there is no operator.
    init(_ operation: RuleOperator?, _ arguments: [Rule], hasList: Bool = true, _ preparation: Preparation? = nil) {
        value = .none
        self.operation = operation
        // Not with `??`, which would wrap the closure.
        evaluation = if let operation { operation.evaluation } else { RuleOperator.list }
        self.arguments = arguments
        self.hasList = hasList
        self.preparation = preparation
        // A reference is on the level of the root that it stands for.
        height =
            if case .reference(let root) = preparation { root.height } else { 1 + (arguments.map(\.height).max() ?? 0) }
    }

    var text: String? { if case .string(let text)? = value { text } else { nil } }

    /// The elements of a list, with or without operations in it; `nil` for any other node.
    var elements: [Rule]? {
        if case .array(let elements)? = value { return elements.map { Rule($0) } }
        return value == nil && operation == nil ? arguments : nil
    }

    /// The rule as it stands in the document.
    var json: EncodedFlagValue {
        if let value { return value }
        let argument = hasList ? .array(arguments.map(\.json)) : arguments[0].json
        return if let operation { .object([operation.name: argument]) } else { argument }
    }
}

/// A path that `var` looks up, split into names when the rule is compiled.
struct VariablePath: Sendable {
    /// One name of an attribute, as most paths are, a value of the evaluation, or any other path into the data.
    enum Kind: Sendable { case attribute, targetingKey, flagKey, timestamp, other }

    let kind: Kind
    /// The names from the outermost value inwards; none for the whole data.
    let names: [String]
    /// The number of steps that looking up the names takes: those that are not ASCII are normalized for it.
    let cost: Int

    /// The maximum length of a path in bytes, as of a key in a document.
    static let nameLimit = 1_024

    /// Splits a dotted path into names; `nil` if it is too long to be looked up.
    init?(_ text: String) {
        // `String` refuses long runs of combining marks: the time to look up a name grows with their square.
        guard text.utf8.count <= Self.nameLimit, (try? String(encoded: .string(text))) != nil else { return nil }
        // By bytes: a combining mark after a point would form one character with it.
        let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        names = text.isEmpty ? [] : parts.map { String(Substring($0)) }
        cost = max(0, names.reduce(-1) { $0 + 1 + $1.utf8.count / ($1.utf8.allSatisfy { $0 < 0x80 } ? 64 : 4) })
        switch text {
        case "targetingKey": kind = .targetingKey
        case "$flagd.flagKey": kind = .flagKey
        case "$flagd.timestamp": kind = .timestamp
        default: kind = names.count == 1 && text != "$flagd" ? .attribute : .other
        }
    }
}

/// The compiled rule of a flag, or an evaluator, with the settings of its document.
final class CompiledRule: Sendable {
    let root: Rule
    /// The flag that the rule belongs to; empty for any other rule.
    let flagKey: String
    /// The hash of the flag's key, to which a split without a key adds the targeting key.
    let keyHash: MurmurHash3
    let settings: RuleSettings
    /// The number of values that the rule consists of, without the evaluators that it names.
    let size: Int

    init(_ root: Rule, of flagKey: String, settings: RuleSettings, size: Int) {
        self.root = root
        self.flagKey = flagKey
        keyHash = settings.fractional.hash(ofFlagKey: flagKey)
        self.settings = settings
        self.size = size
    }
}

/// The settings for all evaluations of a document.
struct RuleSettings: Sendable {
    /// The time in seconds since 1970. It is called only by rules that depend on the time.
    let timestamp: @Sendable () -> Int64
    let fractional: FractionalVersion
}

/// Bounds for a rule, so that a hostile or broken document costs little and at most its flags have errors.
enum RuleLimits {
    /// The number of levels to which operators and lists of a rule may be nested: a rule is evaluated on the caller's
    /// stack.
    static let depth = 64
    /// The number of values that a flag's rule may consist of, including the `$evaluators` it refers to.
    static let size = 100_000
    /// The number of steps that the evaluation of a flag may take, together with those of the flags that it requires.
    /// Each operator, each element visited and each 16 bytes of text made cost one step, so this bounds memory as well.
    static let steps = 100_000

    /// Returns the number of steps for a flag among others, whose rules share those of twenty evaluations. A rule without
    /// loops needs about a step for each of its values.
    static func steps(forSize size: Int, ofOneAmong ruleCount: Int) -> Int {
        min(steps, 20 * steps / max(1, ruleCount) + 2 * size)
    }

    /// The number of bytes of UTF-8 in a text that a rule makes.
    static let textLength = 65_536
}
