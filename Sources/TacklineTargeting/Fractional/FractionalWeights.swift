import TacklineCore

/// The weights of a `fractional`, checked as its second generation checks them.
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
        default: return nil
        }
        guard number.rounded(.towardZero) == number, number <= Double(maximum) else { return nil }
        return number < 0 ? 0 : Int64(number)
    }
}
