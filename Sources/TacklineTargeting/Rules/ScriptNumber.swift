/// JavaScript's conversions between numbers and text (ECMA-262, StringToNumber and Number::toString).
enum ScriptNumber {
    /// Whole numbers up to this size are exact in a double: 2^53.
    static let exactLimit = 9_007_199_254_740_992.0
    private static let radixes = [UInt8(ascii: "x"): 16, UInt8(ascii: "o"): 8, UInt8(ascii: "b"): 2]

    /// Returns the number that a text stands for, as `Number(text)` does: 0 for white space only, NaN for a text that
    /// is no number.
    ///
    /// - Parameter isPrefix: Whether more may follow a decimal number, as for `parseFloat(text)`.
    static func parse(_ text: String, isPrefix: Bool = false) -> Double {
        let text = trimmed(text)
        if text.isEmpty { return 0 }
        let bytes = Array(text.utf8)
        if !isPrefix, bytes.count > 2, bytes[0] == UInt8(ascii: "0"), let radix = radixes[bytes[1] | 0x20] {
            // The standard library accepts a sign here.
            guard bytes[2] >= UInt8(ascii: "0") else { return .nan }
            return UInt128(Substring(text.utf8.dropFirst(2)), radix: radix).map { Double($0) } ?? .nan
        }
        let literal = bytes.prefix(literalLength(of: bytes))
        guard isPrefix || literal.count == bytes.count else { return .nan }
        return Double(String(decoding: literal, as: UTF8.self)) ?? .nan
    }

    /// Returns the length of the decimal literal with which a text begins. The standard library accepts other forms.
    private static func literalLength(of bytes: [UInt8]) -> Int {
        var position = 0
        func skip(_ characters: String) -> Bool {
            guard position < bytes.count, characters.utf8.contains(bytes[position]) else { return false }
            position += 1
            return true
        }
        func skipDigits() -> Bool {
            let start = position
            while skip("0123456789") {}
            return position > start
        }
        _ = skip("+-")
        if bytes[position...].starts(with: "Infinity".utf8) { return position + 8 }
        let hasWhole = skipDigits()
        let hasFraction = skip(".") && skipDigits()
        guard hasWhole || hasFraction else { return 0 }
        let end = position
        guard skip("eE") else { return end }
        _ = skip("+-")
        return skipDigits() ? position : end
    }

    /// Returns a text without the white space that JavaScript trims.
    private static func trimmed(_ text: String) -> Substring {
        // Unicode has the next line as well, and JavaScript the byte order mark.
        func isInk(_ scalar: Unicode.Scalar) -> Bool {
            scalar != "\u{FEFF}" && (!scalar.properties.isWhitespace || scalar == "\u{85}")
        }
        let scalars = text.unicodeScalars
        guard let first = scalars.firstIndex(where: isInk), let last = scalars.lastIndex(where: isInk) else {
            return ""
        }
        return Substring(scalars[first...last])
    }

    /// Returns the text of a number as `String(number)` does.
    static func text(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        if number.rounded(.towardZero) == number, abs(number) < exactLimit { return String(Int64(number)) }

        // The standard library finds the same shortest digits but lays them out differently, with zeros around them.
        let parts = number.magnitude.description.split(separator: "e")
        let all = parts[0].filter { $0 != "." }
        let significant = all.drop { $0 == "0" }
        let digits = significant.dropLast(significant.reversed().prefix { $0 == "0" }.count)
        // The number of digits before the point; zero or less if zeros follow it.
        let exponent = parts.count > 1 ? Int(parts[1]) ?? 0 : 0
        let point = parts[0].prefix { $0 != "." }.count + exponent - (all.count - significant.count)
        let sign = number < 0 ? "-" : ""
        switch point {
        case digits.count...21: return sign + digits + String(repeating: "0", count: point - digits.count)
        case 1...21: return sign + digits.prefix(point) + "." + digits.dropFirst(point)
        case -5...0: return sign + "0." + String(repeating: "0", count: -point) + digits
        default:
            let mantissa = digits.count == 1 ? String(digits) : digits.prefix(1) + "." + digits.dropFirst()
            return sign + mantissa + "e" + (point < 1 ? "-" : "+") + String((point - 1).magnitude)
        }
    }
}
