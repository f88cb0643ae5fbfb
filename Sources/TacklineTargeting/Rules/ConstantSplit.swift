/// A `fractional` whose variants and weights are known when the rule is compiled.
///
/// A class, so that using it counts one reference instead of one for each list in it.
final class ConstantSplit: Sendable {
    /// Where each variant's share ends, in the order of the document.
    let ends: [UInt32]
    /// For each variant, where its name is among the constants.
    let variants: [Int32]
    let total: UInt32
    let key: SplitKey

    init(ends: [UInt32], variants: [Int32], total: UInt32, key: SplitKey) {
        self.ends = ends
        self.variants = variants
        self.total = total
        self.key = key
    }
}

/// What a `fractional` buckets by.
enum SplitKey: Sendable {
    /// The flag's key and the targeting key.
    case targetingKey
    /// An expression: a text is bucketed by, null stands for `targetingKey`, all else makes the split null.
    case node(Int32)
    /// What most documents write: the flag's key and the targeting key, joined. Unlike the default it does not become null
    /// where there is no targeting key.
    case flagAndTargetingKey
    /// These texts, one after another.
    case joined([SplitPiece])
}

/// One of the texts that make what a `fractional` buckets by.
enum SplitPiece: Sendable {
    case flagKey
    case targetingKey
    case node(Int32)
}
