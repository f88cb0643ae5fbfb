/// The value of one of several flags became another one: what loaders, groups and managers announce.
public struct FlagReferenceChange: Sendable {
    /// The flag.
    public let flag: FlagReference
    /// The value before, in its neutral form.
    public let old: EncodedFlagValue
    /// The value from now on, in its neutral form.
    public let new: EncodedFlagValue
    /// Where the new value comes from.
    public let source: FlagSource
    /// How many changes this one stands for: 1, unless the consumer was too slow and changes were merged.
    public let mergedCount: Int

    /// The flag's key.
    public var keyPath: FlagKeyPath { flag.keyPath }

    init(_ change: TrackedFlagChange) {
        flag = FlagReference(loaded: change.loaded, ordinal: change.ordinal)
        old = change.old.encoded ?? .null
        new = change.new.encoded ?? .null
        source = change.source
        mergedCount = change.mergedCount
    }
}

extension FlagReferenceChange: CustomStringConvertible {
    /// `secrets/boom_feature: false → true (provider "overrides")`
    public var description: String { "\(keyPath): \(old) → \(new) (\(source))" }
}
