public import TacklineCore

/// Values of flags that hold in a scope; see `withFlags(_:operation:)`.
///
/// A value applies to the flag in every loader of the collection type at the root of the key path.
public struct ScopedFlagValues: Sendable {
    private(set) var scope = FlagScope()
    /// The issues of key paths that lead to no flag.
    private(set) var issues: [FlagError] = []
    /// A description of each value, for people.
    private var texts: [String] = []

    /// Creates values of one or more collections' flags, as in `ScopedFlagValues { $0.set(\AppFlags.newCheckout, to: true) }`.
    public init(_ body: (inout ScopedFlagValues) -> Void) { body(&self) }

    /// Sets the value of a flag. If a flag is set twice, the last value counts.
    ///
    /// - Parameters:
    ///   - flag: The key path from the root collection to the flag's property, such as `\AppFlags.secrets.boomFeature`.
    ///     If it leads to something else, the scope reports an issue, which fails a test of Swift Testing.
    ///   - value: The value, which takes precedence over computed values and providers.
    public mutating func set<Collection: FlagCollectionProtocol, Value: FlagValue>(
        _ flag: KeyPath<Collection, Value>, to value: Value
    ) {
        add(FlagAssignments { $0.set(flag, to: value) })
    }

    /// Adds values of one collection's flags.
    mutating func add<Collection: FlagCollectionProtocol>(_ values: FlagAssignments<Collection>) {
        issues += values.issues
        let flags = FlagProbe<Collection>.flags
        for assignment in values.assignments { set(assignment.value, of: flags[assignment.ordinal]) }
    }

    /// Adds an issue, which is reported when the values are set.
    mutating func report(_ issue: FlagError) { issues.append(issue) }

    /// Sets the value of a flag of any type, which is that of the value.
    mutating func set(_ value: ErasedFlagValue, of flag: AnyFlagHandle) {
        scope.set(value, of: flag.valueType, for: flag.identity)
        let text = flag.declaration.encode(value)?.description ?? "a value that can't be encoded"
        texts.append("\(flag.property) = \(flag.metadata.shown(text))")
    }

    /// Adds the values of another scope, which take precedence.
    mutating func add(_ other: ScopedFlagValues) {
        scope = scope.adding(other.scope)
        issues += other.issues
        texts += other.texts
    }
}

extension ScopedFlagValues: ReflectedAsDescription {
    /// The values that were set, such as `newCheckout = true, theme = "dark"`. The value of a secret flag isn't shown.
    public var description: String { texts.joined(separator: ", ") }
}
