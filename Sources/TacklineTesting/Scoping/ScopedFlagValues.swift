public import TacklineCore

/// Values of flags that hold in a scope; see `withFlags(_:operation:)`.
///
/// A value applies to the flag in every loader of the collection type at the root of the key path.
public struct ScopedFlagValues: Sendable {
    private(set) var scope: FlagScope
    /// The issues of key paths that lead to no flag.
    private(set) var issues: [FlagError] = []
    /// A description of each value, for people.
    private var texts: [String] = []

    /// Creates values without any override.
    public init() { self.init(recorder: nil) }

    /// Creates values whose scope passes the reads in it to a recorder.
    init(recorder: (any FlagReadRecorder)?) { scope = FlagScope(recorder: recorder) }

    /// Creates values of one collection's flags, as in
    /// `ScopedFlagValues(AppFlags.self) { $0.set(\.newCheckout, to: true) }`.
    public init<Collection: FlagCollectionProtocol>(
        _ type: Collection.Type, _ values: (inout FlagAssignments<Collection>) -> Void
    ) {
        self.init()
        add(FlagAssignments(values))
    }

    /// Creates values of several collections' flags, as in `ScopedFlagValues { $0.set(\AppFlags.newCheckout, to: true) }`.
    public init(_ body: (inout ScopedFlagValues) -> Void) {
        self.init()
        body(&self)
    }

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
        let (flags, encoded) = (FlagProbe<Collection>.flags, values.encoded().values)
        for assignment in values.assignments {
            let (flag, root) = (flags[assignment.ordinal], ObjectIdentifier(Collection.self))
            let key = FlagKeyPath.Identity(root: root, ordinal: assignment.ordinal)
            scope.set(assignment.value, of: assignment.type, for: key)
            let text = encoded[assignment.ordinal]?.description ?? "a value that can't be encoded"
            texts.append("\(flag.property) = \(flag.metadata.shown(text))")
        }
    }

    /// Adds the values of another scope, which take precedence.
    mutating func add(_ other: ScopedFlagValues) {
        scope = scope.adding(other.scope)
        issues += other.issues
        texts += other.texts
    }
}

extension ScopedFlagValues: CustomStringConvertible {
    /// The values that were set, such as `newCheckout = true, theme = "dark"`. The value of a secret flag isn't shown.
    public var description: String { texts.joined(separator: ", ") }
}
