import Synchronization
public import TacklineCore

/// A provider that a test controls: its answers, failures, delays and pushed changes.
///
/// ```swift
/// let server = ScriptedProvider(values: ["new_checkout": false])
/// let flags = FlagsLoader(AppFlags.self, providers: [server])
/// server.push(["new_checkout": true])                        // as if the server had pushed it
/// server.refreshGate.close()                                 // refreshes hang from now on
/// async let outcome = server.refresh()
/// try await server.refreshGate.waitForArrivals(1)            // the refresh hangs
/// server.refreshGate.open()
/// ```
///
/// Nothing depends on time. You can use the provider from any thread.
public final class ScriptedProvider: WritableFlagProvider, RefreshableFlagProvider {
    /// The outcome of a refresh.
    public enum Refresh: Sendable {
        /// The source returns these values. `nil` removes a value; other values stay.
        case values([FlagKeyPath: EncodedFlagValue?])
        /// The source has nothing new.
        case unchanged
        /// The refresh fails.
        case failure(any Error)
    }

    private struct Script {
        var status = FlagProviderStatus.ready
        var refreshes: [Refresh] = []
        var writeFailures: [any Error] = []
        var refreshCount = 0
    }

    /// The provider's name in messages and explanations, and its id in a chain.
    public let name: String
    /// The gate that holds refreshes while it is closed. It is open at first.
    public let refreshGate = FlagGate()
    /// The gate that holds writes while it is closed, before they change anything. It is open at first. A held write
    /// blocks its thread, so write on a separate thread and not in a task. Reads don't wait.
    public let writeGate = FlagGate()

    private let store: FlagProviderStore
    private let canTellChanges: Bool
    private let script = Mutex(Script())

    /// Creates a provider.
    ///
    /// - Parameters:
    ///   - name: The provider's name in messages and explanations, and its id in a chain.
    ///   - values: The initial values, by flat key or as nested objects.
    ///   - canTellChanges: Whether the provider notifies observers. If it doesn't, loaders ask it at each read.
    public init(
        name: String = "ScriptedProvider", values: [String: EncodedFlagValue] = [:], canTellChanges: Bool = true
    ) {
        self.name = name
        self.canTellChanges = canTellChanges
        store = FlagProviderStore(FlagDocument(values))
    }

    // MARK: Control by a test

    /// Changes values and notifies observers once, as if the source had pushed them.
    public func push(_ values: [FlagKeyPath: EncodedFlagValue?]) {
        store.setValues(values)
    }

    /// Notifies observers that any value may have changed.
    public func announceReset() { store.announceReset() }

    /// Notifies observers that the values are for another user, as after a login.
    public func announceSubjectChange() { store.announceSubjectChange() }

    /// Adds outcomes for the next refreshes, in order. A refresh without an outcome returns `unchanged`.
    public func script(_ refreshes: Refresh...) {
        script.withLock { $0.refreshes += refreshes }
    }

    /// Makes the next writes fail, one for each error, in order. They change nothing.
    public func failWrites(_ errors: any Error...) {
        script.withLock { $0.writeFailures += errors }
    }

    /// The number of refreshes that have begun.
    public var refreshCount: Int { script.withLock { $0.refreshCount } }

    // MARK: Use by a loader

    /// The status, which a test can set. The initial one is `ready`.
    public var status: FlagProviderStatus {
        get { script.withLock { $0.status } }
        set { script.withLock { $0.status = newValue } }
    }

    /// All current values.
    public var document: FlagDocument? { store.document }

    /// Returns the value that was pushed, written or refreshed last.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        store.value(for: key)
    }

    /// Adds an observer, unless the provider was created without `canTellChanges`.
    public func observe(_ observer: FlagProviderObserver) -> Bool {
        canTellChanges && store.observe(observer)
    }

    /// Waits at ``writeGate``, and then sets the value.
    ///
    /// - Throws: The next error of ``failWrites(_:)``. The value is then unchanged.
    public func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws {
        writeGate.passBlocking()
        let failure = script.withLock { $0.writeFailures.isEmpty ? nil : $0.writeFailures.removeFirst() }
        if let failure { throw failure }
        store.setValue(value, for: key)
    }

    /// Takes the next scripted outcome, waits at ``refreshGate``, and then applies the outcome.
    ///
    /// - Throws: The scripted failure, or a `CancellationError` if the task is cancelled at the gate. The values are then
    ///   unchanged.
    public func refresh() async throws -> FlagRefreshOutcome {
        let outcome = script.withLock { script in
            script.refreshCount += 1
            return script.refreshes.isEmpty ? .unchanged : script.refreshes.removeFirst()
        }
        try await refreshGate.pass()
        switch outcome {
        case .unchanged: return .unchanged
        case .failure(let error): throw error
        case .values(let values):
            let changes = store.setValues(values)
            return changes.isEmpty ? .unchanged : .changed(Set(changes.map(\.key)))
        }
    }

    /// Waits until the task is cancelled, because values change only when a test changes them.
    public func run() async throws {
        try await FlagGate(isOpen: false).pass()
    }
}
