package import TacklineCore

/// An encoder of JSON as CBOR in the core deterministic encoding (RFC 8949, section 4.2.1), which feeds a hash: definite
/// and shortest lengths, shortest integers, the shortest float that keeps the value, and map keys in the order of their
/// encoded bytes.
///
/// As the third generation of `fractional` has it, a number without a fraction from -2^63 to 2^64-1 is an integer, minus
/// zero included; all others are floats. Bytes and points in time are encoded as texts, as in JSON.
package enum DeterministicCBOR {
    /// Appends a value to a hash. It recurses as deep as the value is nested, so check the depth first.
    package static func append(_ value: EncodedFlagValue, to hash: inout MurmurHash3) {
        switch value {
        case .null: hash.append(0xF6)
        case .bool(let flag): hash.append(flag ? 0xF5 : 0xF4)
        case .integer(let number): append(number, to: &hash)
        case .double(let number):
            if let whole = Int128(exactly: number) { append(whole, to: &hash) } else { append(number, to: &hash) }
        case .array(let elements):
            appendHead(4, UInt64(elements.count), to: &hash)
            for element in elements { append(element, to: &hash) }
        case .object(let members):
            appendHead(5, UInt64(members.count), to: &hash)
            for (key, value) in members.sorted(by: { precedes($0.key, $1.key) }) {
                append(key, to: &hash)
                append(value, to: &hash)
            }
        default: append(value.scriptString ?? "", to: &hash)
        }
    }

    static func append(_ text: String, to hash: inout MurmurHash3) {
        appendHead(3, UInt64(text.utf8.count), to: &hash)
        hash.combine(text)
    }

    /// Appends the major type with a number in as few bytes as possible.
    static func appendHead(_ major: UInt8, _ number: UInt64, to hash: inout MurmurHash3) {
        let (code, count): (UInt8, Int) =
            switch number {
            case ..<24: (UInt8(number), 0)
            case ...0xFF: (24, 1)
            case ...0xFFFF: (25, 2)
            case ...0xFFFF_FFFF: (26, 4)
            default: (27, 8)
            }
        hash.append(major << 5 | code)
        append(number, count, to: &hash)
    }

    /// Returns whether a key stands before another. Encoded texts begin with their length, so the shorter one comes
    /// first; for equal lengths the bytes decide.
    private static func precedes(_ left: String, _ right: String) -> Bool {
        let (leftCount, rightCount) = (left.utf8.count, right.utf8.count)
        return leftCount == rightCount ? left.utf8.lexicographicallyPrecedes(right.utf8) : leftCount < rightCount
    }

    private static func append(_ number: Int128, to hash: inout MurmurHash3) {
        if let natural = UInt64(exactly: number) {
            appendHead(0, natural, to: &hash)
        } else if let negative = Int64(exactly: number) {
            appendHead(1, UInt64(~negative), to: &hash)
        } else {
            append(Double(number), to: &hash)
        }
    }

    private static func append(_ number: UInt64, _ count: Int, to hash: inout MurmurHash3) {
        for position in (0..<count).reversed() {
            hash.append(UInt8(truncatingIfNeeded: number &>> UInt64(8 * position)))
        }
    }

    private static func append(_ number: Double, to hash: inout MurmurHash3) {
        let single = Float(number)
        if let half = half(single), number.isNaN || Double(single) == number {
            hash.append(0xF9)
            append(UInt64(half), 2, to: &hash)
        } else if Double(single) == number {
            hash.append(0xFA)
            append(UInt64(single.bitPattern), 4, to: &hash)
        } else {
            hash.append(0xFB)
            append(number.bitPattern, 8, to: &hash)
        }
    }

    /// Returns the bits of a number in 16 bits (IEEE 754 binary16), or `nil` if those do not keep it. Written by hand,
    /// since `Float16` is not available everywhere.
    private static func half(_ number: Float) -> UInt16? {
        if number.isNaN { return 0x7E00 }
        let sign: UInt16 = number.sign == .minus ? 0x8000 : 0
        if number.isInfinite { return sign | 0x7C00 }
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
