import TacklineCore

/// A node of a compiled rule: a value, a list of nodes, or an operation on nodes.
///
/// Nodes are immutable objects, so an evaluation passes references and copies no part of the rule. The root of an
/// evaluator that `$ref` names is one node, which all rules that name it share.
final class Rule: Sendable {
    /// The arguments that are known when the rule is compiled, in the form in which the operator uses them.
    enum Preparation: Sendable {
        case none
        /// The path that `var` looks up.
        case path(VariablePath)
        /// The texts among which `in` searches. They are compared by bytes, so another Unicode normalization differs.
        case texts(Set<[UInt8]>)
        /// The shares of `fractional`.
        case shares(FractionalShares)
        /// The root of the evaluator that `$ref` names.
        case reference(Rule)
    }

    /// The value of a node without operations; `nil` for any other.
    let value: EncodedFlagValue?
    /// The position of the operator in the table of operators; `nil` for a value and for a list. Unlike an object, it
    /// costs no counting of references.
    let position: UInt8?
    /// The arguments of an operation, or the elements of a list that contains operations.
    let arguments: [Rule]
    /// Whether the arguments stand in a list in the document. A single one may stand without.
    let hasList: Bool
    let preparation: Preparation
    /// The number of levels of nodes, this one included.
    let height: UInt8
    /// Whether the value may depend on the time. A `var` whose name is computed is assumed not to ask for it.
    let isTimed: Bool

    /// Creates the node of a value that contains no operation.
    init(_ value: EncodedFlagValue) {
        self.value = .some(value)
        (position, arguments, hasList, preparation) = (nil, [], true, .none)
        (height, isTimed) = (1, false)
    }

    /// Creates the node of an operation, or of a list if there is no operator.
    init(_ position: UInt8?, _ arguments: [Rule], hasList: Bool = true, _ preparation: Preparation = .none) {
        value = .none
        self.position = position
        self.arguments = arguments
        self.hasList = hasList
        self.preparation = preparation
        if case .reference(let root) = preparation {
            // The reference is on the level of the root that it stands for.
            (height, isTimed) = (root.height, root.isTimed)
        } else {
            height = 1 + arguments.reduce(0) { max($0, $1.height) }
            let asks = if case .path(let path) = preparation { path.origin == .timestamp } else { false }
            isTimed = asks || arguments.contains(where: \.isTimed)
        }
    }

    /// The operator; `nil` for a value and for a list.
    var operation: RuleOperator? { position.map { RuleOperator.table[Int($0)] } }

    /// The value if it is a text.
    var text: String? { if case .string(let text)? = value { text } else { nil } }

    /// The elements of a list, with or without operations in it; `nil` for any other node.
    var elements: [Rule]? {
        if case .array(let elements)? = value { return elements.map { Rule($0) } }
        return value == nil && position == nil ? arguments : nil
    }

    /// The rule as it stands in the document.
    var json: EncodedFlagValue {
        if let value { return value }
        let argument = hasList ? .array(arguments.map(\.json)) : arguments[0].json
        return if let operation { .object([operation.name: argument]) } else { argument }
    }
}

/// A path that `var` looks up, split into names when the rule is compiled.
final class VariablePath: Sendable {
    enum Origin: Sendable {
        /// One name of an attribute, as most paths are.
        case attribute
        case targetingKey
        case flagKey
        case timestamp
        /// Any other path into the data.
        case data
        /// The empty path, which means the whole data.
        case whole
    }

    let origin: Origin
    let first: String
    let rest: [String]
    /// The number of steps that a look-up costs besides the first; 0 for every usual path.
    let cost: Int

    /// The maximum length of a name in bytes, as in a document: the time to look up a name grows with the square of a
    /// run of combining marks.
    static let nameLimit = 1_024

    /// Splits a dotted path into names; `nil` if one of them is too long to be looked up.
    init?(_ text: String) {
        // By bytes: a combining mark after a point would form one character with it.
        let names = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard names.allSatisfy({ $0.count <= Self.nameLimit }) else { return nil }
        first = String(Substring(names[0]))
        rest = names.dropFirst().map { String(Substring($0)) }
        cost = rest.count / 4 + text.utf8.count / 64
        origin =
            switch text {
            case "": .whole
            case "targetingKey": .targetingKey
            case "$flagd.flagKey": .flagKey
            case "$flagd.timestamp": .timestamp
            default: rest.isEmpty && text != "$flagd" ? .attribute : .data
            }
    }
}

/// A flag's compiled rule, with what its evaluations share.
final class CompiledRule: Sendable {
    let root: Rule
    /// The flag that the rule belongs to; empty for a rule of its own.
    let flagKey: String
    let settings: RuleSettings
    /// The number of steps that one evaluation may take.
    let maximumSteps: Int

    init(_ root: Rule, of flagKey: String, settings: RuleSettings, maximumSteps: Int) {
        self.root = root
        self.flagKey = flagKey
        self.settings = settings
        self.maximumSteps = maximumSteps
    }
}

/// The settings for all evaluations of a document. A class, so that they are shared by reference.
final class RuleSettings: Sendable {
    /// The time in seconds since 1970. It is called only by rules that depend on the time.
    let timestamp: @Sendable () -> Int64
    let fractional: FractionalGeneration
    let limits: TargetingLimits

    init(timestamp: @escaping @Sendable () -> Int64, fractional: FractionalGeneration, limits: TargetingLimits) {
        self.timestamp = timestamp
        self.fractional = fractional
        self.limits = limits
    }
}
