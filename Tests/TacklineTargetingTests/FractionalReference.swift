/// `fractional` of the second generation as its description says it, with arithmetic of its own: MurmurHash3 over an array
/// of bytes, and numbers that cannot overflow.
enum FractionalReference {
    /// The position of the weight that a key falls to; `nil` where the weights place no key.
    static func position(of key: String, weights: [Int64]) -> Int? {
        let weights = weights.map { Int128(max(0, $0)) }
        let sum = weights.reduce(0, +)
        guard sum > 0, sum <= 2_147_483_647 else { return nil }
        let place = Int128(hash(Array(key.utf8))) * sum / 4_294_967_296
        var end: Int128 = 0
        for (position, weight) in weights.enumerated() {
            end += weight
            if place < end { return position }
        }
        return nil
    }

    static func hash(_ bytes: [UInt8]) -> UInt64 {
        let modulus: UInt64 = 1 << 32
        func rotated(_ number: UInt64, _ bits: UInt64) -> UInt64 {
            (number << bits) % modulus + (number >> (32 - bits))
        }
        func scrambled(_ block: UInt64) -> UInt64 {
            rotated(block * 0xcc9e2d51 % modulus, 15) * 0x1b873593 % modulus
        }
        func number(_ bytes: ArraySlice<UInt8>) -> UInt64 { bytes.reversed().reduce(0) { $0 * 256 + UInt64($1) } }
        let end = bytes.count / 4 * 4
        var hash: UInt64 = 0
        for start in stride(from: 0, to: end, by: 4) {
            hash = (rotated(hash ^ scrambled(number(bytes[start..<start + 4])), 13) * 5 + 0xe6546b64) % modulus
        }
        if end < bytes.count { hash ^= scrambled(number(bytes[end...])) }
        hash ^= UInt64(bytes.count)
        hash = (hash ^ (hash >> 16)) * 0x85ebca6b % modulus
        hash = (hash ^ (hash >> 13)) * 0xc2b2ae35 % modulus
        return hash ^ (hash >> 16)
    }
}
