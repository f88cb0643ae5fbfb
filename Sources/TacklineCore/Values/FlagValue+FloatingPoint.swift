extension Double: FlagValue, PlainFlagValue {
    /// Takes a floating-point number, an integer that has an exact equivalent, or an untyped decimal text.
    ///
    /// - Throws: ``FlagValueError`` for anything else: 2⁵³ + 1, a string, a text that says NaN or infinity or that is
    ///   hexadecimal, a decimal too large for the type.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        let exact: Double? =
            switch encoded {
            case .double(let value): value
            case .integer(let value): Double(exactly: value)
            case .unparsed(let text): Double(decimal: text)
            default: nil
            }
        guard let exact else {
            throw FlagValueError(expected: "a number that a Double holds exactly", found: encoded)
        }
        self = exact
    }

    /// ``EncodedFlagValue/double(_:)``. JSON has no form for NaN and the infinities, so its writer refuses them.
    public var encoded: EncodedFlagValue { .double(self) }
}

extension Float: FlagValue, PlainFlagValue {
    /// Takes a floating-point number, an integer that has an exact equivalent, or an untyped decimal text.
    ///
    /// The number 0.1 of a document is not a `Float`, and yet it is what a person writes for one: of a floating-point
    /// number or a decimal text the nearest `Float` is taken, unless that is infinite. An integer is taken exactly or
    /// refused.
    ///
    /// - Throws: ``FlagValueError`` for anything else: 2²⁴ + 1 as an integer, 1e39, a text that says NaN or infinity.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        let nearest: Float? =
            switch encoded {
            case .double(let value): Float(value).isInfinite && value.isFinite ? nil : Float(value)
            case .integer(let value): Float(exactly: value)
            case .unparsed(let text): Float(decimal: text)
            default: nil
            }
        guard let nearest else {
            throw FlagValueError(expected: "a number that a Float holds", found: encoded)
        }
        self = nearest
    }

    /// ``EncodedFlagValue/double(_:)`` with the shortest decimal that means this `Float`: 0.1, and not
    /// 0.10000000149011612, which would be the same `Float`.
    public var encoded: EncodedFlagValue {
        if isFinite, let short = Double(description), Float(short) == self {
            return .double(short)
        }
        return .double(Double(self))
    }
}

extension LosslessStringConvertible where Self: BinaryFloatingPoint {
    /// Reads a decimal number that the type can hold; no blanks, no "nan", no "inf", no hexadecimal.
    init?(decimal text: String) {
        let isDecimal = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, UInt8(ascii: "."), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "e"),
                UInt8(ascii: "E"):
                true
            default: false
            }
        }
        guard isDecimal, let value = Self(text), value.isFinite else { return nil }
        self = value
    }
}
