public import TacklineCore

/// Values for flags that hold in a scope: see `withFlags(_:operation:)`.
///
/// A value holds for a flag of every loader that was made for the collection type at the root of the key path.
public struct ScopedFlagValues: Sendable {
    private(set) var scope = FlagScope()
    /// Key paths that lead to no flag.
    private(set) var issues: [FlagIssue] = []
    /// What was set, for people.
    private var texts: [String] = []

    /// Makes overrides that override nothing.
    public init() {}

    /// Makes overrides, as in `ScopedFlagValues { $0.set(\AppFlags.newCheckout, true) }`.
    public init(_ body: (inout ScopedFlagValues) -> Void) {
        body(&self)
    }

    /// Sets the value of a flag. The last value that is set for a flag holds.
    ///
    /// - Parameters:
    ///   - flag: The key path from the root collection to the flag's property: `\AppFlags.secrets.boomFeature`. If it
    ///     leads to something else, the scope reports that as an issue, which fails a test that uses Swift Testing.
    ///   - value: The value, which wins over computed values and providers.
    public mutating func set<Collection: FlagCollectionProtocol, Value: FlagValue>(
        _ flag: KeyPath<Collection, Value>, _ value: Value
    ) {
        do throws(FlagIssue) {
            let ordinal = try FlagProbe<Collection>.ordinal(of: flag)
            scope.set(value, for: FlagIdentity(root: ObjectIdentifier(Collection.self), ordinal: ordinal))
            texts.append("\(FlagProbe<Collection>.property(ofFlag: ordinal)) = \(value)")
        } catch {
            issues.append(error)
        }
    }

    /// Adds what other overrides set, on top.
    mutating func add(_ other: ScopedFlagValues) {
        scope = scope.adding(other.scope)
        issues += other.issues
        texts += other.texts
    }
}

extension ScopedFlagValues: CustomStringConvertible {
    /// What was set: `newCheckout = true, theme = dark`.
    public var description: String { texts.joined(separator: ", ") }
}
