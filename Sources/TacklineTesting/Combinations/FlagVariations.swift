public import TacklineCore

/// The flags that a combination varies, and the values of each.
public struct FlagVariations: Sendable {
    /// One flag: sets its value with the given number.
    struct Factor: Sendable {
        let count: Int
        let set: @Sendable (_ choice: Int, inout ScopedFlagValues) -> Void
    }

    private(set) var factors: [Factor] = []

    /// Varies a flag over some values. Without values it is left alone.
    public mutating func vary<Collection: FlagCollectionProtocol, Value: FlagValue>(
        _ flag: KeyPath<Collection, Value>, over values: [Value]
    ) {
        guard !values.isEmpty else { return }
        // Each value's overrides are made here, since key paths may not be sent to other tasks.
        let overrides = values.map { value in ScopedFlagValues { $0.set(flag, value) } }
        factors.append(Factor(count: values.count) { choice, all in all.add(overrides[choice]) })
    }

    /// Varies a flag over `false` and `true`.
    public mutating func vary<Collection: FlagCollectionProtocol>(_ flag: KeyPath<Collection, Bool>) {
        vary(flag, over: [false, true])
    }

    /// Varies a flag over all cases.
    public mutating func vary<Collection: FlagCollectionProtocol, Value: FlagValue & CaseIterable>(
        _ flag: KeyPath<Collection, Value>
    ) {
        vary(flag, over: Array(Value.allCases))
    }
}
