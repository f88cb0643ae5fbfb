/// Names of members at the top level of a document, in 64 bits. It may take other names for members, too.
///
/// A document that has none of a key's names has no value for the key. That is found out without hashing the key, and
/// providers with few values have none for most keys.
struct FlagMemberNames: Sendable {
    private(set) var bits: UInt64 = 0

    mutating func insert(_ name: String) {
        var name = name
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
        name.withUTF8 { bytes in
            // A member that begins with a slash holds the value of the key without it (``FlagDocument``).
            let start = bytes.first == UInt8(ascii: "/") ? 1 : 0
            guard isASCII, bytes.count > start else { return insertAll() }
            let (middle, last) = (UInt64(bytes[(bytes.count + start) / 2]), UInt64(bytes[bytes.count - 1]))
            // The shift uses six bits of the number.
            bits |= 1 &<< (UInt64(bytes.count - start) &* 31 &+ middle &* 5 &+ last)
        }
    }

    /// Inserts all names.
    mutating func insertAll() { bits = .max }

    /// Returns whether no name of the other set is in this one.
    func isDisjoint(with other: FlagMemberNames) -> Bool { bits & other.bits == 0 }
}
