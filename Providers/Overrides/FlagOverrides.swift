public import TacklineFoundation
import Synchronization
public import TacklineCore

/// Values that people set on their own device, kept in a storage of their own.
///
/// ```swift
/// let overrides = FlagOverrides(file: .applicationSupportDirectory.appending(path: "overrides.json"))
/// let flags = FlagsLoader(AppFlags.self, providers: [overrides, remote])
///
/// try overrides.setValue(true, for: flags.$newCheckout, expires: .now + 3600)
/// ```
///
/// A change is in force when the call returns, and after a relaunch as long as the storage keeps it. An override has no
/// effect from the moment at which it ends. A timer notifies observers then.
///
/// In production (``/TacklineCore/DeploymentEnvironment``) there are no overrides: loaders leave the provider out of
/// their chains, it has no values, and writes throw. With `isAllowed: { session.isEmployee }` the closure decides at run
/// time, in every environment: loaders keep the provider in their chains, and the flag browser and the web console go by
/// ``isAllowed``. Use the provider from any thread.
public final class FlagOverrides: WritableFlagProvider, FingerprintedProvider {
    /// The trait of an override, which with a closure `isAllowed` stays in production's chains all the same.
    public let traits: FlagProviderTraits
    /// The name in messages and explanations, and the id in a chain.
    public let name: String
    /// The key under which the storage keeps the overrides. All of them are one object, so each change is one write.
    public static let storageKey = FlagKeyPath(components: ["tackline-overrides"])

    /// A change of the value that holds all overrides. A storage may make it again later.
    package typealias StorageChange = @Sendable (_ old: EncodedFlagValue?) throws(FlagError) -> EncodedFlagValue?

    private let storage: any WritableFlagProvider
    private let updateStorage: (@Sendable (@escaping StorageChange) throws(FlagError) -> Void)?
    private let storageObserver: FlagProviderObserver
    private let environment: DeploymentEnvironment
    /// The closure of the app that decides, or `nil` if the environment does.
    private let permission: (@Sendable () -> Bool)?
    private let permissionCalls = Atomic<UInt64>(0)
    let now: @Sendable () -> Date
    private let clock: any Clock<Duration>
    private let timer = Mutex<Task<Void, Never>?>(nil)
    private let store = FlagProviderStore()
    private let state = Mutex(State())
    /// Held during a whole change, so that the storage and the overrides in force agree.
    private let writers = Mutex<Void>(())

    private struct State {
        /// The overrides in force, by the text of their key. Some may have ended meanwhile.
        var entries: [String: Entry] = [:]
        /// The error of a storage whose overrides can't be read.
        var failure: FlagError?
        /// Whether overrides are in force, and the number of the call that decided it: of two, the later one counts.
        var isAllowed = false
        var decision: UInt64 = 0
    }

    /// Creates a provider with the overrides that a storage holds.
    ///
    /// - Parameters:
    ///   - name: The name in messages and explanations, and the id in a chain.
    ///   - storage: Keeps the overrides, such as memory for overrides that end with the process. It may hold other values as
    ///     well, and need not be in a chain. Changes that others make to it are followed if it notifies observers.
    ///   - environment: The environment that decides whether there are overrides. Give the loaders the same.
    ///   - isAllowed: Decides in place of the environment. It is called from any thread, but not when a flag is read.
    public convenience init(
        name: String = "overrides", storage: any WritableFlagProvider, environment: DeploymentEnvironment = .detected,
        isAllowed: (@Sendable () -> Bool)? = nil
    ) {
        self.init(name: name, storage: storage, environment: environment, isAllowed: isAllowed, now: { Date() })
    }

    /// - Parameter updateStorage: Changes the value in the storage, while other processes wait; `nil` if there are none.
    package init(
        name: String = "overrides", storage: any WritableFlagProvider, environment: DeploymentEnvironment,
        isAllowed: (@Sendable () -> Bool)? = nil, now: @escaping @Sendable () -> Date,
        clock: any Clock<Duration> = ContinuousClock(),
        updateStorage: (@Sendable (@escaping StorageChange) throws(FlagError) -> Void)? = nil
    ) {
        (self.name, self.storage, self.environment) = (name, storage, environment)
        (permission, self.clock, self.now, self.updateStorage) = (isAllowed, clock, now, updateStorage)
        traits = isAllowed == nil ? .override : .overridesPins
        let (observer, notices) = FlagProviderObserver.makeStream()
        storageObserver = observer
        guard isAllowed != nil || environment.admitsOverrides else { return }
        _ = storage.observe(observer)
        Task { [weak self] in
            // It reads the storage again.
            for await _ in notices { self?.removeExpired() }
        }
        state.withLock { $0.isAllowed = isAllowed == nil }
        updatePermission()
        removeExpired()
    }

    deinit { timer.withLock { $0?.cancel() } }

    /// The overrides that have not ended, by key.
    public var overrides: [Entry] { FlagOverrideBundle(present).overrides }

    /// The values in force, by flat key.
    public var document: FlagDocument? {
        FlagDocument(present.reduce(into: [:]) { root, entry in root[entry.key.text] = entry.value })
    }

    var present: [Entry] { state.withLock { $0.entries }.values.filter { !$0.hasEnded(at: now()) } }

    /// Returns the value of the override of a key, or `nil` if there is none that has not ended.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        // An override of a group has the values of its flags.
        let (own, group) = state.withLock { ($0.entries[key.text], $0.entries[key.components.first ?? ""]) }
        guard let entry = inForce(own) ?? inForce(group) else { return nil }
        return FlagDocument([entry.key.text: entry.value]).value(for: key)
    }

    /// Returns the override of a key that is in force, or `nil` if there is none.
    package func override(for key: FlagKeyPath) -> Entry? { inForce(state.withLock { $0.entries[key.text] }) }

    private func inForce(_ entry: Entry?) -> Entry? { entry.flatMap { $0.hasEnded(at: now()) ? nil : $0 } }

    /// The fingerprint of the values in force, or `nil` if there are none.
    package var fingerprint: UInt64? { document?.fingerprint }

    /// Adds an observer, held weakly, and returns `true`. It is notified of every change, including an end.
    public func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }

    /// The storage's status, or failed if its overrides can't be read or in production, unless `isAllowed` decides.
    public var status: FlagProviderStatus {
        let (isAllowed, failure) = state.withLock { ($0.isAllowed, $0.failure) }
        guard isAllowed else { return permission == nil ? .failed(refusal()) : .ready }
        return failure.map { .failed($0) } ?? storage.status
    }

    /// Whether overrides are allowed at present, as ``updatePermission()`` returns it. Use it to decide whether to show a menu.
    public var isAllowed: Bool { updatePermission() }

    /// Calls the closure `isAllowed` again, puts the stored overrides into force or out of it, and returns its answer.
    ///
    /// Call it when the answer may be another one: after signing in, and after signing out. Overrides that are not allowed
    /// stay in the storage. Without a closure the environment decides, once and for all.
    @discardableResult
    public func updatePermission() -> Bool {
        guard let permission else { return environment.admitsOverrides }
        let call = permissionCalls.add(1, ordering: .relaxed).newValue
        let answer = permission()
        return writers.withLock { _ in
            let old = state.withLock { $0.isAllowed }
            state.withLock { if $0.decision < call { ($0.decision, $0.isAllowed) = (call, answer) } }
            let new = state.withLock { $0.isAllowed }
            if new != old { reload() }
            return new
        }
    }

    func throwIfNotAllowed() throws(FlagError) { if !updatePermission() { throw refusal() } }

    private func refusal() -> FlagError {
        let reason =
            permission == nil ? "environment \"\(environment)\" takes no overrides" : "isAllowed returned false"
        return FlagError(
            .overridesRefused, provider: name, reason: reason,
            advice: "Use it outside of production, or let isAllowed return true for those who may override flags")
    }

    /// Sets the override of a flag, for good or until a moment.
    ///
    /// - Throws: `FlagError` where overrides are not allowed, if the flag has no loader, if the value is outside of its
    ///   bounds, if the end has passed, and if the storage can't keep it. Nothing has changed then.
    public func setValue<Value: FlagValue>(
        _ value: Value, for flag: FlagHandle<Value>, expires: Date? = nil
    ) throws(FlagError) {
        guard let key = flag.keyPath else {
            throw FlagError(.unboundFlag, "The flag has no loader. Keep the loader while its flags are overridden.")
        }
        let entry = try writing(key) { () throws(FlagValueError) in
            if let expires, expires <= now() { throw FlagValueError(expected: "an end to come", found: "a past one") }
            return Entry(key: key, value: try flag.encoded(value), expires: expires)
        }
        try setOverrides([(key, entry)])
    }

    /// Sets the override of a key for good, or removes it with `nil`.
    ///
    /// - Throws: `FlagError` where overrides are not allowed, and if the storage can't keep it. Nothing has changed then.
    public func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagError) {
        try setOverrides([(key, value.map { Entry(key: key, value: $0) })])
    }

    /// Sets the overrides of several keys, or removes those that are `nil`, all at once or none.
    package func setOverrides(_ changes: [(key: FlagKeyPath, override: Entry?)]) throws(FlagError) {
        for case let entry? in changes.map(\.override) {
            try writing(entry.key) { () throws(FlagValueError) in
                if case .unparsed = entry.value {
                    throw FlagValueError(expected: "a value with a type", found: entry.value)
                }
                _ = try FlagJSONWriter().bytes(of: FlagOverrideBundle([entry]).encoded)
            }
        }
        try change { entries in
            for (key, entry) in changes { entries[key.text] = entry }
        }
    }

    private func writing<Result>(
        _ key: FlagKeyPath, _ body: () throws(FlagValueError) -> Result
    ) throws(FlagError) -> Result {
        do throws(FlagValueError) { return try body() } catch {
            throw FlagError(
                .unsupportedValue, provider: name, key: key, reason: "\(error)",
                advice: "Use a value within the flag's bounds that JSON can hold, and an end to come")
        }
    }

    /// Removes every override, also where overrides are not allowed. Throws, with nothing changed, if the storage can't.
    public func removeAll() throws(FlagError) { try write(nil) }

    /// Notifies observers of overrides that have ended. The next write removes them from the storage.
    ///
    /// A timer calls it, at most an hour late if the system's time is set.
    public func removeExpired() { writers.withLock { _ in reload() } }

    func change(_ change: @escaping @Sendable (inout [String: Entry]) -> Void) throws(FlagError) {
        try throwIfNotAllowed()
        try write { [name, now = now()] value throws(FlagError) in
            var entries = try Self.entries(value, now, name)
            change(&entries)
            return entries.isEmpty ? nil : FlagOverrideBundle(Array(entries.values)).encoded
        }
    }

    /// Changes the overrides in the storage where they are allowed, or removes all of them if there is no change.
    private func write(_ change: StorageChange?) throws(FlagError) {
        try writers.withLock { _ throws(FlagError) in
            // The permission may have ended before the lock was taken.
            guard change == nil || state.withLock({ $0.isAllowed }) else { throw refusal() }
            let change = change ?? { _ in nil }
            do throws(FlagError) {
                if let updateStorage {
                    try updateStorage(change)
                } else {
                    try storage.write(try change(storage.value(for: Self.storageKey)), for: Self.storageKey)
                }
            } catch {
                // A storage that can't be read says so in the same words here and in its status.
                if case .failed(let failure) = storage.status, failure.code == error.code { throw failure }
                throw error
            }
            reload()
        }
    }

    /// Returns the overrides in the storage's value that have not ended.
    static func entries(_ value: EncodedFlagValue?, _ now: Date, _ name: String) throws(FlagError) -> [String: Entry] {
        guard let value else { return [:] }
        do throws(FlagValueError) {
            return try FlagOverrideBundle(encoded: value).overrides.reduce(into: [:]) { entries, entry in
                if !entry.hasEnded(at: now) { entries[entry.key.text] = entry }
            }
        } catch {
            throw FlagError(
                .unreadable, provider: name, reason: "the stored overrides can't be read: \(error)",
                advice: "Correct them in their storage, or discard them with removeAll()")
        }
    }

    /// Puts the storage's overrides in force, or none where they are not allowed, and sets the timer for the first end.
    /// Call it only while holding ``writers``.
    private func reload() {
        var (entries, failure): ([String: Entry], FlagError?) = ([:], nil)
        if state.withLock({ $0.isAllowed }) {
            let value = storage.value(for: Self.storageKey)
            do throws(FlagError) { entries = try Self.entries(value, now(), name) } catch { failure = error }
        }
        state.withLock { ($0.entries, $0.failure) = (entries, failure) }
        if let document { store.replaceDocument(with: document) }
        timer.withLock { timer in
            timer?.cancel()
            timer = entries.values.compactMap(\.expires).min().map { end in
                func time() -> Duration {
                    let seconds = end.timeIntervalSince(now())
                    return .seconds(seconds < 3600 ? max(seconds, 0) : 3600)
                }
                return clock.timer(after: time) { [weak self] in self?.removeExpired() }
            }
        }
    }
}

extension Clock<Duration> {
    /// Starts a task that calls a closure after a time. The clock is read before `time` is called and before the task runs, so
    /// the closure may be called too early, but never too late.
    fileprivate func timer(after time: () -> Duration, _ action: @escaping @Sendable () -> Void) -> Task<Void, Never> {
        let start = now
        let moment = start.advanced(by: time())
        return Task { if (try? await sleep(until: moment, tolerance: nil)) != nil { action() } }
    }
}

extension FlagError.Code {
    /// A write of overrides where they are not allowed, such as in production.
    public static let overridesRefused: FlagError.Code = "overrides-refused"
}
