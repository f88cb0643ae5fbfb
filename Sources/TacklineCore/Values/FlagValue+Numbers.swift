// `Decimal` is a type of Foundation.
#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// MARK: Integers

extension Int: FlagValue {}
extension Int8: FlagValue {}
extension Int16: FlagValue {}
extension Int32: FlagValue {}
extension Int64: FlagValue {}
extension Int128: FlagValue {}
extension UInt: FlagValue {}
extension UInt8: FlagValue {}
extension UInt16: FlagValue {}
extension UInt32: FlagValue {}
extension UInt64: FlagValue {}

extension FlagValue where Self: FixedWidthInteger & Codable {
    /// Creates an integer from an encoded integer, a floating-point number without a fraction, or an unparsed text.
    ///
    /// The number must be in the range of the type. An unparsed text consists of decimal digits after at most a minus
    /// sign.
    ///
    /// - Throws: ``FlagValueError`` for any other value, such as 300 for a `UInt8`, 1.5, the string "5", or a text with
    ///   spaces.
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

extension UInt128: FlagValue {
    /// Creates an integer from the values that other integer types accept, or from a string of decimal digits.
    ///
    /// ``EncodedFlagValue/integer(_:)`` can't hold a number above `Int128.max`, so ``encoded`` writes such a number as
    /// a string. A string with a smaller number is refused.
    ///
    /// - Throws: ``FlagValueError`` for any other value, such as the string "5".
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        if let number = encoded.wholeNumber.flatMap(UInt128.init(exactly:)) {
            self = number
        } else if case .double(let value) = encoded, let number = UInt128(exactly: value) {
            self = number
        } else if let text = encoded.text, text.utf8.allSatisfy({ 0x30...0x39 ~= $0 }), let number = UInt128(text),
            number > Int128.max.magnitude
        {
            self = number
        } else {
            throw FlagValueError(expected: "an integer from 0 to \(UInt128.max)", found: encoded)
        }
    }
}

extension EncodedFlagValue {
    fileprivate var wholeNumber: Int128? {
        switch self {
        case .integer(let value): value
        case .double(let value): Int128(exactly: value)
        case .unparsed(let text): Int128(decimal: text)
        default: nil
        }
    }

    // Not generic, because code for each type of integer takes much space.
    fileprivate func integer(in range: ClosedRange<Int128>) throws(FlagValueError) -> Int128 {
        guard let value = wholeNumber, range.contains(value) else {
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
        guard text.utf8.first != UInt8(ascii: "+"), let value = Int128(text) else { return nil }
        self = value
    }
}

// MARK: Floating point

extension Double: FlagValue {
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
        guard text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) }), let value = Double(text), value.isFinite
        else { return nil }
        self = value
    }
}

extension Float: FlagValue {
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
    /// Whether the text is an integer in JSON. -0 isn't, because integers have no negative zero.
    fileprivate var isInteger: Bool {
        let digits = hasPrefix("-") ? utf8.dropFirst() : utf8[...]
        return !digits.isEmpty && digits.allSatisfy { (0x30...0x39).contains($0) } && self != "-0"
    }
}

// MARK: Decimals and durations

extension Decimal: FlagValue {
    /// Creates a decimal number from a number, or from a string or an unparsed text that has the form of a JSON number.
    ///
    /// A number of a file has the digits of its nearest `Double`, so 9.99 is 9.99. Write a number of more than 15 digits
    /// as a string.
    ///
    /// - Throws: ``FlagValueError`` for any other value, such as "12abc", NaN, or a number beyond the range of `Decimal`.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        let text: String? =
            switch encoded {
            case .integer(let value): String(value)
            case .double(let value) where value.isFinite: value.description
            // `Decimal.init(string:)` accepts "12abc".
            case .string(let text), .unparsed(let text): text.isJSONNumber ? text : nil
            default: nil
            }
        guard let text, let value = Decimal(string: text), !value.isNaN else {
            throw FlagValueError(expected: "a number that a Decimal holds", found: encoded)
        }
        self = value
    }

    /// The number as ``EncodedFlagValue/integer(_:)`` or ``EncodedFlagValue/double(_:)`` if they hold it exactly, else as
    /// a string of its digits.
    ///
    /// - Throws: ``FlagValueError`` for NaN.
    public var encoded: EncodedFlagValue {
        get throws(FlagValueError) {
            guard !isNaN else { throw .encoding(Decimal.self, path: [], detail: "it is not a number") }
            return exactForm
        }
    }

    fileprivate var exactForm: EncodedFlagValue {
        let text = description
        if let whole = Int128(decimal: text) { return .integer(whole) }
        if let number = Double(text), Decimal(string: number.description) == self { return .double(number) }
        return .string(text)
    }
}

extension String {
    /// Whether the text has the form of a number in JSON.
    fileprivate var isJSONNumber: Bool {
        wholeMatch(of: /-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil
    }
}

/// A duration is encoded as its number of seconds, as a `Decimal` is: 5 for five seconds, 0.25 for 250 milliseconds.
extension Duration: FlagValue {
    /// Creates a duration from a number of seconds with up to 18 digits after the point.
    ///
    /// - Throws: ``FlagValueError`` for any other value, such as a number with more digits, and one that an `Int64` can't
    ///   hold.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        let second = 1_000_000_000_000_000_000 as Int128
        guard let number = try? Decimal(encoded: encoded),
            let attoseconds = Int128(
                decimal: (number * Decimal(sign: .plus, exponent: 18, significand: 1)).description),
            let seconds = Int64(exactly: attoseconds / second)
        else {
            throw FlagValueError(expected: "a number of seconds, with up to 18 digits after the point", found: encoded)
        }
        self.init(secondsComponent: seconds, attosecondsComponent: Int64(attoseconds % second))
    }

    /// The number of seconds.
    public var encoded: EncodedFlagValue {
        let fraction = Decimal(sign: .plus, exponent: -18, significand: Decimal(components.attoseconds))
        return (Decimal(components.seconds) + fraction).exactForm
    }
}
