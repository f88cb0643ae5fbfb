/// JavaScript's conversions between numbers and text (ECMA-262, StringToNumber and Number::toString).
enum ScriptNumber {
    /// Whole numbers up to this size are exact in a double: 2^53.
    static let exactLimit = 9_007_199_254_740_992.0
    private static let radixes = [UInt8(ascii: "x"): 16, UInt8(ascii: "o"): 8, UInt8(ascii: "b"): 2]

    /// Returns the number that a text stands for, as `Number(text)` does: 0 for white space only, NaN for a text that
    /// is no number.
    static func parse(_ text: String) -> Double {
        let bytes = trimmed(text)
        if bytes.isEmpty { return 0 }
        if bytes.count > 2, bytes[0] == UInt8(ascii: "0"), let radix = radixes[bytes[1] | 0x20] {
            return whole(bytes.dropFirst(2), radix: radix)
        }
        return literalLength(of: bytes) == bytes.count ? number(bytes) : .nan
    }

    /// Returns the number that a text begins with, as `parseFloat(text)` does: NaN if it begins with none.
    static func parsePrefix(_ text: String) -> Double {
        let bytes = trimmed(text)
        return number(bytes.prefix(literalLength(of: bytes)))
    }

    private static func number(_ literal: some Sequence<UInt8>) -> Double {
        let text = String(decoding: Array(literal), as: UTF8.self)
        if text.hasSuffix("Infinity") { return text.hasPrefix("-") ? -.infinity : .infinity }
        return Double(text) ?? .nan
    }

    private static func whole(_ digits: ArraySlice<UInt8>, radix: Int) -> Double {
        var number = 0.0
        for byte in digits {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, digit < radix else { return .nan }
            number = number * Double(radix) + Double(digit)
        }
        return number
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

    /// Returns the UTF-8 of a text without the white space that JavaScript trims.
    private static func trimmed(_ text: String) -> [UInt8] {
        var scalars = text.unicodeScalars[...]
        while let first = scalars.first, isSpace(first) { scalars.removeFirst() }
        while let last = scalars.last, isSpace(last) { scalars.removeLast() }
        return Array(Substring(scalars).utf8)
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        // Unicode has the next line as well, and JavaScript the byte order mark.
        scalar.properties.isWhitespace && scalar != "\u{85}" || scalar == "\u{FEFF}"
    }

    /// Returns the text of a number as `String(number)` does.
    static func text(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        if number.rounded(.towardZero) == number, abs(number) < exactLimit { return String(Int64(number)) }

        // The standard library finds the same shortest digits but lays them out differently.
        let (digits, point) = shortestDigits(of: number.magnitude)
        let sign = number < 0 ? "-" : ""
        switch point {
        case digits.count...21 where point >= digits.count:
            return sign + digits + String(repeating: "0", count: point - digits.count)
        case 1...21: return sign + digits.prefix(point) + "." + digits.dropFirst(point)
        case -5...0: return sign + "0." + String(repeating: "0", count: -point) + digits
        default:
            let mantissa = digits.count == 1 ? digits : digits.prefix(1) + "." + digits.dropFirst()
            return sign + mantissa + "e" + (point < 1 ? "-" : "+") + String((point - 1).magnitude)
        }
    }

    /// Returns the shortest digits that read back as the number, without zeros at either end, and the number of digits
    /// before the point (negative or zero if zeros follow the point).
    private static func shortestDigits(of number: Double) -> (digits: String, point: Int) {
        let parts = number.description.split(separator: "e")
        let numeral = parts[0].split(separator: ".")
        let digits = numeral.joined()
        let significant = digits.drop { $0 == "0" }
        let point = numeral[0].count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0) - (digits.count - significant.count)
        let zeros = significant.reversed().prefix { $0 == "0" }.count
        return (String(significant.dropLast(zeros)), point)
    }
}
