import TacklineCore

/// A node of a compiled rule: a value, a list of nodes, or an operation on nodes.
///
/// Nodes are immutable objects, so an evaluation passes references and copies no part of the rule. The root of an
/// evaluator that `$ref` names is one node, which all rules that name it share.
final class Rule: Sendable {
    enum Content: Sendable {
        /// A value that contains no operation.
        case value(EncodedFlagValue)
        /// A list whose elements are the arguments.
        case list
        /// An operation. A single argument may stand without a list around it.
        case operation(RuleOperator, isList: Bool)
    }

    /// The arguments that are known when the rule is compiled, in the form in which the operator uses them.
    enum Preparation: Sendable {
        case none
        /// The path that `var` looks up.
        case path(VariablePath)
        /// The list in which `in` searches.
        case texts(Set<ExactText>)
        /// The shares of `fractional`.
        case shares(FractionalShares)
        /// The root of the evaluator that `$ref` names.
        case reference(Rule)
    }

    let content: Content
    let arguments: [Rule]
    let preparation: Preparation
    /// The number of levels of nodes, this one included.
    let height: Int
    /// Whether the value may depend on the time. A `var` whose name is computed is assumed not to ask for it.
    let isTimed: Bool

    init(_ content: Content, _ arguments: [Rule] = [], _ preparation: Preparation = .none) {
        self.content = content
        self.arguments = arguments
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
    var operation: RuleOperator? { if case .operation(let operation, _) = content { operation } else { nil } }

    /// The value of a node without operations; `nil` for any other.
    var value: EncodedFlagValue? { if case .value(let value) = content { value } else { nil } }

    /// The value if it is a text.
    var text: String? { if case .value(.string(let text)) = content { text } else { nil } }

    /// The arguments of an operation, or the elements of a list.
    var parts: [Rule] {
        if case .value(.array(let elements)) = content { elements.map { Rule(.value($0)) } } else { arguments }
    }

    /// Whether the node is a list, with or without operations in it.
    var isList: Bool {
        switch content {
        case .list, .value(.array): true
        default: false
        }
    }

    /// The rule as it stands in the document.
    var json: EncodedFlagValue {
        switch content {
        case .value(let value): value
        case .list: .array(arguments.map(\.json))
        case .operation(let operation, let isList):
            .object([operation.name: isList ? .array(arguments.map(\.json)) : arguments[0].json])
        }
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
