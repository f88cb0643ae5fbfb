#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Synchronization
import TacklineCore

// Foundation: `URL` and `Date` belong to requests and events.

/// What works inside a ``RemoteJSONProvider``. It is an object of its own so that its tasks do not keep the provider alive,
/// whose end is the end of them.
final class RemoteJSONEngine: Sendable {
    let name: String
    let configuration: RemoteJSONConfiguration
    let transport: any HTTPTransport
    let time: MonotonicTime
    let store: any FlagDocumentStore
    /// What is in force until there is something better; `nil` for nothing.
    private let bootstrap: PreparedFlagDocument?
    let events: EventBroadcaster
    /// Wakes the loop that asks for documents, and the one that reads the stream.
    let pollWakeup = Wakeup()
    let streamWakeup = Wakeup()
    /// Held while values are swapped, so that whoever stops or moves the provider knows that nothing late is swapped in.
    let commits = Mutex<Void>(())
    /// Held while the cache is written; whether what others left over was removed.
    let cacheWrites = Mutex(false)
    let readiness = Mutex(Promise<Void>())
    /// Never held while code of somebody else runs, nor while values are compared or files written.
    let state: Mutex<EngineState>

    init(name: String, url: URL, configuration: RemoteJSONConfiguration) {
        self.name = name
        self.configuration = configuration
        transport = configuration.transport ?? Self.standardTransport()
        time = MonotonicTime(configuration.clock)
        store = configuration.format.makeStore(providerName: name)
        var failure: FlagProviderError?
        bootstrap = Self.prepareBootstrap(configuration, store, provider: name, &failure)
        bootstrap?.activate()
        events = EventBroadcaster(prefix: name, log: configuration.log)
        var first = EngineState(url: url, now: time.now, retryTimes: configuration.retryTimes)
        first.lastError = failure
        state = Mutex(first)
        store.reportIssues()
    }

    /// What suits the platform best.
    private static func standardTransport() -> any HTTPTransport {
        #if canImport(Glibc) && (arch(x86_64) || arch(arm64))
            if let transport = CurlTransport() { return transport }
        #endif
        return URLSessionTransport()
    }

    /// Checks the document that was shipped with the program.
    private static func prepareBootstrap(
        _ configuration: RemoteJSONConfiguration, _ store: any FlagDocumentStore, provider: String,
        _ failure: inout FlagProviderError?
    ) -> PreparedFlagDocument? {
        guard !configuration.bootstrap.root.isEmpty else { return nil }
        do throws(FlagDocumentError) {
            return try store.prepare(configuration.bootstrap)
        } catch {
            failure = FlagProviderError(
                .rejected, provider: provider,
                reason: "its bootstrap is no document in the format \(configuration.format.name): \(error.reason)",
                advice: "Correct what is shipped with the program")
            return nil
        }
    }

    /// Puts what was shipped with the program in force again, or nothing.
    func revertToBootstrap() -> [FlagProviderChange] { bootstrap?.activate() ?? store.clear() }

    var reader: RemoteDocumentReader {
        var limits = configuration.limits
        limits.maximumBytes = configuration.effectiveMaximumBodyBytes
        return RemoteDocumentReader(
            limits: limits, format: configuration.format, store: store, verifier: configuration.verifier,
            now: configuration.wallClock)
    }

    /// Changes the state; events that are sent meanwhile keep its order. The log is told afterwards, so this must not be
    /// called under a lock.
    func update<Value: Sendable>(_ change: (inout EngineState) -> Value) -> Value {
        defer { events.drainLog() }
        return locked(change)
    }

    /// Changes the state, for callers who hold another lock.
    func locked<Value: Sendable>(_ change: (inout EngineState) -> Value) -> Value {
        state.withLock { change(&$0) }
    }

    /// Swaps values, while nobody else can swap, stop, or move the provider. Inside, use ``locked(_:)``.
    func commit<Value: Sendable>(_ body: () -> Value) -> Value {
        defer {
            events.drainLog()
            store.reportIssues()
        }
        return commits.withLock { _ in body() }
    }

    func error(_ code: FlagProviderError.Code, _ reason: String, advice: String? = nil) -> FlagProviderError {
        FlagProviderError(code, provider: name, reason: reason, advice: advice)
    }

    /// Loads the cache if that was not done yet, on another task than the caller's.
    func loadCacheOnce() async {
        let task = update { state in
            if let task = state.cacheLoading { return task }
            let task = Task { self.loadCache() }
            state.cacheLoading = task
            return task
        }
        await task.value
    }

    // MARK: Ready

    func becomeReady() {
        readiness.withLock { $0 }.resolve(())
    }

    func becomeUnready() {
        readiness.withLock { promise in
            if promise.value != nil { promise = Promise() }
        }
    }

    func waitUntilReady(timeout: Duration) async -> Bool {
        let promise = readiness.withLock { $0 }
        if promise.value != nil { return true }
        guard timeout > .zero else { return false }
        _ = await within(timeout, on: time) { await promise.wait() != nil }
        return promise.value != nil
    }
}
