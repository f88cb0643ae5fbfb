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
        let exact: Self? =
            switch encoded {
            case .integer(let value): Self(exactly: value)
            case .double(let value): Self(exactly: value)
            case .unparsed(let text): Self(decimal: text)
            default: nil
            }
        guard let exact else {
            throw FlagValueError(expected: "an integer from \(Self.min) to \(Self.max)", found: encoded)
        }
        self = exact
    }

    /// ``EncodedFlagValue/integer(_:)``.
    ///
    /// A type of one's own that is wider than `Int128` gives its decimal digits as a string where they are needed,
    /// and has to provide an initializer that takes them, as `UInt128` does.
    public var encoded: EncodedFlagValue {
        if let value = Int128(exactly: self) {
            return .integer(value)
        }
        return .string(String(self))
    }
}

extension UInt128: FlagValue, PlainFlagValue {
    /// Takes what the other integers take, and a string of decimal digits for a value above `Int128.max`, which
    /// ``EncodedFlagValue/integer(_:)`` cannot hold; ``encoded`` writes such a value that way.
    ///
    /// - Throws: ``FlagValueError`` for anything else, also for the string "5".
    public init(encoded: EncodedFlagValue) throws(FlagValueError) {
        let exact: UInt128? =
            switch encoded {
            case .integer(let value): UInt128(exactly: value)
            case .double(let value): UInt128(exactly: value)
            case .unparsed(let text): UInt128(decimal: text)
            case .string(let text): UInt128(decimal: text).flatMap { $0 > Int128.max ? $0 : nil }
            default: nil
            }
        guard let exact else {
            throw FlagValueError(expected: "an integer from \(Self.min) to \(Self.max)", found: encoded)
        }
        self = exact
    }
}

extension FixedWidthInteger {
    /// Reads decimal digits after at most a minus sign; nothing else, not even a plus sign.
    init?(decimal text: String) {
        let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
        guard !digits.isEmpty, digits.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        self.init(text, radix: 10)
    }
}
