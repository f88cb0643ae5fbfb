import TacklineCore

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
    /// Null, which the second generation takes for the default and the third for nothing to bucket by.
    case missing
    /// An expression.
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

/// The weights of a `fractional`, checked as all generations since the second check them.
enum FractionalWeights {
    /// The largest weight, and the largest sum of weights.
    static let maximum: Int64 = 2_147_483_647

    /// The weight that a value stands for: 1 for null, 0 for a negative one; `nil` for what makes the whole operation null.
    static func weight(_ value: EncodedFlagValue) -> Int64? {
        let number: Double
        switch value {
        case .null: return 1
        case .integer(let whole):
            guard whole <= Int128(maximum) else { return nil }
            return max(0, Int64(clamping: whole))
        case .double(let double): number = double
        case .decimal(let decimal): number = decimal.nearestDouble
        default: return nil
        }
        guard number.rounded(.towardZero) == number, number <= Double(maximum) else { return nil }
        return number < 0 ? 0 : Int64(number)
    }
}
