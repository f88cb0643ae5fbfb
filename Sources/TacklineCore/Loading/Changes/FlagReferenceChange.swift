/// The value of one of several flags became another one: what loaders, groups and managers announce.
public struct FlagReferenceChange: Sendable {
    /// The flag.
    public let flag: FlagReference
    /// The value before, in its neutral form.
    public let old: EncodedFlagValue
    /// The value from now on, in its neutral form.
    public internal(set) var new: EncodedFlagValue
    /// Where the new value comes from.
    public internal(set) var source: FlagSource
    /// How many changes this one stands for: 1, unless the consumer was too slow and changes were merged.
    public internal(set) var mergedCount = 1

    /// The flag's key.
    public var keyPath: FlagKeyPath { flag.keyPath }
}

extension FlagReferenceChange: CustomStringConvertible {
    /// `secrets/boom_feature: false → true (provider "overrides")`
    public var description: String { "\(keyPath): \(old) → \(new) (\(source))" }
}

extension FlagReferenceChange: MergeableFlagChange {
    struct Identity: Hashable {
        let loaded: ObjectIdentifier
        let ordinal: Int
    }

    var identity: Identity { Identity(loaded: ObjectIdentifier(flag.loaded), ordinal: flag.ordinal) }

    var isEmpty: Bool { old == new }

    mutating func merge(_ later: FlagReferenceChange) {
        new = later.new
        source = later.source
        mergedCount += later.mergedCount
    }
}
