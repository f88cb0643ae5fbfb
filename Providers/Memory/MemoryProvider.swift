public import TacklineCore

/// A provider that keeps its values in memory, for as long as it lives.
///
/// It serves for defaults of a region or a customer (at the end of a chain), for overrides that should not survive the
/// process (at its start), and in tests. Safe from any thread.
public final class MemoryProvider: WritableFlagProvider {
    /// Its name in messages and explanations, and its id in a chain.
    public let name: String
    private let store: FlagProviderStore

    /// Creates a provider that starts with values by flat key or in nested objects.
    public init(name: String = "MemoryProvider", values: [String: EncodedFlagValue] = [:]) {
        self.name = name
        store = FlagProviderStore(FlagDocument(values))
    }

    /// Creates a provider that starts with values of a collection's flags, under the keys of the collection's own
    /// ``/TacklineCore/FlagCollectionProtocol/keyConfiguration``:
    /// `MemoryProvider(AppFlags.self, name: "region") { $0.set(\.maxAttempts, to: 5) }`.
    ///
    /// A value that can't be set is reported to ``/TacklineCore/FlagIssueReporter/current``.
    public convenience init<Collection: FlagCollectionProtocol>(
        _ type: Collection.Type, name: String = "MemoryProvider", _ values: (inout FlagAssignments<Collection>) -> Void
    ) {
        let (document, issues) = FlagAssignments(values).document()
        issues.forEach { FlagIssueReporter.current.report($0) }
        self.init(name: name, values: document.root)
    }

    /// All values as of now.
    public var document: FlagDocument? { store.document }

    /// Returns the value for a key, by flat key or in nested objects, or `nil`.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }

    /// Adds an observer of every later change, which is held weakly.
    public func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }

    /// Sets a value, or removes it if it is `nil`. It cannot fail.
    public func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) { store.setValue(value, for: key) }

    /// Sets several values in one commit, and removes those that are `nil`. Readers see either all of them or none.
    ///
    /// - Returns: The changes, sorted by key.
    @discardableResult
    public func setValues(_ values: [FlagKeyPath: EncodedFlagValue?]) -> [FlagProviderChange] {
        store.setValues(values)
    }

    /// Removes every value.
    public func removeAll() { store.replaceDocument(with: FlagDocument()) }
}
