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
    /// Takes an integer in range, a floating-point number that is whole and in range, or an untyped text of decimal
    /// digits after at most a minus sign.
    ///
    /// - Throws: ``FlagValueError`` for anything else: 300 for a `UInt8`, 1.5, the string "5", a text with blanks.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        let range = Int128(clamping: Self.min)...Int128(clamping: Self.max)
        self = Self(truncatingIfNeeded: try encoded.integer(in: range))
    }

    /// ``EncodedFlagValue/integer(_:)``.
    ///
    /// A value beyond `Int128` becomes a string of decimal digits; a wider type of your own has to provide an
    /// initializer that takes those, as `UInt128` does.
    public var encoded: EncodedFlagValue {
        if let value = Int128(exactly: self) { return .integer(value) }
        return .string(String(self))
    }
}

extension UInt128: FlagValue, PlainFlagValue {
    /// Takes what the other integers take, and a string of decimal digits for a value above `Int128.max`, which
    /// ``EncodedFlagValue/integer(_:)`` cannot hold; ``encoded`` writes such a value that way.
    ///
    /// - Throws: ``FlagValueError`` for anything else, also for the string "5".
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

/// A whole number. All integer types convert through it: generic code took 60 KB when compiled for each of them.
private struct WholeNumber {
    var isNegative: Bool
    var magnitude: UInt128

    /// The number as an `Int128`, or `nil` if it is out of range.
    var signed: Int128? {
        guard magnitude <= (isNegative ? Int128.min.magnitude : Int128.max.magnitude) else { return nil }
        let bits = Int128(truncatingIfNeeded: magnitude)
        return isNegative ? 0 &- bits : bits
    }

    /// Reads decimal digits after at most a minus sign; nothing else, not even a plus sign.
    static func decimal(_ text: String) -> WholeNumber? {
        var digits = text.utf8[...]
        let isNegative = digits.first == UInt8(ascii: "-")
        if isNegative { digits.removeFirst() }
        guard !digits.isEmpty else { return nil }
        var magnitude: UInt128 = 0
        for byte in digits {
            guard (0x30...0x39).contains(byte) else { return nil }
            let (shifted, overflow) = magnitude.multipliedReportingOverflow(by: 10)
            let (sum, overflowOfSum) = shifted.addingReportingOverflow(UInt128(byte - 0x30))
            if overflow || overflowOfSum { return nil }
            magnitude = sum
        }
        return WholeNumber(isNegative: isNegative, magnitude: magnitude)
    }
}

extension EncodedFlagValue {
    /// The number, if the value stands for a whole one; `nil` otherwise.
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
        guard let value = wholeNumber?.signed, range.contains(value) else {
            let expected = "an integer from \(range.lowerBound) to \(range.upperBound)"
            throw FlagValueError(expected: expected, found: self)
        }
        return value
    }
}

extension Int128 {
    /// Reads decimal digits after at most a minus sign; nothing else, not even a plus sign.
    package init?(decimal text: String) {
        guard let value = WholeNumber.decimal(text)?.signed else { return nil }
        self = value
    }
}

// MARK: Floating point

extension Double: FlagValue, PlainFlagValue {
    /// Takes a floating-point number, an integer that a `Double` holds exactly, or an untyped decimal text.
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
        guard let exact else { throw FlagValueError(expected: "a number that a Double holds exactly", found: encoded) }
        self = exact
    }

    /// ``EncodedFlagValue/double(_:)``. JSON has no form for NaN and the infinities, so its writer refuses them.
    public var encoded: EncodedFlagValue { .double(self) }

    /// Reads a decimal number that the type can hold; no blanks, no "nan", no "inf", no hexadecimal.
    package init?(decimal text: String) {
        guard text.isDecimal, let value = Double(text), value.isFinite else { return nil }
        self = value
    }
}

extension Float: FlagValue, PlainFlagValue {
    /// Takes a floating-point number, an integer that a `Float` holds exactly, or an untyped decimal text.
    ///
    /// Floating-point numbers and decimal texts are rounded to the nearest `Float`, since people write 0.1, which no
    /// `Float` equals; they are refused where that is infinite.
    ///
    /// - Throws: ``FlagValueError`` for anything else: 2²⁴ + 1 as an integer, 1e39, a text that says NaN or infinity.
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        let nearest: Float? =
            switch encoded {
            case .double(let value): Float(value).isInfinite && value.isFinite ? nil : Float(value)
            case .integer(let value): Float(exactly: value)
            case .unparsed(let text): text.isDecimal ? Float(text).flatMap { $0.isFinite ? $0 : nil } : nil
            default: nil
            }
        guard let nearest else { throw FlagValueError(expected: "a number that a Float holds", found: encoded) }
        self = nearest
    }

    /// ``EncodedFlagValue/double(_:)`` with the shortest decimal that rounds to this `Float`: 0.1, not
    /// 0.10000000149011612.
    public var encoded: EncodedFlagValue {
        if isFinite, let short = Double(description), Float(short) == self { return .double(short) }
        return .double(Double(self))
    }
}

extension String {
    /// Whether it has the characters of a decimal number only. `Double.init` also reads "nan", "inf" and hexadecimal.
    fileprivate var isDecimal: Bool { utf8.allSatisfy { "0123456789.+-eE".utf8.contains($0) } }
}
