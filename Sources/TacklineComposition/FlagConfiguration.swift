public import TacklineCore

/// A provider whose values are written in code, by the properties of a collection or the cases of an enum.
///
/// ```swift
/// let configuration = FlagConfiguration(AppFlags.self) {
///     $0.enable(\.newCheckout)
///     $0.disable(\.debugMenu)
///     $0.set(\.maxAttempts, to: 5)
///     if isInternalBuild { $0.enable(\.secrets.boomFeature) }
/// }
/// ```
///
/// The values belong to the flags and not to their keys, so a configuration fits into the chain of any loader of the
/// collection. It has no values in the chains of other collections. For a key path that no loader created, it uses the
/// keys of the collection's own ``/TacklineCore/FlagCollectionProtocol/keyConfiguration``. If two lines set one flag, the
/// later one is used. A configuration never changes.
public final class FlagConfiguration<Root: FlagCollectionProtocol>: FlagProvider {
    /// The name in messages and explanations, which is also the id in a chain.
    public let name: String
    private let values: [Int: EncodedFlagValue]
    private let issues: [FlagError]

    /// Creates a configuration.
    ///
    /// A line without effect, because its key path leads to no flag or its value can't be encoded, is reported by each
    /// loader whose chain has the configuration.
    ///
    /// - Parameters:
    ///   - type: The collection whose flags it sets.
    ///   - name: The name in messages and explanations, which is also the id in a chain.
    ///   - settings: Sets the values. Of two values for one flag, the later one is used.
    public init(
        _ type: Root.Type = Root.self, name: String = "configuration",
        _ settings: (inout FlagAssignments<Root>) -> Void
    ) {
        self.name = name
        (values, issues) = FlagAssignments(settings).encoded()
    }

    /// Creates a configuration for the cases of an enum: `FlagConfiguration(AppFeature.self) { $0.enable(.newCheckout) }`.
    ///
    /// The parameters are those for a collection.
    public convenience init<F: FlagFeature>(
        _ features: F.Type, name: String = "configuration",
        _ settings: (inout FlagAssignments<FlagFeatureCollection<F>>) -> Void
    ) where Root == FlagFeatureCollection<F> {
        self.init(Root.self, name: name, settings)
    }

    /// Returns the value that was written for a flag, or `nil` if there is none.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        guard let identity = key.identity else {
            return FlagProbe<Root>.flags.first { $0.keyPath == key }.flatMap { values[$0.ordinal] }
        }
        return identity.root == ObjectIdentifier(Root.self) ? values[identity.ordinal] : nil
    }

    /// Reports the lines without effect and returns `true`, because a configuration never changes.
    public func observe(_ observer: FlagProviderObserver) -> Bool {
        issues.forEach(observer.report)
        return true
    }
}

extension FlagAssignments {
    /// Turns a flag on.
    public mutating func enable(_ flag: KeyPath<Collection, Bool>) { set(flag, to: true) }

    /// Turns a flag off.
    public mutating func disable(_ flag: KeyPath<Collection, Bool>) { set(flag, to: false) }

    /// Turns a feature on.
    public mutating func enable<F: FlagFeature>(_ feature: F)
    where Collection == FlagFeatureCollection<F>, F.Value == Bool { set(feature, to: true) }

    /// Turns a feature off.
    public mutating func disable<F: FlagFeature>(_ feature: F)
    where Collection == FlagFeatureCollection<F>, F.Value == Bool { set(feature, to: false) }

    /// Sets the value of a feature. One that is not in `allCases` has no flag; that is reported, and sets nothing.
    public mutating func set<F: FlagFeature>(_ feature: F, to value: F.Value)
    where Collection == FlagFeatureCollection<F> {
        if let ordinal = Array(F.allCases).firstIndex(of: feature) { return set(flagAt: ordinal, to: value) }
        let message = """
            A value is set for \(F.self).\(feature), which is not in \(F.self).allCases and has no flag, so nothing is \
            set. Add it to allCases.
            """
        report(FlagError(.unusableSetting, message))
    }
}
