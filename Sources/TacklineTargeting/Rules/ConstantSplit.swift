import TacklineCore

/// A `fractional` whose variants and weights are known when the rule is compiled.
///
/// A class, so that using it counts one reference instead of one for each list in it.
final class ConstantSplit: Sendable {
    /// Where each variant's share ends, in the order of the document.
    let ends: [UInt32]
    let variants: [EncodedFlagValue]
    let total: UInt32
    let key: SplitKey

    init(ends: [UInt32], variants: [EncodedFlagValue], total: UInt32, key: SplitKey) {
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
    /// These texts, one after another.
    case joined([SplitPiece])
}

/// One of the texts that make what a `fractional` buckets by.
enum SplitPiece: Sendable {
    case flagKey
    case targetingKey
    case node(Int32)
}
