import TacklineCore

/// A compiled rule: nodes in one array, and beside them what they refer to by index.
///
/// Immutable once compiled, so it is shared by all evaluations of a flag, from any thread.
final class RuleProgram: Sendable {
    let nodes: [RuleNode]
    let arguments: [Int32]
    let constants: [EncodedFlagValue]
    let paths: [VariablePath]
    let sets: [Set<ExactText>]
    let versionTests: [VersionTest]
    let affixTests: [AffixTest]
    let splits: [ConstantSplit]
    let splitShares: [SplitShare]
    let splitPieces: [SplitPiece]
    let root: Int32
    /// For each node whether its value may depend on the time. A `var` whose name is an expression is taken not to.
    let isTimed: [Bool]
    /// The flag that the rule belongs to; empty for a rule of its own.
    let flagKey: String
    /// What is hashed before the targeting key where a split goes by the flag's key and that.
    let splitPrefix: MurmurHash3
    let settings: RuleSettings

    init(
        nodes: [RuleNode], arguments: [Int32], constants: [EncodedFlagValue], paths: [VariablePath],
        sets: [Set<ExactText>], versionTests: [VersionTest], affixTests: [AffixTest], splits: [ConstantSplit],
        splitShares: [SplitShare], splitPieces: [SplitPiece], root: Int32,
        flagKey: String, settings: RuleSettings
    ) {
        self.nodes = nodes
        self.arguments = arguments
        self.constants = constants
        self.paths = paths
        self.sets = sets
        self.versionTests = versionTests
        self.affixTests = affixTests
        self.splits = splits
        self.splitShares = splitShares
        self.splitPieces = splitPieces
        self.root = root
        // Arguments stand before what they are arguments of.
        var isTimed: [Bool] = []
        isTimed.reserveCapacity(nodes.count)
        for node in nodes {
            let own = node.kind == .variable && paths[Int(node.payload)].origin == .timestamp
            let first = Int(node.firstArgument)
            isTimed.append(own || arguments[first..<(first + Int(node.argumentCount))].contains { isTimed[Int($0)] })
        }
        self.isTimed = isTimed
        self.flagKey = flagKey
        splitPrefix = settings.fractional.prefix(flagKey)
        self.settings = settings
    }
}
