import TacklineCore

/// A `fractional` whose variants and weights are known when the rule is compiled.
///
/// A trivial value, which refers to lists of its program by index: using it counts no references.
struct ConstantSplit: Sendable {
    /// The index of its first share among the program's.
    let firstShare: Int
    let shareCount: Int
    let total: UInt32
    let key: SplitKey
}

/// One share of a split.
struct SplitShare: Sendable {
    /// The end of the share in the running sum of the weights; shares stand in the order of the document.
    let end: UInt32
    /// The index of its variant's name among the constants.
    let variant: Int32
}

/// The key that a `fractional` buckets by.
enum SplitKey: Sendable {
    /// The flag's key and the targeting key.
    case targetingKey
    /// Null, which the second generation replaces by the default and the third treats as nothing to bucket by.
    case missing
    /// An expression.
    case node(Int32)
    /// The flag's key and the targeting key, joined, as most documents write them. Unlike the default, this does not
    /// become null without a targeting key.
    case flagAndTargetingKey
    /// Texts, joined: a number of the program's pieces, from the first on.
    case joined(first: Int32, count: Int32)
}

/// One of the texts that form the key of a `fractional`.
enum SplitPiece: Sendable {
    case flagKey
    case targetingKey
    case node(Int32)
}

/// The shares of a `fractional`, with the checks that all generations since the second make.
struct FractionalShares {
    /// The largest weight, and the largest sum of weights.
    static let maximum: Int64 = 2_147_483_647

    private(set) var variants: [EncodedFlagValue] = []
    /// The running sums of the weights.
    private(set) var ends: [UInt32] = []

    /// The sum of the weights.
    var total: UInt32 { ends.last ?? 0 }

    /// Reads shares; `nil` for shares that make the whole operation null.
    init?(_ shares: ArraySlice<EncodedFlagValue>) {
        var total: Int64 = 0
        for share in shares {
            guard case .array(let parts) = share, (1...2).contains(parts.count), Self.isVariant(parts[0]),
                let weight = Self.weight(parts.count > 1 ? parts[1] : .null)
            else { return nil }
            total += weight
            guard total <= Self.maximum else { return nil }
            variants.append(parts[0])
            ends.append(UInt32(total))
        }
    }

    /// Returns the share that a hash falls into. The sum of the weights may not be 0.
    func position(of hash: UInt32) -> Int {
        let place = FractionalGeneration.place(of: hash, totalWeight: total)
        return ends.firstIndex { place < $0 } ?? ends.count - 1
    }

    /// Returns whether a value can be a variant.
    private static func isVariant(_ value: EncodedFlagValue) -> Bool {
        switch value {
        case .string, .bool, .integer, .double, .null: true
        default: false
        }
    }

    /// Returns the weight that a value stands for: 1 for null, 0 for a negative number; `nil` for a value that makes
    /// the whole operation null.
    static func weight(_ value: EncodedFlagValue) -> Int64? {
        let number: Double
        switch value {
        case .null: return 1
        case .integer(let whole):
            guard whole <= Int128(maximum) else { return nil }
            return max(0, Int64(clamping: whole))
        case .double(let double): number = double
        default: return nil
        }
        guard number.rounded(.towardZero) == number, number <= Double(maximum) else { return nil }
        return number < 0 ? 0 : Int64(number)
    }
}
