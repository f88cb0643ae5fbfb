import TacklineCore

extension FlagJSONParser {
    /// The powers of ten that a `Double` represents exactly.
    private static let powersOfTen: [Double] = [
        1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19,
        1e20, 1e21, 1e22,
    ]

    /// Reads the number that begins at `index`.
    mutating func readNumber() throws(FlagJSONError) -> EncodedFlagValue {
        let start = index
        let isNegative = bytes[index] == UInt8(ascii: "-")
        if isNegative { index += 1 }
        guard let first = currentDigit else {
            throw failure(.invalidNumber, "a minus sign without digits; write a number such as -1")
        }
        var significand = Significand()
        if first == 0 {
            index += 1
            guard currentDigit == nil else {
                throw failure(.invalidNumber, "a number begins with 0 and goes on with a digit; remove the zero")
            }
        } else {
            while let digit = currentDigit {
                significand.append(digit)
                index += 1
            }
        }
        let hasFraction = index < bytes.count && bytes[index] == UInt8(ascii: ".")
        let hasExponent = index < bytes.count && bytes[index] | 0x20 == UInt8(ascii: "e")
        guard hasFraction || hasExponent else {
            return try makeInteger(from: start, significand, isNegative: isNegative)
        }
        var exponent = 0
        if hasFraction {
            index += 1
            guard currentDigit != nil else {
                throw failure(.invalidNumber, "no digit after the decimal point; write one, such as 1.0")
            }
            while let digit = currentDigit {
                significand.append(digit)
                exponent -= 1
                index += 1
            }
        }
        if index < bytes.count, bytes[index] | 0x20 == UInt8(ascii: "e") {
            exponent += try readExponent()
        }
        return try makeDecimal(from: start, significand, exponent: exponent, isNegative: isNegative)
    }

    /// The digits of a number without leading zeros.
    private struct Significand {
        var value: UInt64 = 0
        var count = 0

        @inline(__always)
        mutating func append(_ digit: UInt8) {
            // Up to 19 digits fit. With more digits, the wrapped value isn't used.
            value = value &* 10 &+ UInt64(digit)
            if value != 0 || count > 0 { count += 1 }
        }
    }

    @inline(__always)
    private var currentDigit: UInt8? {
        guard index < bytes.count else { return nil }
        let digit = bytes[index] &- 0x30
        return digit <= 9 ? digit : nil
    }

    private func makeInteger(
        from start: Int,
        _ significand: Significand,
        isNegative: Bool
    ) throws(FlagJSONError) -> EncodedFlagValue {
        if significand.count <= 19 {
            if isNegative, significand.value == 0 { return .double(-0.0) }
            let value = Int128(significand.value)
            return .integer(isNegative ? -value : value)
        }
        // The value is accumulated as a negative number, because the negative range is larger by one.
        var value: Int128 = 0
        for byte in bytes[(isNegative ? start + 1 : start)..<index] {
            let (shifted, overflow) = value.multipliedReportingOverflow(by: 10)
            let (sum, overflowOfSum) = shifted.subtractingReportingOverflow(Int128(byte - 0x30))
            if overflow || overflowOfSum { throw outOfRange(at: start) }
            value = sum
        }
        if isNegative { return .integer(value) }
        guard value != .min else { throw outOfRange(at: start) }
        return .integer(-value)
    }

    private func outOfRange(at start: Int) -> FlagJSONError {
        failure(
            .numberOutOfRange,
            at: start,
            "the integer is out of range, which ends at 2¹²⁷; write it as a string or with an exponent"
        )
    }

    private mutating func readExponent() throws(FlagJSONError) -> Int {
        index += 1
        var isNegative = false
        if index < bytes.count, bytes[index] == UInt8(ascii: "+") || bytes[index] == UInt8(ascii: "-") {
            isNegative = bytes[index] == UInt8(ascii: "-")
            index += 1
        }
        guard currentDigit != nil else {
            throw failure(.invalidNumber, "no digit in the exponent; write one, such as 1e6")
        }
        var exponent = 0
        while let digit = currentDigit {
            // An exponent this large is beyond the range of `Double`, so further digits don't matter.
            if exponent < 100_000 { exponent = exponent * 10 + Int(digit) }
            index += 1
        }
        return isNegative ? -exponent : exponent
    }

    /// Returns the nearest `Double`, or the decimal itself if a `Double` can't carry it.
    ///
    /// If the significand and the power of ten are both exact, a single operation rounds correctly (W. Clinger, *How to
    /// Read Floating Point Numbers Accurately*, 1990). The standard library converts all other numbers.
    private func makeDecimal(
        from start: Int,
        _ significand: Significand,
        exponent: Int,
        isNegative: Bool
    ) throws(FlagJSONError) -> EncodedFlagValue {
        // Up to 15 digits, a `Double` carries the decimal.
        if significand.count <= 15, -22...22 ~= exponent {
            let value = Double(significand.value)
            let scaled = exponent < 0 ? value / Self.powersOfTen[-exponent] : value * Self.powersOfTen[exponent]
            // Beyond, a whole number may have other digits than the decimal.
            if scaled <= 0x1p53 { return .double(isNegative ? -scaled : scaled) }
        }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[start..<index]), as: UTF8.self)
        guard let value = EncodedFlagValue(decimal: text) else {
            let message = "the number is too large for a Double; write it as a string"
            throw failure(.numberOutOfRange, at: start, message)
        }
        return value
    }
}
