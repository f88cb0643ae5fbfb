import Foundation
import TacklineCore

// Foundation: `Date` gives the number of its seconds.

/// The hash of a value and its place, the same in every process.
///
/// It is the 64-bit FNV-1a hash (G. Fowler, L. Noll, K.-P. Vo, 1991) of a form in which different values differ: every
/// part begins with its kind, and every text and container with its length.
struct ValueHash {
    private(set) var value: UInt64 = 0xCBF2_9CE4_8422_2325

    /// Returns the hash of a flag's place in a provider.
    static func slot(_ key: FlagKeyPath, _ provider: String) -> UInt64 {
        var hash = ValueHash()
        hash.combine(provider)
        hash.combine(key.text)
        return hash.value
    }

    /// Returns the hash of a value at its place.
    ///
    /// - Parameter slot: The hash of the place.
    static func value(_ value: EncodedFlagValue, at slot: UInt64) -> UInt64 {
        var hash = ValueHash()
        hash.combine(slot)
        hash.combine(value)
        return hash.value
    }

    /// Returns the hash of bytes.
    static func bytes(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash = ValueHash()
        for byte in bytes { hash.combine(byte) }
        return hash.value
    }

    private mutating func combine(_ byte: UInt8) { value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }

    private mutating func combine(_ number: some FixedWidthInteger) {
        withUnsafeBytes(of: number.littleEndian) { for byte in $0 { combine(byte) } }
    }

    private mutating func combine(_ text: String) {
        combine(text.utf8.count)
        for byte in text.utf8 { combine(byte) }
    }

    /// A value can be nested to any depth, so this doesn't recurse.
    private mutating func combine(_ root: EncodedFlagValue) {
        var pending = [(name: String?.none, value: root)]
        while let (name, value) = pending.popLast() {
            if let name { combine(name) }
            switch value {
            case .null: combine(0 as UInt8)
            case .bool(let value): combine(value ? 2 : 1 as UInt8)
            case .integer(let value):
                combine(3 as UInt8)
                combine(value)
            case .double(let value):
                combine(4 as UInt8)
                combine(value.isNaN ? Double.nan.bitPattern : value.bitPattern)
            case .string(let value):
                combine(6 as UInt8)
                combine(value)
            case .data(let value):
                combine(7 as UInt8)
                combine(value.count)
                for byte in value { combine(byte) }
            case .date(let value):
                combine(8 as UInt8)
                combine(value.timeIntervalSinceReferenceDate.bitPattern)
            case .unparsed(let value):
                combine(9 as UInt8)
                combine(value)
            case .array(let elements):
                combine(10 as UInt8)
                combine(elements.count)
                for element in elements { pending.append((nil, element)) }
            case .object(let members):
                combine(11 as UInt8)
                combine(members.count)
                let sorted = members.sorted { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }
                for (name, member) in sorted { pending.append((name, member)) }
            }
        }
    }
}
