#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
import Synchronization
public import TacklineCore

// Foundation: `Date` is the moment at which an override ends.

extension FlagOverrides: WritableFlagProvider {
    /// Sets the override of a key for good, or removes it with `nil`.
    ///
    /// - Throws: `FlagError` where overrides are not allowed, and if the storage could not keep it. Nothing has changed then.
    public func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagError) {
        try setOverrides([(key, value.map { FlagOverride(key: key, value: $0) })])
    }

    /// Sets the override of a key until a moment.
    ///
    /// - Throws: `FlagError` where overrides are not allowed, and if the storage could not keep it. Nothing has changed then.
    public func setValue(
        _ value: EncodedFlagValue, for key: FlagKeyPath, expires: Date
    ) throws(FlagError) {
        try setOverrides([(key, FlagOverride(key: key, value: value, expires: expires))])
    }

    /// Sets the override of a flag until a moment.
    ///
    /// For one without an end, `flag.setValue(_:in:)` does.
    ///
    /// - Throws: `FlagError` where overrides are not allowed, if the flag has no loader, if its value has no neutral form or is
    ///   outside of the flag's bounds, and if the storage could not keep it. Nothing has changed then.
    public func setValue<Value: FlagValue>(
        _ value: Value, for flag: FlagHandle<Value>, expires: Date
    ) throws(FlagError) {
        guard let key = flag.keyPath else {
            throw FlagError(
                .rejected, provider: name, reason: "the flag has no loader, or its loader is gone",
                advice: "Keep the FlagsLoader while its flags are overridden")
        }
        let encoded: EncodedFlagValue
        do throws(FlagValueError) {
            encoded = try flag.encoded(value)
        } catch {
            throw FlagError(
                .unsupportedValue, provider: name, key: key, reason: "\(error)",
                advice: "Use a value within the flag's bounds that its type can encode")
        }
        try setValue(encoded, for: key, expires: expires)
    }

    /// Sets the overrides of several keys, or removes those that are `nil`, all at once or none.
    ///
    /// - Throws: `FlagError` where overrides are not allowed, if JSON can't hold one of them, and if the storage could not keep
    ///   them. Nothing has changed then.
    package func setOverrides(
        _ overrides: [(key: FlagKeyPath, override: FlagOverride?)]
    ) throws(FlagError) {
        for (_, override) in overrides { if let override { try throwIfUnwritable(override) } }
        try change { present in
            for (key, override) in overrides { present[FlagOverride.Name(key)] = override }
        }
    }

    /// Returns the override of a key that is in force, or `nil` if there is none.
    package func override(for key: FlagKeyPath) -> FlagOverride? {
        let now = now()
        return state.withLock { $0.overrides[FlagOverride.Name(key)] }.flatMap { $0.isExpired(at: now) ? nil : $0 }
    }

    /// Removes every override, including ones that can't be read, even where overrides are not allowed.
    ///
    /// - Throws: `FlagError` if the storage could not do it. Nothing has changed then.
    public func removeAll() throws(FlagError) {
        try writers.withLock { _ throws(FlagError) in
            try updateStorage { _ in nil }
            adopt([:])
        }
        schedule()
    }

    /// Removes what has expired by now.
    ///
    /// A timer does so by itself, at most an hour late if the system's time is set meanwhile. An app that was suspended can
    /// call it when it is active again.
    public func removeExpired() {
        guard state.withLock({ $0.isAllowed }) else { return }
        writers.withLock { _ in
            let now = now()
            let present = state.withLock { $0 }
            // What has expired may be in the storage alone: reading it passes that over.
            let kept = try? stored()
            let left = (kept ?? present.overrides).filter { !$0.value.isExpired(at: now) }
            adopt(left, failure: kept == nil ? present.failure : nil)
            guard let kept, left.count < kept.count else { return }
            // If it fails, the storage keeps what has expired, and the next reading of it passes that over again.
            try? updateStorage { [reader] value throws(FlagError) in
                let old = try reader.overrides(in: value)
                let new = old.filter { !$0.value.isExpired(at: now) }
                return new.count == old.count ? value : Self.encoded(new)
            }
        }
        schedule()
    }

    /// Throws if JSON can't hold an override, so that no bundle could have it.
    private func throwIfUnwritable(_ override: FlagOverride) throws(FlagError) {
        if case .unparsed = override.value {
            throw FlagError(
                .unsupportedValue, provider: name, key: override.key, value: override.value,
                reason: "a text without a type cannot be kept",
                advice: "Write it through the flag, which gives it its type")
        }
        do throws(FlagValueError) {
            _ = try FlagJSONWriter().bytes(of: FlagOverrideBundle([override]).encoded)
        } catch {
            throw FlagError(
                .unsupportedValue, provider: name, key: override.key, value: override.value, reason: "\(error)",
                advice: "Use a value and a date that JSON can hold")
        }
    }
}

extension FlagOverrides {
    /// The error of a write where overrides are not allowed.
    func refusal() -> FlagError {
        let (reason, advice) =
            permission == nil
            ? (
                "environment \"\(environment)\" takes no overrides",
                "Use it outside of production, or decide with isAllowed"
            )
            : (
                "overrides are not allowed now, because isAllowed returned false",
                "Let isAllowed return true for those who may override flags"
            )
        return FlagError(.overridesRefused, provider: name, reason: reason, advice: advice)
    }

    /// - Throws: `FlagError` where overrides are not allowed.
    func throwIfNotAllowed() throws(FlagError) {
        guard updatePermission() else { throw refusal() }
    }

    /// Changes the overrides in the storage and then in force.
    ///
    /// - Parameter change: The change. A storage may make it again on the overrides that others have written meanwhile.
    func change(
        _ change: @escaping @Sendable (inout [FlagOverride.Name: FlagOverride]) -> Void
    ) throws(FlagError) {
        try throwIfNotAllowed()
        try writers.withLock { _ throws(FlagError) in
            // The permission may have ended before the lock was taken.
            guard state.withLock({ $0.isAllowed }) else { throw refusal() }
            let now = now()
            try updateStorage { [reader] value throws(FlagError) in
                let old = try reader.overrides(in: value)
                var new = old.filter { !$0.value.isExpired(at: now) }
                change(&new)
                return new == old ? value : Self.encoded(new)
            }
            adopt(try stored().filter { !$0.value.isExpired(at: now) })
        }
        schedule()
    }

    /// Puts the storage's overrides in force.
    func reload() {
        writers.withLock { _ in adoptStored() }
        schedule()
    }

    /// Puts the storage's overrides in force, or none where they are not allowed. Call it only while holding ``writers``.
    func adoptStored() {
        guard state.withLock({ $0.isAllowed }) else { return adopt([:]) }
        do throws(FlagError) {
            let now = now()
            adopt(try stored().filter { !$0.value.isExpired(at: now) })
        } catch {
            adopt([:], failure: error)
        }
    }

    private static func encoded(_ overrides: [FlagOverride.Name: FlagOverride]) -> EncodedFlagValue? {
        overrides.isEmpty ? nil : FlagOverrideBundle(Array(overrides.values)).encoded
    }

    /// Returns the storage's overrides, expired ones included.
    ///
    /// - Throws: `FlagError` if that is not overrides. Only ``removeAll()`` overwrites it.
    private func stored() throws(FlagError) -> [FlagOverride.Name: FlagOverride] {
        try reader.overrides(in: storage.value(for: Self.storageKey))
    }

    private var reader: OverridesReader { OverridesReader(provider: name, storage: storage.name) }

    /// Puts overrides in force. Call it only while holding ``writers``.
    private func adopt(_ overrides: [FlagOverride.Name: FlagOverride], failure: FlagError? = nil) {
        let nextExpiry = overrides.values.compactMap(\.expires).min()
        let document = FlagDocument(overrides.values)
        let old = state.withLock { state in
            defer {
                state.overrides = overrides
                state.document = document
                state.nextExpiry = nextExpiry
                state.failure = failure
            }
            return state
        }
        // Released outside of the lock, since a read takes it.
        withExtendedLifetime(old) {}
        store.replaceDocument(with: document)
    }

    /// Sets the timer for the next expiry.
    func schedule() {
        // The clock is read before the time, so that what passes in between doesn't delay the timer.
        let sleep = startSleep()
        let task = state.withLock { $0.nextExpiry }.map { next in
            // Not more than an hour at once, since the system's time may be set meanwhile.
            let seconds = next.timeIntervalSince(now())
            let wait = Duration.seconds(seconds.isFinite ? min(max(seconds, 0), 3600) : 3600)
            return Task { [weak self] in
                guard (try? await sleep(wait)) != nil else { return }
                self?.timerWentOff()
            }
        }
        timer.withLock { timer in
            timer?.cancel()
            timer = task
        }
    }

    /// Returns a closure that begins a sleep. The sleep counts from that call, not from the time when the task runs.
    static func startSleep<C: Clock>(
        by clock: C
    ) -> @Sendable () -> (@Sendable (Duration) async throws -> Void) where C.Duration == Duration {
        return {
            let start = clock.now
            return { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
        }
    }

    private func timerWentOff() {
        let now = now()
        let isDue = state.withLock { state in state.nextExpiry.map { $0 <= now } ?? false }
        if isDue { removeExpired() } else { schedule() }
    }
}

/// A reader of the value that holds all overrides.
private struct OverridesReader: Sendable {
    let provider: String
    let storage: String

    func overrides(
        in value: EncodedFlagValue?
    ) throws(FlagError) -> [FlagOverride.Name: FlagOverride] {
        guard let value, value != .null else { return [:] }
        do throws(FlagValueError) {
            let bundle = try FlagOverrideBundle(encoded: value)
            return Dictionary(bundle.overrides.map { (FlagOverride.Name($0.key), $0) }) { $1 }
        } catch {
            throw FlagError(
                .unreadable, provider: provider,
                reason:
                    "provider \"\(storage)\" holds no readable overrides at \"\(FlagOverrides.storageKey)\": \(error)",
                advice: "Correct them there, or discard them with removeAll()")
        }
    }
}

extension FlagError.Code {
    /// A write of overrides where they are not allowed, such as in production.
    public static let overridesRefused: FlagError.Code = "overrides-refused"
}
