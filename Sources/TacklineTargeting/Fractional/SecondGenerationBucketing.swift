/// The second generation of flagd's `fractional` ("v2"): the key's MurmurHash3, scaled to the sum of the weights.
///
/// With `h` the hash and `sum` the weights together, the place is `(h * sum) >> 32`, exactly and without floating point.
/// So 10 of 100 and 100 of 1000 choose the same people, and a first share that grows only adds people.
public struct SecondGenerationBucketing: FractionalBucketing, Hashable {
    /// Makes the arithmetic; it has no settings.
    public init() {}

    /// Returns the place of a key.
    public func place(of key: BucketingKey, totalWeight: UInt32) -> UInt32 {
        Self.place(of: key.murmurHash3, totalWeight: totalWeight)
    }

    @inline(__always)
    static func place(of hash: UInt32, totalWeight: UInt32) -> UInt32 {
        UInt32(truncatingIfNeeded: (UInt64(hash) &* UInt64(totalWeight)) &>> 32)
    }
}
