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
    /// The flag that the rule belongs to; empty for a rule of its own.
    let flagKey: String
    /// The hash of the flag's key, with which the hash of most bucketing keys begins.
    let flagKeyHash: MurmurHash3
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
        self.flagKey = flagKey
        var hash = MurmurHash3()
        hash.combine(flagKey)
        flagKeyHash = hash
        self.settings = settings
    }
}
