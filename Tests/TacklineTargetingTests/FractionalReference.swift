/// `fractional` as its description says it, with arithmetic of its own: MurmurHash3 over an array of bytes, and numbers that
/// cannot overflow.
enum FractionalReference {
    /// The position of the weight that a key falls to; `nil` where the weights place no key.
    static func position(of key: String, weights: [Int64]) -> Int? {
        let weights = weights.map { max(0, $0) }
        let limit = BigNumber(2_147_483_647)
        var sum = BigNumber(0)
        for weight in weights {
            if limit < BigNumber(weight) { return nil }
            sum = sum + BigNumber(weight)
        }
        if sum == BigNumber(0) || limit < sum { return nil }
        var place = BigNumber(hash(Array(key.utf8))) * sum
        for _ in 0..<32 { place = place.half }
        var end = BigNumber(0)
        for (position, weight) in weights.enumerated() {
            end = end + BigNumber(weight)
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
        var hash: UInt64 = 0
        let blocks = bytes.count / 4
        for block in 0..<blocks {
            let part = bytes[(4 * block)..<(4 * block + 4)].reversed().reduce(UInt64(0)) { $0 * 256 + UInt64($1) }
            hash = (rotated(hash ^ scrambled(part), 13) * 5 + 0xe6546b64) % modulus
        }
        if bytes.count % 4 > 0 {
            hash ^= scrambled(bytes[(4 * blocks)...].reversed().reduce(UInt64(0)) { $0 * 256 + UInt64($1) })
        }
        hash ^= UInt64(bytes.count)
        hash = (hash ^ (hash >> 16)) * 0x85ebca6b % modulus
        hash = (hash ^ (hash >> 13)) * 0xc2b2ae35 % modulus
        return hash ^ (hash >> 16)
    }
}
