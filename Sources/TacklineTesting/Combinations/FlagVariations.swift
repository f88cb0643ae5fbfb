public import TacklineCore

/// The flags that a combination varies, and the values of each.
public struct FlagVariations: Sendable {
    /// One flag: sets its value with the given number.
    struct Factor: Sendable {
        let count: Int
        let set: @Sendable (_ choice: Int, inout ScopedFlagValues) -> Void
        /// The type of the root collection, and the flag's number in it; `nil` where the key path leads to no flag.
        let collection: ObjectIdentifier
        let ordinal: Int?
        /// The values in their neutral form, for constraints.
        let encoded: [EncodedFlagValue]
    }

    private(set) var factors: [Factor] = []
    /// The flags of each collection that is varied, by number: their keys and defaults.
    private(set) var collections:
        [ObjectIdentifier: @Sendable (KeyConfiguration) -> [(key: String, value: EncodedFlagValue)]] = [:]

    /// Varies a flag over some values. Without values it is left alone.
    public mutating func vary<Collection: FlagCollectionProtocol, Value: FlagValue>(
        _ flag: KeyPath<Collection, Value>, over values: [Value]
    ) {
        guard !values.isEmpty else { return }
        // Each value's overrides are made here, since key paths may not be sent to other tasks.
        let overrides = values.map { value in ScopedFlagValues { $0.set(flag, value) } }
        let collection = ObjectIdentifier(Collection.self)
        collections[collection] = { configuration in
            FlagsLoader(Collection.self, keyConfiguration: configuration, providers: [], issueReporter: .silent)
                .allFlags.map { ($0.keyPath.text, $0.defaultValue) }
        }
        factors.append(
            Factor(
                count: values.count, set: { choice, all in all.add(overrides[choice]) }, collection: collection,
                ordinal: try? FlagProbe<Collection>.ordinal(of: flag),
                // As everywhere, a value without a neutral form is null to rules.
                encoded: values.map { (try? $0.encoded) ?? .null }))
    }

    /// Varies a flag over `false` and `true`.
    public mutating func vary<Collection: FlagCollectionProtocol>(_ flag: KeyPath<Collection, Bool>) {
        vary(flag, over: [false, true])
    }

    /// Varies a flag over all cases of its type.
    public mutating func vary<Collection: FlagCollectionProtocol, Value: FlagValue & CaseIterable>(
        _ flag: KeyPath<Collection, Value>
    ) {
        vary(flag, over: Array(Value.allCases))
    }
}
