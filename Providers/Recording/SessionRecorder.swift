import Synchronization
public import TacklineCore

/// Records what providers say in a session of an app.
///
/// ```swift
/// let recorder = SessionRecorder()
/// let remote = recorder.recording(RemoteJSONProvider(url: url))
/// let flags = FlagsLoader(AppFlags.self, providers: [overrides, remote])
/// try recorder.session.json().write(to: file)          // when somebody reports a fault
/// ```
///
/// Each answer is kept that differs from the one before to the same question. Flags keep their values, so that is the first time
/// and after changes; a read costs nothing more. Nothing is written by itself. Values may be private: ask before you send them.
public final class SessionRecorder: Sendable {
    private struct State {
        var recording = SessionRecording()
        /// The last answers, by provider.
        var last: [String: [FlagKeyPath: EncodedFlagValue?]] = [:]
    }

    private let maximumSteps: Int
    private let elapsed: @Sendable () -> Duration
    private let state = Mutex(State())

    /// Begins a recording.
    ///
    /// - Parameters:
    ///   - maximumSteps: How many answers are kept; those after them are not.
    ///   - clock: Says when.
    public init(maximumSteps: Int = 10_000, clock: some Clock<Duration> = ContinuousClock()) {
        self.maximumSteps = maximumSteps
        let start = clock.now
        elapsed = { start.duration(to: clock.now) }
    }

    /// What was recorded so far.
    public var session: SessionRecording { state.withLock { $0.recording } }

    /// Makes a provider whose answers are recorded, to be put into chains in place of the provider itself.
    public func recording<Base: FlagProvider>(_ provider: Base) -> RecordedProvider<Base> {
        let name = state.withLock { state in
            var name = provider.name
            while state.recording.providers.contains(name) { name += "'" }
            state.recording.providers.append(name)
            return name
        }
        return RecordedProvider(provider, under: name, in: self)
    }

    func note(_ value: EncodedFlagValue?, for key: FlagKeyPath, of provider: String) {
        let now = elapsed()
        state.withLock { state in
            if let last = state.last[provider]?[key], last == value { return }
            guard state.recording.steps.count < maximumSteps else {
                state.recording.isCut = true
                return
            }
            state.last[provider, default: [:]][key] = .some(value)
            // Two threads may come in another order than they looked at the clock.
            let at = max(now, state.recording.steps.last?.at ?? .zero)
            state.recording.steps.append(.init(at: at, provider: provider, key: key, value: value))
        }
    }
}

/// A provider whose answers are recorded by a ``SessionRecorder``.
public final class RecordedProvider<Base: FlagProvider>: FlagProvider {
    /// The provider that is asked.
    public let base: Base
    private let key: String
    private let recorder: SessionRecorder

    init(_ base: Base, under key: String, in recorder: SessionRecorder) {
        self.base = base
        self.key = key
        self.recorder = recorder
    }

    /// That of the provider.
    public var name: String { base.name }

    /// That of the provider.
    public var status: FlagProviderStatus { base.status }

    /// The provider's value, which is recorded if it is another one than before.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        let value = base.value(for: key)
        recorder.note(value, for: key, of: self.key)
        return value
    }

    /// Returns the value and the details of the provider.
    public func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue { base.detailedValue(for: key) }

    /// Adds an observer of the provider.
    public func observe(_ observer: FlagProviderObserver) -> Bool { base.observe(observer) }

    /// The provider that is asked.
    public var wrappedProviders: [any FlagProvider] { [base] }
}

extension RecordedProvider: WritableFlagProvider where Base: WritableFlagProvider {
    /// Sets a value of the provider.
    public func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagProviderError) {
        try base.setValue(value, for: key)
    }

    /// Sets a value of the provider, with the given durability.
    public func setValue(
        _ value: EncodedFlagValue?, for key: FlagKeyPath, durability: FlagWriteDurability
    ) throws(FlagProviderError) {
        try base.setValue(value, for: key, durability: durability)
    }
}
