public import TacklineCore

/// The flags to vary in combinations, with their values.
public struct FlagVariations: Sendable {
    /// A varied flag. `set` sets its value with the given index.
    struct Factor: Sendable {
        let count: Int
        let set: @Sendable (_ choice: Int, inout ScopedFlagValues) -> Void
        /// The type of the root collection, and the ordinal of the flag in it, which is `nil` if the key path leads to
        /// no flag.
        let collection: ObjectIdentifier
        let ordinal: Int?
        /// The encoded values.
        let encoded: [EncodedFlagValue]
    }

    private(set) var factors: [Factor] = []

    /// Varies a flag over some values. Without values it does nothing.
    public mutating func vary<Collection: FlagCollectionProtocol, Value: FlagValue>(
        _ flag: KeyPath<Collection, Value>, over values: [Value]
    ) {
        guard !values.isEmpty else { return }
        // The overrides are created here, because key paths can't be sent to other tasks.
        let overrides = values.map { value in ScopedFlagValues { $0.set(flag, to: value) } }
        factors.append(
            Factor(
                count: values.count, set: { choice, all in all.add(overrides[choice]) },
                collection: ObjectIdentifier(Collection.self), ordinal: try? FlagProbe<Collection>.ordinal(of: flag),
                encoded: values.map { (try? $0.encoded) ?? .null }))
    }

    /// Varies a flag over `false` and `true`.
    public mutating func vary<Collection: FlagCollectionProtocol>(_ flag: KeyPath<Collection, Bool>) {
        vary(flag, over: [false, true])
    }

    /// Varies a flag over its default and the values at the edges of its bounds: the least and the greatest value of a
    /// range, or all values of a list. Without bounds, as with a pattern, it does nothing.
    public mutating func varyAtEdges<Collection: FlagCollectionProtocol, Value: FlagValue>(
        _ flag: KeyPath<Collection, Value>
    ) {
        guard let ordinal = try? FlagProbe<Collection>.ordinal(of: flag) else { return }
        let handle = FlagProbe<Collection>.flags[ordinal]
        guard let edges = handle.bounds?.edges else { return }
        let encoded = [handle.defaultValue] + edges.filter { $0 != handle.defaultValue }
        vary(flag, over: encoded.compactMap { try? Value(encoded: $0) })
    }

    /// Varies a flag over all cases of its type.
    public mutating func vary<Collection: FlagCollectionProtocol, Value: FlagValue & CaseIterable>(
        _ flag: KeyPath<Collection, Value>
    ) {
        vary(flag, over: Array(Value.allCases))
    }
}
