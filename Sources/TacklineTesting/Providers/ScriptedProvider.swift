import Synchronization
public import TacklineCore

/// A provider that a test controls: its answers, failures, delays and pushed changes.
///
/// ```swift
/// let server = ScriptedProvider(values: ["new_checkout": false]) { ["limit": 5] }   // what a refresh finds
/// let flags = FlagsLoader(AppFlags.self, providers: [server])
/// server.push(["new_checkout": true])                                             // as if the server had pushed it
/// _ = try await server.refresh()
/// #expect(flags.newCheckout && flags.limit == 5)
/// ```
///
/// Nothing depends on time. You can use the provider from any thread.
public final class ScriptedProvider: WritableFlagProvider, RefreshableFlagProvider {
    /// The provider's name in messages and explanations, and its id in a chain.
    public let name: String

    private let store: FlagProviderStore
    private let canTellChanges: Bool
    private let fetch: @Sendable () async throws -> [FlagKeyPath: EncodedFlagValue?]?
    private let script = Mutex((status: FlagProviderStatus.ready, writeFailures: [any Error]()))

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - name: The provider's name in messages and explanations, and its id in a chain.
    ///   - values: The initial values, by flat key or as nested objects.
    ///   - canTellChanges: Whether the provider notifies observers. If it doesn't, loaders ask it at each read.
    ///   - refresh: Returns the values that a refresh changes, of which `nil` removes one, or `nil` if there is nothing new. It
    ///     may wait and throw, as a server does.
    public init(
        name: String = "ScriptedProvider", values: [String: EncodedFlagValue] = [:], canTellChanges: Bool = true,
        refresh: @escaping @Sendable () async throws -> [FlagKeyPath: EncodedFlagValue?]? = { nil }
    ) {
        self.name = name
        self.canTellChanges = canTellChanges
        fetch = refresh
        store = FlagProviderStore(FlagDocument(values))
    }

    // MARK: Control by a test

    /// Changes values and notifies observers once, as if the source had pushed them.
    public func push(_ values: [FlagKeyPath: EncodedFlagValue?]) { store.setValues(values) }

    /// Notifies observers that any value may have changed.
    public func announceReset() { store.announceReset() }

    /// Notifies observers that the values are for another user, as after a login.
    public func announceSubjectChange() { store.announceSubjectChange() }

    /// Makes the next writes fail, one for each error, in order. They change nothing.
    public func failWrites(_ errors: any Error...) { script.withLock { $0.writeFailures += errors } }

    // MARK: Use by a loader

    /// The status, which a test can set. The initial one is `ready`.
    public var status: FlagProviderStatus {
        get { script.withLock { $0.status } }
        set { script.withLock { $0.status = newValue } }
    }

    /// All current values.
    public var document: FlagDocument? { store.document }

    /// Returns the value that was pushed, written or refreshed last.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }

    /// Adds an observer, unless the provider was created without `canTellChanges`.
    public func observe(_ observer: FlagProviderObserver) -> Bool { canTellChanges && store.observe(observer) }

    /// Sets the value.
    ///
    /// - Throws: The next error of ``failWrites(_:)``. The value is then unchanged.
    public func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws {
        let failure = script.withLock { $0.writeFailures.isEmpty ? nil : $0.writeFailures.removeFirst() }
        if let failure { throw failure }
        store.setValue(value, for: key)
    }

    /// Sets the values that the closure returns.
    ///
    /// - Throws: The error of the closure. The values are then unchanged.
    public func refresh() async throws -> FlagRefreshOutcome {
        let changes = store.setValues(try await fetch() ?? [:])
        return changes.isEmpty ? .unchanged : .changed(Set(changes.map(\.key)))
    }

    /// Waits until the task is cancelled, because values change only when a test changes them.
    public func run() async throws {
        _ = await FlagPromise<Void>().wait()
        throw CancellationError()
    }
}
