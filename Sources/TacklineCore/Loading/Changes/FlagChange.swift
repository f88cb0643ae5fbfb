/// A flag's value became another one.
public struct FlagChange<Value: FlagValue>: Sendable {
    /// The value before. It is the ``new`` value of the change before this one.
    public let old: Value
    /// The value from now on.
    public internal(set) var new: Value
    /// Where the new value comes from.
    public internal(set) var source: FlagSource
    /// How many changes this one stands for: 1, unless the consumer was too slow and changes were merged.
    public internal(set) var mergedCount = 1

    let oldEncoded: EncodedFlagValue?
    var newEncoded: EncodedFlagValue?
}

extension FlagChange: Equatable where Value: Equatable {}

/// A change that can stand for several.
protocol MergeableFlagChange: Sendable {
    /// Changes with one identity can be merged.
    associatedtype Identity: Hashable
    var identity: Identity { get }
    /// Whether the value is the same before and after.
    var isEmpty: Bool { get }
    /// Takes a later change in.
    mutating func merge(_ later: Self)
}

extension FlagChange: MergeableFlagChange {
    /// All changes of a consumer are of one flag.
    var identity: Bool { true }

    var isEmpty: Bool { oldEncoded != nil && oldEncoded == newEncoded }

    mutating func merge(_ later: FlagChange) {
        new = later.new
        newEncoded = later.newEncoded
        source = later.source
        mergedCount += later.mergedCount
    }
}
