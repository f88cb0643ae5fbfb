/// A flag's value became another one.
public struct FlagChange<Value: FlagValue>: Sendable {
    /// The value before. It is the ``new`` value of the change before this one.
    public let old: Value
    /// The value from now on.
    public let new: Value
    /// Where the new value comes from.
    public let source: FlagSource
    /// How many changes this one stands for: 1, unless the consumer was too slow and changes were merged.
    public let mergedCount: Int

    /// `nil` for a change of a flag of another type.
    init?(_ change: TrackedFlagChange) {
        guard let old = change.old.value(as: Value.self), let new = change.new.value(as: Value.self) else { return nil }
        self.old = old
        self.new = new
        source = change.source
        mergedCount = change.mergedCount
    }
}

extension FlagChange: Equatable where Value: Equatable {}
