/// The generation of flagd's `fractional`, which places subjects.
///
/// flagd has changed this arithmetic, and each change moves subjects: ``v2`` and ``v3`` put about 18 % of all users on
/// different sides of a rollout at 10 %. An app and its servers must therefore use the same one. Each reader of a
/// document states it; nothing in the document does.
///
/// In both, the place of a subject is `(hash * sum) >> 32`, with the key's MurmurHash3 and the sum of the weights,
/// exactly and without floating point. So 10 of 100 and 100 of 1000 choose the same subjects, and a first share that
/// grows only adds subjects.
public enum FractionalGeneration: String, Hashable, Sendable, CaseIterable {
    /// flagd core 0.15 and 0.16: the key is a text, and its UTF-8 is hashed. The default is the flag's key and the
    /// targeting key, joined.
    case v2
    /// flagd's decision "Harden hashing consistency and add support for non-string attributes" of 2025-12: the key may
    /// be any JSON but an array, and its deterministic CBOR is hashed. The default is the array of the flag's key and
    /// the targeting key.
    case v3

    /// Returns the place of a hash, at least 0 and less than the sum of the weights, which is from 1 to 2,147,483,647.
    @inline(__always)
    static func place(of hash: UInt32, totalWeight: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: (UInt64(hash) &* UInt64(totalWeight)) &>> 32)
    }

    /// Returns the state of the hash before the targeting key, for a split by flag key and targeting key.
    func prefix(_ flagKey: String) -> MurmurHash3 {
        var hash = MurmurHash3()
        if self == .v3 {
            hash.append(0x82)
            DeterministicCBOR.appendHead(of: flagKey, to: &hash)
        }
        hash.combine(flagKey)
        return hash
    }

    /// Returns the hash of a flag's key and a targeting key, given the state of the hash before the latter.
    @inline(__always)
    func hash(_ targetingKey: String, after prefix: MurmurHash3) -> UInt32 {
        var hash = prefix
        if self == .v3 { DeterministicCBOR.appendHead(of: targetingKey, to: &hash) }
        hash.combine(targetingKey)
        return hash.finalize()
    }

    /// Returns the hash of a text to bucket by.
    @inline(__always)
    func hash(_ text: String) -> UInt32 {
        var hash = MurmurHash3()
        if self == .v3 { DeterministicCBOR.appendHead(of: text, to: &hash) }
        hash.combine(text)
        return hash.finalize()
    }
}
