/// A `fractional` whose variants and weights are known when the rule is compiled.
///
/// A trivial value, which refers to lists of its program, so that using it counts no reference.
struct ConstantSplit: Sendable {
    /// Where its shares begin among the program's.
    let firstShare: Int
    let shareCount: Int
    let total: UInt32
    let key: SplitKey
}

/// One share of a split.
struct SplitShare: Sendable {
    /// Where it ends; shares stand in the order of the document.
    let end: UInt32
    /// Where the name of its variant is among the constants.
    let variant: Int32
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
    /// Texts, one after another: so many of the program's pieces, from the first on.
    case joined(first: Int32, count: Int32)
}

/// One of the texts that make what a `fractional` buckets by.
enum SplitPiece: Sendable {
    case flagKey
    case targetingKey
    case node(Int32)
}
