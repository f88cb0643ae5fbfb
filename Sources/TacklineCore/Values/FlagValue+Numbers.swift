// MARK: Integers

extension Int: FlagValue, PlainFlagValue {}
extension Int8: FlagValue, PlainFlagValue {}
extension Int16: FlagValue, PlainFlagValue {}
extension Int32: FlagValue, PlainFlagValue {}
extension Int64: FlagValue, PlainFlagValue {}
extension Int128: FlagValue, PlainFlagValue {}
extension UInt: FlagValue, PlainFlagValue {}
extension UInt8: FlagValue, PlainFlagValue {}
extension UInt16: FlagValue, PlainFlagValue {}
extension UInt32: FlagValue, PlainFlagValue {}
extension UInt64: FlagValue, PlainFlagValue {}

extension FlagValue where Self: FixedWidthInteger & Codable {
    /// Creates an integer from an encoded integer, a floating-point number without a fraction, or an unparsed text.
    ///
    /// The number must be in the range of the type. An unparsed text consists of decimal digits after at most a minus
    /// sign.
    ///
    /// - Throws: ``FlagValueError`` for any other value, such as 300 for a `UInt8`, 1.5, 1.00000000000000001, the string
    ///   "5", or a text with spaces.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        let range = Int128(clamping: Self.min)...Int128(clamping: Self.max)
        self = Self(truncatingIfNeeded: try encoded.integer(in: range))
    }

    /// The number as ``EncodedFlagValue/integer(_:)``.
    ///
    /// A number outside the range of `Int128` is encoded as a string of decimal digits. If you conform a wider type,
    /// write an initializer that accepts such a string, as `UInt128` does.
    public var encoded: EncodedFlagValue {
        if let value = Int128(exactly: self) { return .integer(value) }
        return .string(String(self))
    }
}

extension UInt128: FlagValue, PlainFlagValue {
    /// Creates an integer from the values that other integer types accept, or from a string of decimal digits.
    ///
    /// ``EncodedFlagValue/integer(_:)`` can't hold a number above `Int128.max`, so ``encoded`` writes such a number as
    /// a string. A string with a smaller number is refused.
    ///
    /// - Throws: ``FlagValueError`` for any other value, such as the string "5".
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        if let whole = encoded.wholeNumber, !whole.isNegative || whole.magnitude == 0 {
            self = whole.magnitude
        } else if case .string(let text) = encoded, let whole = WholeNumber.decimal(text), !whole.isNegative,
            whole.magnitude > Int128.max.magnitude
        {
            self = whole.magnitude
        } else {
            throw FlagValueError(expected: "an integer from 0 to \(UInt128.max)", found: encoded)
        }
    }
}

/// An integer from −(2¹²⁸ − 1) to 2¹²⁸ − 1.
///
/// All integer types are converted through this type, because generic code compiled for each of them takes 60 KB.
private struct WholeNumber {
    var isNegative: Bool
    var magnitude: UInt128

    var int128: Int128? {
        guard magnitude <= (isNegative ? Int128.min.magnitude : Int128.max.magnitude) else { return nil }
        let bits = Int128(truncatingIfNeeded: magnitude)
        return isNegative ? 0 &- bits : bits
    }

    // Not `Int128.init(_:)`, which accepts a plus sign.
    static func decimal(_ text: String) -> WholeNumber? {
        var digits = text.utf8[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits.removeFirst() }
        guard !digits.isEmpty else { return nil }
        var magnitude: UInt128 = 0
        for byte in digits {
            guard (0x30...0x39).contains(byte) else { return nil }
            let (shifted, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, sumOverflow) = shifted.addingReportingOverflow(UInt128(byte - 0x30))
            if overflow || sumOverflow { return nil }
            magnitude = sum
        }
        return WholeNumber(isNegative: isNegative, magnitude: magnitude)
    }
}

extension EncodedFlagValue {
    fileprivate var wholeNumber: WholeNumber? {
        switch self {
        case .integer(let value): WholeNumber(isNegative: value < 0, magnitude: value.magnitude)
        case .double(let value):
            UInt128(exactly: value.magnitude).map { WholeNumber(isNegative: value < 0, magnitude: $0) }
        case .unparsed(let text): WholeNumber.decimal(text)
        default: nil
        }
    }

    fileprivate func integer(in range: ClosedRange<Int128>) throws(FlagValueError) -> Int128 {
        guard let value = wholeNumber?.int128, range.contains(value) else {
            // The limits of a wide type help only where a whole number is beyond them.
            let isAboutLimits = wholeNumber != nil || range.upperBound < Int32.max
            let expected = isAboutLimits ? "an integer from \(range.lowerBound) to \(range.upperBound)" : "an integer"
            throw FlagValueError(expected: expected, found: self)
        }
        return value
    }
}

extension Int128 {
    /// Creates a number from decimal digits after at most a minus sign.
    ///
    /// Returns `nil` for any other text, such as one with a plus sign or spaces, and if the number is out of range.
    package init?(decimal text: String) {
        guard let value = WholeNumber.decimal(text)?.int128 else { return nil }
        self = value
    }
}

// MARK: Floating point

extension Double: FlagValue, PlainFlagValue {
    /// Creates a number from an encoded floating-point number, an integer, or an unparsed decimal text.
    ///
    /// An integer, also one in an unparsed text, must be exactly representable as a `Double`. A number with a fraction or
    /// an exponent is rounded to the nearest `Double`.
    ///
    /// - Throws: ``FlagValueError`` for any other value, such as the integer 2⁵³ + 1, a string, or an unparsed text
    ///   that is NaN, infinite, hexadecimal, or too large for the type.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        let exact: Double? =
            switch encoded {
            case .double(let value): value
            case .decimal(let value): value.nearestDouble
            case .integer(let value): Double(exactly: value)
            case .unparsed(let text) where text.isInteger: Int128(decimal: text).flatMap(Double.init(exactly:))
            case .unparsed(let text): Double(decimal: text)
            default: nil
            }
        guard let exact else { throw FlagValueError(expected: "a number that a Double holds exactly", found: encoded) }
        self = exact
    }

    /// The number as ``EncodedFlagValue/double(_:)``.
    ///
    /// JSON has no notation for NaN and the infinities, so the JSON writer refuses them.
    public var encoded: EncodedFlagValue { .double(self) }

    /// Creates a number from a decimal text.
    ///
    /// Returns `nil` for a text with spaces, for "nan", "inf" and hexadecimal texts, and if the number is too large for
    /// the type.
    package init?(decimal text: String) {
        guard text.hasOnlyDecimalCharacters, let value = Double(text), value.isFinite else { return nil }
        self = value
    }
}

extension Float: FlagValue, PlainFlagValue {
    /// Creates a number from an encoded floating-point number, an integer, or an unparsed decimal text.
    ///
    /// A floating-point number or a decimal text is rounded to the nearest `Float`, because a common value such as 0.1
    /// has no exact `Float`. It is refused if it is finite and the nearest `Float` is infinite. An integer, also one
    /// in an unparsed text, must be exactly representable.
    ///
    /// - Throws: ``FlagValueError`` for any other value, such as the integer 2²⁴ + 1, 1e39, or an unparsed text that is
    ///   NaN or infinite.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        let nearest: Float? =
            switch encoded {
            case .double(let value): Float(rounding: value)
            case .decimal(let value): Float(rounding: value.nearestDouble)
            case .integer(let value): Float(exactly: value)
            case .unparsed(let text) where text.isInteger: Int128(decimal: text).flatMap(Float.init(exactly:))
            // Rounded twice, as a number in a file is.
            case .unparsed(let text): Double(decimal: text).flatMap(Float.init(rounding:))
            default: nil
            }
        guard let nearest else { throw FlagValueError(expected: "a number that a Float holds", found: encoded) }
        self = nearest
    }

    private init?(rounding value: Double) {
        self.init(value)
        if isInfinite, value.isFinite { return nil }
    }

    /// The shortest decimal number that rounds to this `Float`, as ``EncodedFlagValue/double(_:)``.
    ///
    /// `Float(0.1)` is encoded as 0.1, not as 0.10000000149011612. A whole number is encoded exactly, because a property
    /// list gives back an integer for it.
    public var encoded: EncodedFlagValue {
        if isFinite, self != rounded(), let short = Double(description), Float(short) == self { return .double(short) }
        return .double(Double(self))
    }
}

extension String {
    // `Double.init(_:)` also accepts "nan", "inf" and hexadecimal texts.
    fileprivate var hasOnlyDecimalCharacters: Bool { utf8.allSatisfy { "0123456789.+-eE".utf8.contains($0) } }

    /// Whether the text is an integer in JSON. -0 isn't, because integers have no negative zero.
    fileprivate var isInteger: Bool {
        let digits = hasPrefix("-") ? utf8.dropFirst() : utf8[...]
        return !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) } && self != "-0"
    }
}
