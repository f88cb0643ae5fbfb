import TacklineTargeting
import TacklineTestSupport
import Testing

@Suite("MurmurHash3")
struct MurmurHash3Tests {
    private func hash(_ bytes: [UInt8], seed: UInt32 = 0) -> UInt32 {
        var hash = MurmurHash3(seed: seed)
        for byte in bytes { hash.append(byte) }
        return hash.finalize()
    }

    @Test("has SMHasher's verification value")
    func verification() {
        // Keys of 0 to 255 bytes, each with a seed of its own; then the hash of all their hashes.
        var hashes: [UInt8] = []
        for length in 0..<256 {
            let key = (0..<length).map { UInt8($0) }
            withUnsafeBytes(of: hash(key, seed: UInt32(256 - length)).littleEndian) { hashes.append(contentsOf: $0) }
        }
        #expect(hash(hashes) == 0xb0f5_7ee3)
    }

    @Test("gives the published hashes")
    func vectors() {
        let cases: [(String, UInt32)] = [
            ("ejOoVL", 0), ("bY9fO-", 1), ("SI7p-", 2_147_483_647), ("6LvT0", 2_147_483_648),
            ("ceQdGm", 4_294_967_295), ("", 0),
        ]
        for (text, hash) in cases {
            // In two pieces, cut anywhere.
            for cut in 0...text.count {
                var combined = MurmurHash3()
                combined.combine(String(text.prefix(cut)))
                combined.combine(String(text.dropFirst(cut)))
                #expect(combined.finalize() == hash, "\(text)")
            }
        }
    }
}
