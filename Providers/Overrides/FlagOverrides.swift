#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
import Synchronization
public import TacklineCore

// Foundation: `Date` is the moment at which an override ends, which has to mean the same after a relaunch.

/// Values that people set on their own device, kept in a storage of their own.
///
/// ```swift
/// let overrides = FlagOverrides(file: .applicationSupportDirectory.appending(path: "overrides.json"))
/// let flags = FlagsLoader(AppFlags.self, providers: [overrides, remote])
///
/// try overrides.setValue(true, for: flags.$newCheckout, expires: .now + 3600)
/// try overrides.setValue(nil, for: "new_checkout")
/// try overrides.removeAll()
/// ```
///
/// A change is in force when the call returns, and after a relaunch as long as the storage keeps it. Overrides share
/// nothing with remote values, so a refresh never touches them. An override that has expired has no effect from that moment
/// on. Cached values of flags follow when the timer fires.
///
/// ## Production
///
/// In production (``/TacklineCore/DeploymentEnvironment``) there are no overrides: loaders leave the provider out of
/// their chains, it has no values, and writes throw. To let some people override in production, decide it at run time:
///
/// ```swift
/// let overrides = FlagOverrides(file: file, isAllowed: { session.isEmployee })
/// ```
///
/// The closure then decides in every environment, in place of the environment itself. Loaders keep the provider in their
/// chains, and chains, the flag browser and the web console all go by ``isAllowed``. Call ``updatePermission()`` when the
/// closure would return something else.
///
/// Use it from any thread.
public final class FlagOverrides: FlagProvider {
    /// The trait ``/TacklineCore/FlagProviderTraits/override``. With a closure `isAllowed` the provider stays in production's
    /// chains all the same.
    public let traits: FlagProviderTraits
    /// The name in messages and explanations, and the id in a chain.
    public let name: String

    let storage: any WritableFlagProvider
    let environment: DeploymentEnvironment
    /// The closure of the app that decides, or `nil` if the environment does.
    let permission: (@Sendable () -> Bool)?
    /// Numbers the calls of ``permission``, so that of two answers the one that was asked for later counts.
    let permissionCalls = Atomic<UInt64>(0)
    let now: @Sendable () -> Date
    /// A change of the value that holds all overrides, which may be made again later.
    package typealias StorageChange =
        @Sendable (_ old: EncodedFlagValue?) throws(FlagError) -> EncodedFlagValue?
    /// Changes the value in the storage in one step, so that overrides of other processes are kept.
    package typealias StorageUpdate =
        @Sendable (@escaping StorageChange) throws(FlagError) -> Void
    let updateStorage: StorageUpdate
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
        /// The storage's overrides that had not expired when it was read.
        var overrides: [FlagOverride.Name: FlagOverride] = [:]
        /// The overrides as a document, which changes with them: what the store has follows a moment later.
        var document = FlagDocument()
        var nextExpiry: Date?
        /// The error of a storage whose overrides can't be read.
        var failure: FlagError?
        /// Whether overrides are in force, and the number of the call of ``permission`` that decided it.
        var isAllowed = false
        var decision: UInt64 = 0
    }

    /// The key under which the storage keeps the overrides. All of them are one object, so each change is one write.
    public static let storageKey = FlagKeyPath(components: ["tackline-overrides"])

    /// Creates a provider with the overrides that a storage holds.
    ///
    /// - Parameters:
    ///   - name: The name in messages and explanations, and the id in a chain.
    ///   - storage: Keeps the overrides: a file, or memory for overrides that end with the process. It may hold other
    ///     values as well, and need not be in a chain. Changes that others make to it are followed if it notifies observers.
    ///   - environment: The environment that decides whether there are overrides. Give the loaders the same.
    ///   - isAllowed: Decides in place of the environment. It is called from any thread: here, by ``updatePermission()``,
    ///     by ``isAllowed``, and before each write. It isn't called when a flag is read.
    ///   - now: The present moment, which expiry goes by.
    ///   - clock: The clock of the timer for the next expiry.
    public convenience init(
        name: String = "overrides",
        storage: any WritableFlagProvider,
        environment: DeploymentEnvironment = .detected,
        isAllowed: (@Sendable () -> Bool)? = nil,
        now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.init(
            name: name, storage: storage, environment: environment, isAllowed: isAllowed, now: now, clock: clock,
            updateStorage: { change throws(FlagError) in
                let old = storage.value(for: Self.storageKey)
                let new = try change(old)
                if new != old { try storage.write(new, for: Self.storageKey) }
            })
    }

    /// Creates a provider with the overrides that a storage holds, which others may write as well.
    ///
    /// - Parameter updateStorage: Changes the value in the storage, while other processes wait.
    package init(
        name: String, storage: any WritableFlagProvider, environment: DeploymentEnvironment,
        isAllowed: (@Sendable () -> Bool)?, now: @escaping @Sendable () -> Date = { Date() },
        clock: any Clock<Duration> = ContinuousClock(),
        updateStorage: @escaping StorageUpdate
    ) {
        self.name = name
        self.storage = storage
        self.updateStorage = updateStorage
        self.environment = environment
        traits = isAllowed == nil ? .override : .overridesPins
        permission = isAllowed
        self.now = now
        startSleep = Self.startSleep(by: clock)
        guard permission == nil else {
            updatePermission()
            return
        }
        guard environment.admitsOverrides else { return }
        state.withLock { $0.isAllowed = true }
        follow()
        reload()
    }

    deinit {
        timer.withLock { $0?.cancel() }
    }

    /// Reads the storage again at each of its notices, for as long as this object exists. Further calls do nothing.
    private func follow() {
        let (observer, notices) = FlagProviderObserver.makeStream()
        let isFirst = following.withLock { following in
            if following != nil { return false }
            following = observer
            return true
        }
        guard isFirst else { return }
        _ = storage.observe(observer)
        Task { [weak self] in
            for await _ in notices { self?.reload() }
        }
    }
}

// MARK: Permission

extension FlagOverrides {
    /// Whether overrides are allowed at present. Use it to decide whether to show a menu for them.
    ///
    /// With a closure `isAllowed` the property calls it, as ``updatePermission()`` does. Otherwise the environment decides.
    public var isAllowed: Bool { updatePermission() }

    /// Calls the closure `isAllowed` again, and puts the stored overrides into force or out of it.
    ///
    /// Call it when the answer may be another one: after signing in, and after signing out. Overrides that are no longer
    /// allowed stay in the storage, and are in force again once they are allowed again. Without a closure it does nothing.
    ///
    /// - Returns: Whether overrides are allowed now.
    @discardableResult
    public func updatePermission() -> Bool {
        guard let permission else { return environment.admitsOverrides }
        let call = permissionCalls.add(1, ordering: .relaxed).newValue
        let answer = permission()
        if answer { follow() }
        let isChanged = writers.withLock { _ -> Bool in
            let isChanged = state.withLock { state in
                guard state.decision < call else { return false }
                state.decision = call
                defer { state.isAllowed = answer }
                return state.isAllowed != answer
            }
            if isChanged { adoptStored() }
            return isChanged
        }
        if isChanged { schedule() }
        return state.withLock { $0.isAllowed }
    }
}

extension FlagOverrides {
    /// The values in force, by flat key.
    public var document: FlagDocument? {
        let now = now()
        let state = state.withLock { $0 }
        guard let next = state.nextExpiry, next <= now else { return state.document }
        return FlagDocument(state.overrides.values.filter { !$0.isExpired(at: now) })
    }

    /// Returns the override of a key that has not expired, or `nil`.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        document?.value(for: key)
    }

    /// Adds an observer, held weakly, and returns `true`. It is notified of every change, including an expiry.
    public func observe(_ observer: FlagProviderObserver) -> Bool {
        store.observe(observer)
    }

    /// Failed in production and where the storage holds something that is not overrides; else the storage's status.
    ///
    /// With a closure `isAllowed`, ready where overrides are not allowed, since that is as the app wants it.
    public var status: FlagProviderStatus {
        let (isAllowed, failure) = state.withLock { ($0.isAllowed, $0.failure) }
        guard isAllowed else { return permission == nil ? .failed(refusal()) : .ready }
        return failure.map { .failed($0) } ?? storage.status
    }
}
