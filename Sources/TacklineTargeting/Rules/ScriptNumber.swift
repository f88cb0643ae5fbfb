/// JavaScript's conversions between numbers and text (ECMA-262, StringToNumber and Number::toString).
enum ScriptNumber {
    /// Whole numbers up to this size are exact in a double: 2^53.
    private static let exactLimit = 9_007_199_254_740_992.0

    /// Returns the number that a text stands for, as `Number(text)` does: 0 for white space only, NaN for a text that
    /// is no number.
    static func parse(_ text: String) -> Double {
        text.withUTF8Bytes { parse(trimmed($0)) }
    }

    /// Returns the number that a text begins with, as `parseFloat(text)` does: NaN if it begins with none.
    static func parsePrefix(_ text: String) -> Double {
        text.withUTF8Bytes { bytes in
            let body = trimmed(bytes)
            let end = decimalEnd(of: body)
            return end == 0 ? .nan : decimal(body[body.startIndex..<(body.startIndex + end)])
        }
    }

    private static func parse(_ body: Slice<UnsafeBufferPointer<UInt8>>) -> Double {
        guard let first = body.first else { return 0 }
        if first == UInt8(ascii: "0"), body.count > 2 {
            let radix: UInt32? =
                switch body[body.startIndex + 1] | 0x20 {
                case UInt8(ascii: "x"): 16
                case UInt8(ascii: "o"): 8
                case UInt8(ascii: "b"): 2
                default: nil
                }
            if let radix { return whole(body.dropFirst(2), radix: radix) }
        }
        return decimalEnd(of: body) == body.count ? decimal(body) : .nan
    }

    private static func whole(_ digits: Slice<UnsafeBufferPointer<UInt8>>, radix: UInt32) -> Double {
        var number = 0.0
        for byte in digits {
            let digit: UInt32
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digit = UInt32(byte) - 48
            case UInt8(ascii: "a")...UInt8(ascii: "f"): digit = UInt32(byte) - 87
            case UInt8(ascii: "A")...UInt8(ascii: "F"): digit = UInt32(byte) - 55
            default: return .nan
            }
            guard digit < radix else { return .nan }
            number = number * Double(radix) + Double(digit)
        }
        return number
    }

    /// Returns the number of bytes at the start that form a decimal literal; 0 if none do.
    private static func decimalEnd(of body: Slice<UnsafeBufferPointer<UInt8>>) -> Int {
        let bytes = UnsafeBufferPointer(rebasing: body)
        var index = 0
        if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") { index += 1 }
        if bytes.count - index >= 8, "Infinity".utf8.elementsEqual(bytes[index..<(index + 8)]) { return index + 8 }
        var digits = 0
        func skipDigits() {
            while index < bytes.count, bytes[index] >= 48, bytes[index] <= 57 {
                index += 1
                digits += 1
            }
        }
        skipDigits()
        if index < bytes.count, bytes[index] == UInt8(ascii: ".") {
            let point = index
            index += 1
            skipDigits()
            if digits == 0 { index = point }
        }
        guard digits > 0 else { return 0 }
        let mantissaEnd = index
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            index += 1
            if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
                index += 1
            }
            digits = 0
            skipDigits()
            if digits == 0 { index = mantissaEnd }
        }
        return index
    }

    /// Returns the value of a decimal literal whose form has been checked.
    private static func decimal(_ literal: Slice<UnsafeBufferPointer<UInt8>>) -> Double {
        var text = String(decoding: literal, as: UTF8.self)
        if text.hasSuffix("Infinity") { return text.hasPrefix("-") ? -.infinity : .infinity }
        // The standard library requires a digit on both sides of the point.
        if let point = text.firstIndex(of: ".") {
            let next = text.index(after: point)
            if next == text.endIndex || !text[next].isNumber { text.insert("0", at: next) }
            if point == text.startIndex || !text[text.index(before: point)].isNumber { text.insert("0", at: point) }
        }
        return Double(text) ?? .nan
    }

    /// Returns the bytes without the white space that JavaScript trims.
    private static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> Slice<UnsafeBufferPointer<UInt8>> {
        var body = bytes[...]
        while let width = spaceWidth(atStartOf: body) { body = body.dropFirst(width) }
        while let width = spaceWidth(atEndOf: body) { body = body.dropLast(width) }
        return body
    }

    private static func spaceWidth(atStartOf body: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        guard let first = body.first else { return nil }
        let width = first < 0x80 ? 1 : first >= 0xe0 ? 3 : 2
        return width <= body.count && isSpace(body.prefix(width)) ? width : nil
    }

    private static func spaceWidth(atEndOf body: Slice<UnsafeBufferPointer<UInt8>>) -> Int? {
        (1...3).first { $0 <= body.count && isSpace(body.suffix($0)) }
    }

    private static func isSpace(_ bytes: Slice<UnsafeBufferPointer<UInt8>>) -> Bool {
        var scalar: UInt32 = 0
        for byte in bytes { scalar = scalar << 8 | UInt32(byte) }
        switch scalar {
        case 0x09...0x0d, 0x20, 0xc2a0, 0xe19a80, 0xe28080...0xe2808a, 0xe280a8, 0xe280a9, 0xe280af, 0xe2819f, 0xe38080,
            0xefbbbf:
            return true
        default:
            return false
        }
    }

    /// Returns the text of a whole number, which is a double to a rule.
    static func text(of number: Int128) -> String {
        number.magnitude < 9_007_199_254_740_992 ? String(Int64(number)) : text(Double(number))
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
        var digits = ""
        var pointPosition: Int?
        var exponent = 0
        var rest = number.description[...]
        if let mark = rest.firstIndex(of: "e") {
            exponent = Int(rest[rest.index(after: mark)...]) ?? 0
            rest = rest[..<mark]
        }
        for character in rest {
            if character == "." {
                pointPosition = digits.count
            } else {
                digits.append(character)
            }
        }
        var position = (pointPosition ?? digits.count) + exponent
        while digits.hasPrefix("0") {
            digits.removeFirst()
            position -= 1
        }
        while digits.hasSuffix("0") { digits.removeLast() }
        return (digits, position)
    }
}
