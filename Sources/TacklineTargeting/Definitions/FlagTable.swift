import TacklineCore

/// A hash table that finds flags by their keys in about a third of the time that a dictionary takes.
///
/// A dictionary protects itself against keys that are chosen to collide, which costs more than evaluating most rules.
/// Here a key has four places. A key that finds all of them taken is left out, and is found in the document's
/// dictionary.
struct FlagTable: Sendable {
    private static let placeCount = 4

    /// The places: a power of two in number, at most half of them taken.
    private let slots: [FlagDefinition?]
    private let mask: Int

    init(_ flags: some Collection<FlagDefinition>) {
        var size = 8
        while size < 2 * flags.count { size *= 2 }
        var slots = [FlagDefinition?](repeating: nil, count: size)
        for flag in flags {
            let start = Self.hash(flag.key) & (size - 1)
            for place in start..<(start + Self.placeCount) where slots[place & (size - 1)] == nil {
                slots[place & (size - 1)] = flag
                break
            }
        }
        self.slots = slots
        mask = size - 1
    }

    /// Returns the flag with exactly this key; `nil` also for a key that was left out.
    @inline(__always)
    func flag(_ key: String) -> FlagDefinition? {
        let start = Self.hash(key) & mask
        for place in start..<(start + Self.placeCount) {
            guard let flag = slots[place & mask] else { return nil }
            if flag.key == key { return flag }
        }
        return nil
    }

    @inline(__always)
    private static func hash(_ key: String) -> Int { Int(truncatingIfNeeded: MurmurHash3.hash(key)) }
}
