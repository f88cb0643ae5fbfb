import TacklineCore

/// The nodes of compiled rules, and the lists that they refer to by index.
struct RuleParts: Sendable {
    var nodes: [RuleNode] = []
    var arguments: [Int32] = []
    var constants: [EncodedFlagValue] = []
    var paths: [VariablePath] = []
    var sets: [Set<ExactText>] = []
    var versionTests: [VersionTest] = []
    var affixTests: [AffixTest] = []
    var splits: [ConstantSplit] = []
    var splitShares: [SplitShare] = []
    var splitPieces: [SplitPiece] = []
    /// The evaluators that rules name, which have a code of their own.
    var references: [RuleProgram] = []

    /// Copies the long lists, so that they reserve no spare capacity.
    mutating func trim() {
        (nodes, arguments) = (Array(nodes[...]), Array(arguments[...]))
        (constants, splitShares) = (Array(constants[...]), Array(splitShares[...]))
        (paths, splits, affixTests) = (Array(paths[...]), Array(splits[...]), Array(affixTests[...]))
    }
}

/// The compiled rules of a document.
///
/// All rules share one code, so that rules that are evaluated one after another are close together in memory. It is
/// immutable, so all evaluations share it, from any thread.
final class RuleCode: Sendable {
    let parts: RuleParts
    /// The computations of all operators. A constant of the whole program would be looked up at each use.
    let evaluations = RuleOperator.evaluations
    /// Whether the value of each node may depend on the time; empty if none does.
    private let timed: [Bool]
    let settings: RuleSettings

    init(_ parts: RuleParts, settings: RuleSettings) {
        var parts = parts
        parts.trim()
        self.parts = parts
        timed = Self.timed(parts)
        self.settings = settings
    }

    private static func timed(_ parts: RuleParts) -> [Bool] {
        guard
            parts.paths.contains(where: { $0.origin == .timestamp }) || parts.references.contains(where: \.isTimed)
        else { return [] }
        // Arguments stand before the nodes that they belong to.
        var isTimed: [Bool] = []
        isTimed.reserveCapacity(parts.nodes.count)
        for node in parts.nodes {
            let own =
                switch node.kind {
                case .variable: parts.paths[Int(node.payload)].origin == .timestamp
                case .reference: parts.references[Int(node.payload)].isTimed
                default: false
                }
            isTimed.append(own || parts.arguments[node.argumentRange].contains { isTimed[Int($0)] })
        }
        return isTimed
    }

    /// Returns whether a node's value may depend on the time. A `var` whose name is an expression is assumed not to.
    func isTimed(_ index: Int32) -> Bool { !timed.isEmpty && timed[Int(index)] }
}

/// One rule of a document's code.
final class RuleProgram: Sendable {
    /// The place of a rule in its code, and its size.
    struct Part: Sendable {
        var root: Int32
        /// The range of the rule's own constants.
        var constants: Range<Int>
        /// The number of values that the rule consists of, its evaluators included.
        var size: Int
        /// The number of values that are the rule's own.
        var ownSize: Int
        /// The number of levels that the rule needs.
        var height: Int
    }

    let code: RuleCode
    let root: Int32
    let constants: Range<Int>
    let size: Int
    let height: Int
    /// The number of steps that one evaluation may take.
    let maximumSteps: Int
    /// The flag that the rule belongs to; empty for a rule of its own.
    let flagKey: String
    /// The state of the hash before the targeting key, for a split by the flag's key and the targeting key.
    let splitPrefix: MurmurHash3

    init(_ part: Part, of code: RuleCode, flagKey: String) {
        self.code = code
        root = part.root
        constants = part.constants
        size = part.size
        height = part.height
        // Without its evaluators, whose size would count for each rule that names them.
        maximumSteps = code.settings.steps(forSize: part.ownSize)
        self.flagKey = flagKey
        splitPrefix = code.settings.fractional.prefix(flagKey)
    }

    var settings: RuleSettings { code.settings }

    /// Whether the rule's result may depend on the time.
    var isTimed: Bool { code.isTimed(root) }
}
