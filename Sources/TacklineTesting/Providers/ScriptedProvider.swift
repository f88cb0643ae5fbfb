import Synchronization
public import TacklineCore

/// A provider that does what a test tells it, and nothing by itself: answers, failures, delays and pushes.
///
/// ```swift
/// let server = ScriptedProvider(values: ["new_checkout": false])
/// let flags = FlagsLoader(AppFlags.self, providers: [server])
/// server.push(["new_checkout": true])                        // as if the server had pushed it
/// server.refreshGate.close()                                 // refreshes hang …
/// async let outcome = server.refresh()
/// try await server.refreshGate.waitForArrivals(1)                // … and this one does now
/// server.refreshGate.open()
/// ```
///
/// Nothing depends on time. Safe from any thread.
public final class ScriptedProvider: WritableFlagProvider, RefreshableFlagProvider {
    /// The outcome of a refresh.
    public enum Refresh: Sendable, Equatable {
        /// These values arrive. `nil` removes one; values that are not named stay.
        case values([FlagKeyPath: EncodedFlagValue?])
        /// The source has nothing new.
        case unchanged
        /// The refresh fails.
        case failure(FlagProviderError)
    }

    private struct Script {
        var status = FlagProviderStatus.ready
        var refreshes: [Refresh] = []
        var writeFailures: [FlagProviderError] = []
        var refreshCount = 0
    }

    /// Its name in messages and explanations, and its id in a chain.
    public let name: String
    /// Holds refreshes while it is closed. Open unless a test closes it.
    public let refreshGate = FlagGate()
    /// Holds writes while it is closed, before they change anything. A held write blocks its thread, so make it on a thread
    /// of your own and not in a task. Reads do not wait. Open unless a test closes it.
    public let writeGate = FlagGate()

    private let store: FlagProviderStore
    private let canTellChanges: Bool
    private let script = Mutex(Script())
    private let observers = Mutex<[WeakReference]>([])

    private struct WeakReference {
        weak var observer: FlagProviderObserver?
    }

    /// Makes a provider.
    ///
    /// - Parameters:
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - values: The values that it starts with, by flat key or as nested objects.
    ///   - canTellChanges: Whether it takes observers. A provider that cannot is asked at each read.
    public init(
        name: String = "ScriptedProvider", values: [String: EncodedFlagValue] = [:], canTellChanges: Bool = true
    ) {
        self.name = name
        self.canTellChanges = canTellChanges
        store = FlagProviderStore(FlagDocument(values))
    }

    // MARK: What a test does

    /// Changes values and announces them in one commit, as if its source had pushed them.
    public func push(_ values: [FlagKeyPath: EncodedFlagValue?]) {
        store.setValues(values)
    }

    /// Tells observers that any value may have changed, without saying which.
    public func announceReset() {
        let observers = observers.withLock { $0 }
        for entry in observers { entry.observer?.valuesMayHaveChanged() }
    }

    /// Announces that the values were made for another user, as if somebody else had logged in.
    public func announceSubjectChange() { store.announceSubjectChange() }

    /// Adds outcomes for the refreshes to come, in their order. A refresh without one returns `unchanged`.
    public func script(_ refreshes: Refresh...) {
        script.withLock { $0.refreshes += refreshes }
    }

    /// Lets the next writes fail, one for each error, in their order. They change nothing.
    public func failWrites(_ errors: FlagProviderError...) {
        script.withLock { $0.writeFailures += errors }
    }

    /// How many refreshes began.
    public var refreshCount: Int { script.withLock { $0.refreshCount } }

    // MARK: What a loader does

    /// The status that a test sets; `ready` at first.
    public var status: FlagProviderStatus {
        get { script.withLock { $0.status } }
        set { script.withLock { $0.status = newValue } }
    }

    /// All values as of now.
    public var document: FlagDocument? { store.document }

    /// Answers with what was pushed, written or refreshed last.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        store.value(for: key)
    }

    /// Takes an observer, unless the provider was made without `canTellChanges`.
    public func observe(_ observer: FlagProviderObserver) -> Bool {
        guard canTellChanges else { return false }
        observers.withLock { observers in
            observers.removeAll { $0.observer == nil }
            observers.append(WeakReference(observer: observer))
        }
        return store.observe(observer)
    }

    /// Waits at ``writeGate``, and then sets the value.
    ///
    /// - Throws: The next error given to ``failWrites(_:)``. The value then stays as it was.
    public func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagProviderError) {
        writeGate.passBlocking()
        let failure = script.withLock { $0.writeFailures.isEmpty ? nil : $0.writeFailures.removeFirst() }
        if let failure { throw failure }
        store.setValue(value, for: key)
    }

    /// Takes the next scripted outcome, waits at ``refreshGate``, and then applies it.
    ///
    /// - Throws: The scripted failure, or an error with the code `cancelled` if the task is cancelled at the gate. Values then
    ///   stay as they were.
    public func refresh() async throws(FlagProviderError) -> FlagRefreshOutcome {
        let outcome = script.withLock { script in
            script.refreshCount += 1
            return script.refreshes.isEmpty ? .unchanged : script.refreshes.removeFirst()
        }
        do throws(CancellationError) {
            try await refreshGate.pass()
        } catch {
            throw FlagProviderError(.cancelled, provider: name, reason: "the task was cancelled during a refresh")
        }
        switch outcome {
        case .unchanged: return .unchanged
        case .failure(let error): throw error
        case .values(let values):
            let changes = store.setValues(values)
            return changes.isEmpty ? .unchanged : .changed(Set(changes.map(\.key)))
        }
    }

    /// Does nothing until the task is cancelled: values change when a test pushes them.
    public func run() async throws {
        try await FlagGate(isOpen: false).pass()
    }
}
