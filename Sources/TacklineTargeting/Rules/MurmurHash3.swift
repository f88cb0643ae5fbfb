/// The hash function MurmurHash3 x86 32-bit (Austin Appleby, public domain), which takes its input in pieces and
/// allocates nothing.
package struct MurmurHash3: Sendable {
    private var state: UInt32
    /// Bytes of a block that is not full yet, the first in the lowest bits.
    private var pending: UInt32 = 0
    private var length: UInt32 = 0

    package init(seed: UInt32 = 0) { state = seed }

    /// Adds a text's UTF-8 bytes.
    package mutating func combine(_ text: String) {
        text.withUTF8Bytes { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            let shift = (length & 3) * 8
            let end = bytes.count & ~3
            for offset in stride(from: 0, to: end, by: 4) {
                let word = UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt32.self))
                state = Self.mixed(pending | word << shift, into: state)
                pending = word >> (32 - shift)
            }
            length &+= UInt32(truncatingIfNeeded: end)
            for byte in bytes[end...] { append(byte) }
        }
    }

    @inline(__always)
    package mutating func append(_ byte: UInt8) {
        pending |= UInt32(byte) &<< ((length & 3) &* 8)
        length &+= 1
        if length & 3 == 0 {
            state = Self.mixed(pending, into: state)
            pending = 0
        }
    }

    /// Returns the hash of everything combined so far. The state is not changed, so more can follow.
    @inline(__always)
    package func finalize() -> UInt32 {
        var hash = state
        if length & 3 != 0 { hash ^= Self.scrambled(pending) }
        hash ^= length
        hash ^= hash &>> 16
        hash = hash &* 0x85eb_ca6b
        hash ^= hash &>> 13
        hash = hash &* 0xc2b2_ae35
        hash ^= hash &>> 16
        return hash
    }

    @inline(__always)
    private static func scrambled(_ block: UInt32) -> UInt32 {
        let product = block &* 0xcc9e_2d51
        return (product &<< 15 | product &>> 17) &* 0x1b87_3593
    }

    @inline(__always)
    private static func mixed(_ block: UInt32, into hash: UInt32) -> UInt32 {
        let combined = hash ^ scrambled(block)
        return (combined &<< 13 | combined &>> 19) &* 5 &+ 0xe654_6b64
    }
}
