#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
import Synchronization
import TacklineComposition
public import TacklineCore
import TacklineFormats

// Foundation: `Date` is the moment at which an override ends.

extension FlagOverrides: WritableFlagProvider {
    /// Sets the override of a key for good, or removes it with `nil`.
    ///
    /// - Throws: `FlagProviderError` in production, and if the storage could not keep it. Nothing has changed then.
    public func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagProviderError) {
        try setValue(value, for: key, durability: .stored)
    }

    /// Sets the override of a key for good, or removes it if it is `nil`, with the durability that the storage provides.
    ///
    /// - Throws: `FlagProviderError` in production, and if the storage could not keep it. Nothing has changed then.
    public func setValue(
        _ value: EncodedFlagValue?, for key: FlagKeyPath, durability: FlagWriteDurability
    ) throws(FlagProviderError) {
        try change(durability) { overrides throws(FlagProviderError) in
            overrides[FlagOverride.Name(key)] = try value.map { value throws(FlagProviderError) in
                try checked(FlagOverride(key: key, value: value))
            }
        }
    }

    /// Sets the override of a key until a moment.
    ///
    /// - Throws: `FlagProviderError` in production, and if the storage could not keep it. Nothing has changed then.
    public func setValue(
        _ value: EncodedFlagValue, for key: FlagKeyPath, expires: Date, durability: FlagWriteDurability = .stored
    ) throws(FlagProviderError) {
        try change(durability) { overrides throws(FlagProviderError) in
            overrides[FlagOverride.Name(key)] = try checked(FlagOverride(key: key, value: value, expires: expires))
        }
    }

    /// Sets the override of a flag until a moment.
    ///
    /// For one without an end, `flag.setValue(_:providers:)` does.
    ///
    /// - Throws: `FlagProviderError` in production, if the flag has no loader or its value no neutral form, and if the
    ///   storage could not keep it. Nothing has changed then.
    public func setValue<Value: FlagValue>(
        _ value: Value, for flag: FlagHandle<Value>, expires: Date, durability: FlagWriteDurability = .stored
    ) throws(FlagProviderError) {
        guard let key = flag.keyPath else {
            throw FlagProviderError(
                .rejected, provider: name, reason: "the flag has no loader, or its loader is gone",
                advice: "Keep the FlagsLoader while its flags are overridden")
        }
        let encoded: EncodedFlagValue
        do throws(FlagValueError) {
            encoded = try value.encoded
        } catch {
            throw FlagProviderError(.unsupportedValue, provider: name, key: key, reason: "\(error)")
        }
        try setValue(encoded, for: key, expires: expires, durability: durability)
    }

    /// Removes every override, also ones that cannot be read. Production allows it.
    ///
    /// - Parameter durability: The time at which the removal is safe from a crash of the program.
    /// - Throws: `FlagProviderError` if the storage could not do it. Nothing has changed then.
    public func removeAll(durability: FlagWriteDurability = .stored) throws(FlagProviderError) {
        try writers.withLock { _ throws(FlagProviderError) in
            try storage.setValue(nil, for: Self.storageKey, durability: durability)
            adopt([:])
        }
        schedule()
    }

    /// Removes what has expired by now.
    ///
    /// It happens by itself when the timer goes off, at the latest an hour late if somebody sets the system's time. An
    /// app that was suspended can call it when it comes back.
    public func removeExpired() {
        guard refusal == nil else { return }
        writers.withLock { _ in
            let now = now()
            let present = state.withLock { $0 }
            // What has expired may be in the storage alone: reading it passes that over.
            let kept = try? stored()
            let left = (kept ?? present.overrides).filter { !$0.value.isExpired(at: now) }
            adopt(left, failure: kept == nil ? present.failure : nil)
            guard let kept, left.count < kept.count else { return }
            // If it fails, the storage keeps what has expired, and the next reading of it passes that over again.
            try? storage.setValue(encoded(left), for: Self.storageKey)
        }
        schedule()
    }

    /// What JSON can hold and gives back; the bundle has to take it.
    private func checked(_ override: FlagOverride) throws(FlagProviderError) -> FlagOverride {
        if case .unparsed = override.value {
            throw FlagProviderError(
                .unsupportedValue, provider: name, key: override.key, value: override.value,
                reason: "a text without a type cannot be kept",
                advice: "Write it through the flag, which gives it its type")
        }
        do throws(FlagValueError) {
            _ = try FlagJSONWriter().bytes(of: FlagOverrideBundle([override]).encoded)
        } catch {
            throw FlagProviderError(
                .unsupportedValue, provider: name, key: override.key, value: override.value, reason: "\(error)",
                advice: "Use a value and a date that JSON can hold")
        }
        return override
    }
}

extension FlagOverrides {
    /// Why nothing is taken here, or `nil`.
    var refusal: FlagProviderError? {
        guard !environment.admitsOverrides else { return nil }
        return FlagProviderError(
            .overridesRefused, provider: name, reason: "environment \"\(environment)\" takes no overrides",
            advice: "Use it outside of production only")
    }

    /// Changes the overrides in the storage and then in force.
    func change(
        _ durability: FlagWriteDurability = .stored,
        _ body: (inout [FlagOverride.Name: FlagOverride]) throws(FlagProviderError) -> Void
    ) throws(FlagProviderError) {
        if let refusal { throw refusal }
        try writers.withLock { _ throws(FlagProviderError) in
            let old = try stored()
            let now = now()
            var new = old.filter { !$0.value.isExpired(at: now) }
            try body(&new)
            if new != old { try storage.setValue(encoded(new), for: Self.storageKey, durability: durability) }
            adopt(new.filter { !$0.value.isExpired(at: now) })
        }
        schedule()
    }

    /// Takes over what the storage holds.
    func reload() {
        writers.withLock { _ in
            do throws(FlagProviderError) {
                let now = now()
                adopt(try stored().filter { !$0.value.isExpired(at: now) })
            } catch {
                adopt([:], failure: error)
            }
        }
        schedule()
    }

    private func encoded(_ overrides: [FlagOverride.Name: FlagOverride]) -> EncodedFlagValue? {
        // Not `isEmpty ? nil : …`, in which `nil` would be the value `null`.
        guard !overrides.isEmpty else { return Optional.none }
        return FlagOverrideBundle(Array(overrides.values)).encoded
    }

    /// What the storage holds.
    ///
    /// - Throws: `FlagProviderError` if that is not overrides. It is never overwritten but by ``removeAll()``.
    private func stored() throws(FlagProviderError) -> [FlagOverride.Name: FlagOverride] {
        guard let value = storage.value(for: Self.storageKey), value != .null else { return [:] }
        do throws(FlagValueError) {
            let bundle = try FlagOverrideBundle(encoded: value)
            return Dictionary(bundle.overrides.map { (FlagOverride.Name($0.key), $0) }) { $1 }
        } catch {
            throw FlagProviderError(
                .unreadable, provider: name,
                reason: "provider \"\(storage.name)\" holds no readable overrides at \"\(Self.storageKey)\": \(error)",
                advice: "Correct them there, or discard them with removeAll()")
        }
    }

    /// Puts overrides in force. Call it only while holding ``writers``.
    private func adopt(_ overrides: [FlagOverride.Name: FlagOverride], failure: FlagProviderError? = nil) {
        let new = State(
            overrides: overrides, nextExpiry: overrides.values.compactMap(\.expires).min(), failure: failure)
        let old = state.withLock { state in
            defer { state = new }
            return state
        }
        // Released here, since a read takes the lock.
        withExtendedLifetime(old) {}
        store.replaceDocument(with: FlagDocument(overrides.values))
    }

    /// Sets the timer for the next expiry.
    private func schedule() {
        // By the clock as it was before the look at the time: what passes meanwhile makes nobody wait longer.
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

    /// Returns what begins a sleep: its end counts from then, whenever the task that sleeps gets to run.
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

extension FlagProviderError.Code {
    /// Overrides are not taken in production.
    public static let overridesRefused: FlagProviderError.Code = "overrides-refused"
}
