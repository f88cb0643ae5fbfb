#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
import Synchronization
public import TacklineCore
public import TacklineComposition

// Foundation: `Date` is the moment at which an override ends, which has to mean the same after a relaunch.

/// Overrides: values that somebody set for themselves, kept in a storage of their own and marked as what they are.
///
/// ```swift
/// let overrides = FlagOverrides(storage: LocalProvider(localURL: directory.appending(path: "overrides.json")))
/// let flags = FlagsLoader(AppFlags.self, providers: [overrides, remote])
///
/// try overrides.setValue(true, for: flags.$newCheckout, expires: .now + 3600)
/// try overrides.setValue(nil, for: "new_checkout")
/// try overrides.removeAll()
/// ```
///
/// A change is in force when the call returns, and after a relaunch as long as the storage keeps it. Overrides share
/// nothing with remote values, so a refresh never touches them. One that has expired answers no more from that moment on;
/// kept values of flags follow when the timer goes off.
///
/// **In production it holds nothing and takes nothing**, and loaders leave it out of their chains: see
/// ``/TacklineComposition/DeploymentEnvironment``. The only way round is its `dangerouslyAdmittingOverridesInProduction()`.
///
/// Safe from any thread.
public final class FlagOverrides: FlagProvider {
    /// An override.
    public let kind = FlagProviderKind.override
    /// Its name in messages and explanations, and its id in a chain.
    public let name: String

    let storage: any WritableFlagProvider
    let environment: DeploymentEnvironment
    let now: @Sendable () -> Date
    /// Begins a sleep whose end counts from now.
    let startSleep: @Sendable () -> (@Sendable (Duration) async throws -> Void)
    /// The values in force and the observers.
    let store = FlagProviderStore()
    let state = Mutex(State())
    /// Held through a whole change, so that the storage and what is in force agree.
    let writers = Mutex<Void>(())
    let timer = Mutex<Task<Void, Never>?>(nil)
    private let following = Mutex<FlagProviderObserver?>(nil)

    struct State {
        /// What the storage holds, as far as it had not expired when it was read.
        var overrides: [FlagOverride.Name: FlagOverride] = [:]
        var nextExpiry: Date?
        /// Why the storage's overrides cannot be used.
        var failure: FlagProviderError?
    }

    /// Where the storage keeps the overrides, all of them as one object, so that each change of them is one write.
    public static let storageKey = FlagKeyPath(components: ["tackline-overrides"])

    /// Makes the layer with the overrides that the storage holds.
    ///
    /// - Parameters:
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - storage: Keeps the overrides: a file, or memory for a layer that forgets. It may hold other values as well, and
    ///     need not be in a chain. Changes that others make to it are followed if it can tell them.
    ///   - environment: Where the program runs. Give the loaders the same.
    ///   - now: The present moment, which expiry goes by.
    ///   - clock: Wakes the layer when an override expires.
    public init(
        name: String = "overrides",
        storage: any WritableFlagProvider,
        environment: DeploymentEnvironment = .detected,
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.name = name
        self.storage = storage
        self.environment = environment
        self.now = now
        startSleep = Self.startSleep(by: clock)
        guard environment.admitsOverrides else { return }
        follow()
        reload()
    }

    deinit {
        timer.withLock { $0?.cancel() }
    }

    /// Reads the storage again whenever it tells of a change, as long as the layer lives.
    private func follow() {
        let (observer, notices) = FlagProviderObserver.makeStream()
        _ = storage.observe(observer)
        following.withLock { $0 = observer }
        Task { [weak self] in
            for await _ in notices { self?.reload() }
        }
    }
}

extension FlagOverrides {
    /// The values in force, by flat key.
    public var document: FlagDocument? { currentDocument }

    private var currentDocument: FlagDocument {
        let now = now()
        let current = state.withLock { state -> [FlagOverride.Name: FlagOverride]? in
            guard let next = state.nextExpiry, next <= now else { return nil }
            return state.overrides
        }
        guard let current else { return store.document }
        return FlagDocument(current.values.filter { !$0.isExpired(at: now) })
    }

    /// Returns the override of a key that has not expired, or `nil`.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        currentDocument.value(for: key)
    }

    /// Takes an observer, held weakly, which is told of every change, an expiry included.
    public func observe(_ observer: FlagProviderObserver) -> Bool {
        store.observe(observer)
    }

    /// Failed in production and where the storage holds something that is not overrides; else the storage's status.
    public var status: FlagProviderStatus {
        if let refusal { return .failed(refusal) }
        return state.withLock { $0.failure }.map { .failed($0) } ?? storage.status
    }
}
