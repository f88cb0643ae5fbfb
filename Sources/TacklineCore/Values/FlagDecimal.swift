/// A decimal number that a `Double` can't carry.
///
/// There are two kinds. Numbers such as 1.00000000000000001, 9007199254740993.0 and 1e-400 would look like whole numbers if
/// they were rounded to a `Double`, which they are not. Numbers such as 0.12345678901234567891 have more digits than the
/// shortest text of their nearest `Double`. Readers of JSON and property lists keep both as
/// ``EncodedFlagValue/decimal(_:)``. A `Double` or `Float` flag rounds the number, a `Decimal` flag takes it, and a flag of
/// an integer type refuses it.
public struct FlagDecimal: Sendable, Hashable {
    /// The number in the notation of JSON, with a fraction or an exponent.
    ///
    /// Two texts of the same number, such as `1e-400` and `10.0E-401`, give the same text.
    public let text: String

    /// The `Double` that is nearest to the number.
    public var nearestDouble: Double { Double(text) ?? .nan }

    /// Creates a number from a decimal text.
    ///
    /// Returns `nil` if the text is no decimal number, or if ``EncodedFlagValue/double(_:)`` carries the number: if its
    /// nearest `Double` equals it, or is not whole and has it as its shortest text.
    public init?(_ text: String) {
        guard let nearest = Double(decimal: text) else { return nil }
        self.init(text, nearestDouble: nearest)
    }

    init?(_ text: String, nearestDouble nearest: Double) {
        // The digits of the `Double`, and the number of them before the decimal point.
        let digits: [UInt8]
        let point: Int?
        if let whole = UInt128(exactly: nearest.magnitude) {
            digits = whole == 0 ? [] : Array(String(whole).utf8)
            point = whole == 0 ? nil : digits.count
        } else {
            // Each text of up to 15 digits is the shortest one of its `Double` (IEEE 754, section 5.12.2).
            guard text.utf8.count > 15 else { return nil }
            let shortest = DecimalNotation(nearest.description)
            digits = shortest.digits
            point = shortest.point
        }
        var notation = DecimalNotation(text)
        let isEqual =
            notation.digits == digits.withoutTrailingZeros && (point == nil || notation.point == point)
        guard !isEqual else { return nil }
        notation.isNegative = nearest.sign == .minus
        self.text = notation.text
    }
}

extension EncodedFlagValue {
    /// Creates ``decimal(_:)`` or ``double(_:)`` from the text of a number with a fraction or an exponent.
    ///
    /// Returns `nil` if the text is no decimal number, and if the number is too large for a `Double`.
    package init?(decimal text: String) {
        guard let nearest = Double(decimal: text) else { return nil }
        self = FlagDecimal(text, nearestDouble: nearest).map(EncodedFlagValue.decimal) ?? .double(nearest)
    }
}

extension Double {
    /// The shortest decimal text that readers take for this number, and not for a ``FlagDecimal``.
    package var exactText: String {
        // From 2⁵³ on, `description` has the digits that distinguish the number from other `Double`s, and zeros.
        guard magnitude > 0x1p53, let whole = UInt128(exactly: magnitude), FlagDecimal(description) != nil else {
            return description
        }
        return (self < 0 ? "-" : "") + "\(whole).0"
    }
}

/// The digits of a decimal number, and the place of its decimal point.
struct DecimalNotation {
    var isNegative = false
    /// The ASCII digits, without zeros at the start and the end.
    private(set) var digits: [UInt8] = []
    /// The number of digits before the decimal point. If it is negative, zeros precede the digits.
    private(set) var point: Int

    init(_ text: String) {
        let text = text.utf8
        let end = text.firstIndex { $0 | 0x20 == UInt8(ascii: "e") } ?? text.endIndex
        let exponent = text[end...].dropFirst()
        // No text is long enough to make up for an exponent beyond the range of `Int`.
        let limit = exponent.first == UInt8(ascii: "-") ? Int.min / 4 : Int.max / 4
        point = exponent.isEmpty ? 0 : Int(Substring(exponent)).map { min(max($0, Int.min / 4), Int.max / 4) } ?? limit
        var isFraction = false
        for byte in text[..<end] {
            if byte == UInt8(ascii: ".") { isFraction = true }
            guard (0x30...0x39).contains(byte) else { continue }
            if byte > 0x30 || !digits.isEmpty { digits.append(byte) }
            // Each digit before the point moves it to the right, and so do zeros that follow it.
            if !isFraction, !digits.isEmpty { point += 1 }
            if isFraction, digits.isEmpty { point -= 1 }
        }
        digits = digits.withoutTrailingZeros
    }

    var text: String {
        let digits = String(decoding: self.digits, as: UTF8.self)
        let zeroCount = point - digits.utf8.count
        let magnitude: String
        if 0...16 ~= zeroCount {
            magnitude = digits + String(repeating: "0", count: zeroCount) + ".0"
        } else if zeroCount < 0, point >= 0 {
            magnitude = (point == 0 ? "0" : String(digits.prefix(point))) + "." + digits.dropFirst(point)
        } else {
            let fraction = digits.utf8.count > 1 ? "." + digits.dropFirst() : ""
            magnitude = digits.prefix(1) + fraction + (point > 0 ? "e+" : "e") + String(point - 1)
        }
        return isNegative ? "-" + magnitude : magnitude
    }
}

extension [UInt8] {
    fileprivate var withoutTrailingZeros: [UInt8] {
        Array(self[..<((lastIndex { $0 != UInt8(ascii: "0") } ?? -1) + 1)])
    }
}
