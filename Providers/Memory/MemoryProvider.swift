public import TacklineCore

/// A provider that keeps its values in memory, for as long as it lives.
///
/// It serves for defaults of a region or a customer (at the end of a chain), for overrides that should not survive the
/// process (at its start), and in tests. Safe from any thread.
public final class MemoryProvider: WritableFlagProvider {
    /// Its name in messages and explanations, and its id in a chain.
    public let name: String

    private let store: FlagProviderStore
    /// The mistakes in the values that the provider was made with.
    private let issues: [FlagIssue]

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - values: The values that it starts with, by flat key or as nested objects.
    public init(name: String = "MemoryProvider", values: [String: EncodedFlagValue] = [:]) {
        self.name = name
        store = FlagProviderStore(FlagDocument(values))
        issues = []
    }

    /// Makes a provider with values of a collection's flags:
    /// `MemoryProvider(AppFlags.self, name: "region") { $0.set(\.maxAttempts, to: 5) }`.
    ///
    /// The keys are those of the collection's own ``/TacklineCore/FlagCollectionProtocol/keyConfiguration``. A value that
    /// can't be set is reported by each loader whose chain has the provider.
    ///
    /// - Parameters:
    ///   - type: The root collection of the flags.
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - values: Sets the values that it starts with.
    public init<Collection: FlagCollectionProtocol>(
        _ type: Collection.Type, name: String = "MemoryProvider",
        _ values: (inout FlagAssignments<Collection>) -> Void
    ) {
        self.name = name
        let (document, issues) = FlagAssignments(values).document()
        store = FlagProviderStore(document)
        self.issues = issues
    }

    /// All values as of now.
    public var document: FlagDocument? { store.document }

    /// Returns the value for a key, by flat key or as nested objects, or `nil`.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        store.value(for: key)
    }

    /// Takes an observer of every later change, held weakly.
    public func observe(_ observer: FlagProviderObserver) -> Bool {
        for issue in issues { observer.issueReporter.report(issue) }
        return store.observe(observer)
    }

    /// Sets a value, or removes it with `nil`. It cannot fail.
    public func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) {
        store.setValue(value, for: key)
    }

    /// Sets several values in one commit, removing those that are `nil`.
    ///
    /// Readers see either all of them or none.
    ///
    /// - Returns: What differs now.
    @discardableResult
    public func setValues(_ values: [FlagKeyPath: EncodedFlagValue?]) -> [FlagProviderChange] {
        store.setValues(values)
    }

    /// Removes every value.
    public func removeAll() {
        store.replaceDocument(with: FlagDocument())
    }
}
