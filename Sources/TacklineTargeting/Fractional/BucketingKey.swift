/// The text that `fractional` buckets by, in pieces, so that it can be hashed without being put together.
public struct BucketingKey: Hashable, Sendable {
    /// The first piece.
    public var first: String
    /// The second piece; empty where there is none.
    public var second: String
    /// Whatever follows, in order.
    public var others: [String]

    /// Makes a key from its pieces.
    public init(_ first: String, _ second: String = "", others: [String] = []) {
        self.first = first
        self.second = second
        self.others = others
    }

    /// The whole text.
    public var text: String { others.reduce(first + second, +) }

    /// The MurmurHash3 of the whole text's UTF-8 bytes with seed 0.
    public var murmurHash3: UInt32 {
        var hash = MurmurHash3()
        hash.combine(first)
        hash.combine(second)
        for other in others { hash.combine(other) }
        return hash.finalize()
    }
}
