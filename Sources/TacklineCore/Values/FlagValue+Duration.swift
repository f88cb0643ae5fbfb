/// A duration is encoded as its number of seconds: 5 for five seconds, 0.25 for 250 milliseconds.
extension Duration: FlagValue {
    /// Creates a duration from a number of seconds: an integer, a number with up to 18 digits after the point, or an
    /// unparsed decimal text.
    ///
    /// - Throws: ``FlagValueError`` for any other value, such as the string "5", a number with more digits, and one that an
    ///   `Int64` can't hold.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        let text: String? =
            switch encoded {
            case .integer(let value): String(value)
            case .double(let value) where value.isFinite: value.description
            case .decimal(let value): value.text
            case .unparsed(let text): Int128(decimal: text) != nil || Double(decimal: text) != nil ? text : nil
            default: nil
            }
        guard let text, let duration = Duration(seconds: text) else {
            throw FlagValueError(expected: "a number of seconds, with up to 18 digits after the point", found: encoded)
        }
        self = duration
    }

    /// The number of seconds: an integer, or a number that has the digits of the fraction.
    public var encoded: EncodedFlagValue {
        let (seconds, attoseconds) = components
        guard attoseconds != 0 else { return .integer(Int128(seconds)) }
        let digits = String(attoseconds.magnitude)
        let fraction = String(repeating: "0", count: 18 - digits.utf8.count) + digits
        let text = "\(seconds < 0 || attoseconds < 0 ? "-" : "")\(seconds.magnitude).\(fraction)"
        return EncodedFlagValue(decimal: text) ?? .null
    }

    private init?(seconds text: String) {
        let number = DecimalNotation(text)
        // The digits end at the 18th place after the point, or before it.
        let zeros = 18 + number.point - number.digits.count
        guard zeros >= 0, number.digits.count + zeros <= 38 else {
            guard number.digits.isEmpty else { return nil }
            self = .zero
            return
        }
        var attoseconds: Int128 = 0
        for digit in number.digits { attoseconds = attoseconds * 10 + Int128(digit - UInt8(ascii: "0")) }
        for _ in 0..<zeros { attoseconds *= 10 }
        if text.hasPrefix("-") { attoseconds = -attoseconds }
        let (seconds, rest) = attoseconds.quotientAndRemainder(dividingBy: 1_000_000_000_000_000_000)
        guard let seconds = Int64(exactly: seconds) else { return nil }
        self.init(secondsComponent: seconds, attosecondsComponent: Int64(rest))
    }
}
