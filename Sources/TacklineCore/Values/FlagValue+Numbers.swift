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
extension UInt128: FlagValue {}

extension FlagValue where Self: FixedWidthInteger & Codable {
    /// Creates an integer from an encoded integer, a floating-point number without a fraction, or an unparsed text of
    /// decimal digits after at most a minus sign.
    ///
    /// The number must be in the range of the type: 300 for a `UInt8` is refused.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        if let wide = encoded.wideInteger, let number = Self(exactly: wide) {
            self = number
        } else {
            let range = Int128(clamping: Self.min)...Int128(clamping: Self.max)
            self = Self(truncatingIfNeeded: try encoded.integer(in: range))
        }
    }

    /// The number as ``EncodedFlagValue/integer(_:)``, or above `Int128.max` as a string of decimal digits.
    public var encoded: EncodedFlagValue {
        if let value = Int128(exactly: self) { return .integer(value) }
        return .string(String(self))
    }
}

extension EncodedFlagValue {
    // Not generic, because code for each type of integer takes much space.
    /// The number of a text that is greater than every ``integer(_:)``.
    @inline(never) fileprivate var wideInteger: UInt128? {
        text.flatMap { UInt128($0) }.flatMap { $0 > Int128.max ? $0 : nil }
    }

    @inline(never) fileprivate func integer(in range: ClosedRange<Int128>) throws(FlagValueError) -> Int128 {
        let number: Int128? =
            switch self {
            case .integer(let value): value
            case .double(let value): Int128(exactly: value)
            case .unparsed(let text) where text.utf8.first != UInt8(ascii: "+"): Int128(text)
            default: nil
            }
        guard let number, range.contains(number) else {
            // The limits of a wide type help only where a whole number is beyond them.
            let isAboutLimits = number != nil || range.upperBound < Int32.max
            let limits = isAboutLimits ? " from \(range.lowerBound) to \(range.upperBound)" : ""
            throw FlagValueError(expected: "an integer\(limits)", found: self)
        }
        return number
    }

    /// The value with the number of an unparsed decimal text in place of the text.
    ///
    /// A text with spaces, "nan", "inf", a hexadecimal one, and one that is too large have no number.
    fileprivate var number: EncodedFlagValue {
        guard case .unparsed(let text) = self, text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) }),
            let value = Double(text), value.isFinite
        else { return self }
        // -0 is a `Double`: integers have no negative zero.
        if text == "-0" || text.utf8.contains(where: { ".+eE".utf8.contains($0) }) { return .double(value) }
        return Int128(text).map { .integer($0) } ?? self
    }
}

// MARK: Floating point

extension FlagValue where Self: BinaryFloatingPoint & Codable {
    /// Creates a number from an encoded floating-point number, an integer, or an unparsed decimal text.
    ///
    /// A number with a fraction or an exponent is rounded to the nearest one of the type, because a common value such as
    /// 0.1 has no exact `Float`. It is refused if it is finite and the nearest one is infinite. An integer, also one in an
    /// unparsed text, must be exactly representable, unlike 2⁵³ + 1 for a `Double`.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        let nearest: Self? =
            switch encoded.number {
            case .integer(let value): Self(exactly: value)
            case .double(let value): value.isFinite && Self(value).isInfinite ? nil : Self(value)
            default: nil
            }
        guard let nearest else { throw FlagValueError(expected: "a number that a \(Self.self) holds", found: encoded) }
        self = nearest
    }
}

extension Double: FlagValue {
    /// The number as ``EncodedFlagValue/double(_:)``. JSON can't represent NaN and the infinities.
    public var encoded: EncodedFlagValue { .double(self) }
}

extension Float: FlagValue {
    /// The shortest decimal number that rounds to this `Float`, as ``EncodedFlagValue/double(_:)``.
    ///
    /// `Float(0.1)` is encoded as 0.1, not as 0.10000000149011612. A whole number is encoded exactly, because a property
    /// list gives back an integer for it.
    public var encoded: EncodedFlagValue {
        if isFinite, self != rounded(), let short = Double(description), Float(short) == self { return .double(short) }
        return .double(Double(self))
    }
}
