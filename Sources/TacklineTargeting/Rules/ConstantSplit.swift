/// A `fractional` whose variants and weights are known when the rule is compiled.
struct ConstantSplit: Sendable {
    /// Where each variant's share ends, in the order of the document.
    var ends: [UInt32]
    /// For each variant, the index of its name among the constants.
    var variants: [Int32]
    var total: UInt32
    var key: SplitKey
}

/// What a `fractional` buckets by.
enum SplitKey: Sendable {
    /// The flag's key and the targeting key.
    case targetingKey
    /// An expression: a text is bucketed by, null stands for `targetingKey`, all else makes the split null.
    case node(Int32)
    /// The text of these expressions, one after another.
    case joined([Int32])
}
