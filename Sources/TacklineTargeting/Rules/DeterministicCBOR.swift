package import TacklineCore

/// A type that receives bytes one after another: a hash, or a list of them.
package protocol ByteSink {
    /// Appends one byte.
    mutating func append(_ byte: UInt8)
    /// Appends a text's UTF-8.
    mutating func combine(_ text: String)
}

extension Array: ByteSink where Element == UInt8 {
    /// Appends a text's UTF-8.
    package mutating func combine(_ text: String) { append(contentsOf: text.utf8) }
}

/// An encoder of JSON as CBOR in the core deterministic encoding (RFC 8949, section 4.2.1): definite and shortest
/// lengths, shortest integers, the shortest float that keeps the value, and map keys in the order of their encoded
/// bytes.
///
/// Bytes and points in time are encoded as texts, as in JSON.
package enum DeterministicCBOR {
    /// The encoding of numbers.
    package enum Numbers: Sendable {
        /// An integer from -2^64 to 2^64-1 stays one, a double stays a float.
        case asTheyAre
        /// A number without a fraction from -2^63 to 2^64-1 becomes an integer, minus zero included; all others become
        /// floats.
        case wholeAsIntegers
    }

    /// Returns the bytes of a value.
    ///
    /// It recurses as deep as the value is nested, so check the depth first.
    package static func bytes(of value: EncodedFlagValue, numbers: Numbers) -> [UInt8] {
        var bytes: [UInt8] = []
        append(value, numbers, to: &bytes)
        return bytes
    }

    static func append(_ value: EncodedFlagValue, _ numbers: Numbers, to sink: inout some ByteSink) {
        switch value {
        case .null: sink.append(0xF6)
        case .bool(let flag): sink.append(flag ? 0xF5 : 0xF4)
        case .integer(let number): append(number, isLimited: numbers == .wholeAsIntegers, to: &sink)
        case .double(let number):
            if numbers == .wholeAsIntegers, let whole = Int128(exactly: number) {
                append(whole, isLimited: true, to: &sink)
            } else {
                appendFloat(number, to: &sink)
            }
        case .array(let elements):
            appendHead(4, UInt64(elements.count), to: &sink)
            for element in elements { append(element, numbers, to: &sink) }
        case .object(let members):
            appendHead(5, UInt64(members.count), to: &sink)
            for (key, value) in members.sorted(by: { precedes($0.key, $1.key) }) {
                append(.string(key), numbers, to: &sink)
                append(value, numbers, to: &sink)
            }
        default:
            let text = value.scriptString ?? ""
            appendHead(3, UInt64(text.utf8.count), to: &sink)
            sink.combine(text)
        }
    }

    /// Returns whether a key stands before another. Encoded texts begin with their length, so the shorter one comes
    /// first; for equal lengths the bytes decide.
    private static func precedes(_ left: String, _ right: String) -> Bool {
        let (leftCount, rightCount) = (left.utf8.count, right.utf8.count)
        return leftCount == rightCount ? left.utf8.lexicographicallyPrecedes(right.utf8) : leftCount < rightCount
    }

    /// - Parameter isLimited: Whether an integer below -2^63 becomes a float.
    private static func append(_ number: Int128, isLimited: Bool, to sink: inout some ByteSink) {
        if let natural = UInt64(exactly: number) {
            appendHead(0, natural, to: &sink)
        } else if let natural = UInt64(exactly: ~number), !isLimited || number >= Int128(Int64.min) {
            appendHead(1, natural, to: &sink)
        } else {
            appendFloat(Double(number), to: &sink)
        }
    }

    /// Appends the major type with a number in as few bytes as possible.
    static func appendHead(_ major: UInt8, _ number: UInt64, to sink: inout some ByteSink) {
        let (code, count): (UInt8, Int) =
            switch number {
            case ..<24: (UInt8(number), 0)
            case ...0xFF: (24, 1)
            case ...0xFFFF: (25, 2)
            case ...0xFFFF_FFFF: (26, 4)
            default: (27, 8)
            }
        sink.append(major << 5 | code)
        append(number, count, to: &sink)
    }

    private static func append(_ number: UInt64, _ count: Int, to sink: inout some ByteSink) {
        for position in (0..<count).reversed() {
            sink.append(UInt8(truncatingIfNeeded: number &>> UInt64(8 * position)))
        }
    }

    private static func appendFloat(_ number: Double, to sink: inout some ByteSink) {
        let single = Float(number)
        if number.isNaN || Double(single) == number {
            if let half = half(single) {
                sink.append(0xF9)
                append(UInt64(half), 2, to: &sink)
            } else {
                sink.append(0xFA)
                append(UInt64(single.bitPattern), 4, to: &sink)
            }
        } else {
            sink.append(0xFB)
            append(number.bitPattern, 8, to: &sink)
        }
    }

    /// Returns the bits of a number in 16 bits (IEEE 754 binary16), or `nil` if those do not keep it. Written by hand,
    /// since `Float16` is not available everywhere.
    private static func half(_ number: Float) -> UInt16? {
        if number.isNaN { return 0x7E00 }
        let sign: UInt16 = number.sign == .minus ? 0x8000 : 0
        if number.isInfinite { return sign | 0x7C00 }
        if number == 0 { return sign }
        // The significand as a whole number of units in the last place of the smallest number: 2^-24.
        let units = number.magnitude * 0x1p24
        guard units.rounded(.towardZero) == units, number.magnitude <= 65_504 else { return nil }
        let exponent = Int(number.exponent)
        // Below 2^-14 the bits are the units themselves.
        if exponent < -14 { return sign | UInt16(units) }
        let fraction = number.significandBitPattern
        guard fraction & 0x1FFF == 0 else { return nil }
        return sign | UInt16(exponent + 15) << 10 | UInt16(fraction >> 13)
    }
}
