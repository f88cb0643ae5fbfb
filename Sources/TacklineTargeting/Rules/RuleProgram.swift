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
    let splits: [ConstantSplit]
    let root: Int32

    init(
        nodes: [RuleNode], arguments: [Int32], constants: [EncodedFlagValue], paths: [VariablePath],
        sets: [Set<ExactText>], versionTests: [VersionTest], splits: [ConstantSplit], root: Int32
    ) {
        self.nodes = nodes
        self.arguments = arguments
        self.constants = constants
        self.paths = paths
        self.sets = sets
        self.versionTests = versionTests
        self.splits = splits
        self.root = root
    }
}
