/// The 64-bit FNV-1a hash (G. Fowler, L. Noll, K.-P. Vo, 1991).
///
/// It finds every flipped bit and makes file names; it keeps nobody from forging anything, which ``PayloadVerifier`` is
/// for.
struct Checksum {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    init(_ bytes: some Sequence<UInt8>) {
        for byte in bytes { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
    }

    /// Sixteen hexadecimal digits.
    var text: String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
