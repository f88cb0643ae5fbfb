/// JavaScript's conversions between numbers and text (ECMA-262, StringToNumber and Number::toString).
enum ScriptNumber {
    /// Whole numbers up to this size are exact in a double: 2^53.
    static let exactLimit = 9_007_199_254_740_992.0

    /// Returns the number that a text stands for, as `Number(text)` does: 0 for white space only, NaN for a text that
    /// is no number.
    static func parse(_ text: String) -> Double {
        let bytes = trimmed(text)
        guard let first = bytes.first else { return 0 }
        if first == UInt8(ascii: "0"), bytes.count > 2 {
            switch bytes[bytes.index(after: bytes.startIndex)] | 0x20 {
            case UInt8(ascii: "x"): return whole(bytes.dropFirst(2), radix: 16)
            case UInt8(ascii: "o"): return whole(bytes.dropFirst(2), radix: 8)
            case UInt8(ascii: "b"): return whole(bytes.dropFirst(2), radix: 2)
            default: break
            }
        }
        return decimal(bytes, isPrefix: false)
    }

    /// Returns the number that a text begins with, as `parseFloat(text)` does: NaN if it begins with none.
    static func parsePrefix(_ text: String) -> Double { decimal(trimmed(text), isPrefix: true) }

    private static func whole(_ digits: Substring.UTF8View, radix: Int) -> Double {
        var number = 0.0
        for byte in digits {
            guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue, digit < radix else { return .nan }
            number = number * Double(radix) + Double(digit)
        }
        return number
    }

    /// Reads a decimal literal. The standard library accepts other forms, so its parts are found here.
    ///
    /// - Parameter isPrefix: Whether anything may follow the literal.
    private static func decimal(_ bytes: Substring.UTF8View, isPrefix: Bool) -> Double {
        var rest = bytes
        let sign = takeSign(from: &rest)
        if rest.starts(with: "Infinity".utf8) {
            guard isPrefix || rest.count == 8 else { return .nan }
            return sign == "-" ? -.infinity : .infinity
        }
        let whole = takeDigits(from: &rest)
        var fraction: Substring = ""
        if rest.first == UInt8(ascii: ".") {
            rest.removeFirst()
            fraction = takeDigits(from: &rest)
        }
        guard !whole.isEmpty || !fraction.isEmpty else { return .nan }
        var exponent = ""
        var end = rest
        if let mark = end.popFirst(), mark | 0x20 == UInt8(ascii: "e") {
            let exponentSign = takeSign(from: &end)
            let digits = takeDigits(from: &end)
            if !digits.isEmpty { (exponent, rest) = ("e\(exponentSign)\(digits)", end) }
        }
        guard isPrefix || rest.isEmpty else { return .nan }
        return Double("\(sign)0\(whole).\(fraction)0\(exponent)") ?? .nan
    }

    private static func takeSign(from rest: inout Substring.UTF8View) -> String {
        switch rest.first {
        case UInt8(ascii: "-"): rest.removeFirst(); return "-"
        case UInt8(ascii: "+"): rest.removeFirst(); return ""
        default: return ""
        }
    }

    private static func takeDigits(from rest: inout Substring.UTF8View) -> Substring {
        let digits = rest.prefix { $0 >= 48 && $0 <= 57 }
        rest = rest[digits.endIndex...]
        return Substring(digits)
    }

    /// Returns the UTF-8 of a text without the white space that JavaScript trims.
    private static func trimmed(_ text: String) -> Substring.UTF8View {
        var scalars = text.unicodeScalars[...]
        while let first = scalars.first, isSpace(first) { scalars.removeFirst() }
        while let last = scalars.last, isSpace(last) { scalars.removeLast() }
        return Substring(scalars).utf8
    }

    private static func isSpace(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x09...0x0d, 0x20, 0xa0, 0x1680, 0x2000...0x200a, 0x2028, 0x2029, 0x202f, 0x205f, 0x3000, 0xfeff: true
        default: false
        }
    }

    /// Returns the text of a number as `String(number)` does.
    static func text(_ number: Double) -> String {
        if number.isNaN { return "NaN" }
        if number.isInfinite { return number < 0 ? "-Infinity" : "Infinity" }
        if number.rounded(.towardZero) == number, abs(number) < exactLimit { return String(Int64(number)) }

        // The standard library finds the same shortest digits but lays them out differently.
        let (digits, pointPosition) = shortestDigits(of: number.magnitude)
        let sign = number < 0 ? "-" : ""
        switch pointPosition {
        case digits.count...21 where pointPosition >= digits.count:
            return sign + digits + String(repeating: "0", count: pointPosition - digits.count)
        case 1...21:
            return sign + digits.prefix(pointPosition) + "." + digits.dropFirst(pointPosition)
        case -5...0:
            return sign + "0." + String(repeating: "0", count: -pointPosition) + digits
        default:
            let exponent = pointPosition - 1
            let mantissa = digits.count == 1 ? digits : digits.prefix(1) + "." + digits.dropFirst()
            return sign + mantissa + "e" + (exponent < 0 ? "-" : "+") + String(exponent.magnitude)
        }
    }

    /// Returns the shortest digits that read back as the number, without zeros at either end, and the number of digits
    /// before the point (negative or zero if zeros follow the point).
    private static func shortestDigits(of number: Double) -> (digits: String, pointPosition: Int) {
        let parts = number.description.split(separator: "e")
        let numeral = parts[0].split(separator: ".")
        var digits = numeral.joined()
        var pointPosition = numeral[0].count + (parts.count > 1 ? Int(parts[1]) ?? 0 : 0)
        while digits.hasPrefix("0") {
            digits.removeFirst()
            pointPosition -= 1
        }
        while digits.hasSuffix("0") { digits.removeLast() }
        return (digits, pointPosition)
    }
}
