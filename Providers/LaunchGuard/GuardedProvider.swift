import Synchronization
public import TacklineCore

/// A provider with the values of another one, except for those that a ``LaunchGuard`` holds back.
///
/// It answers from a copy, which is replaced when the guard has remembered the new values. While values are held back its status
/// says so, which explanations and flag browsers show.
public final class GuardedProvider<Base: FlagProvider>: FlagProvider {
    /// The provider that is guarded.
    public let base: Base
    private let key: String
    private let launches: LaunchGuard
    private let store = FlagProviderStore()
    private let observer: FlagProviderObserver
    /// Whether the provider has a document. Values without one can't be held back, so they are passed on.
    private let hasDocument: Bool

    private struct State {
        /// What the provider had last.
        var taken: FlagDocument?
        var isHolding = false
    }

    /// Held while values are taken over, so one after the other.
    private let state = Mutex(State())

    init(_ base: Base, under key: String, by launches: LaunchGuard) {
        self.base = base
        self.key = key
        self.launches = launches
        let (observer, notices) = FlagProviderObserver.makeStream()
        self.observer = observer
        hasDocument = base.document != nil
        _ = base.observe(observer)
        take()
        Task { [weak self] in
            for await notice in notices {
                guard let self else { return }
                self.take(isOtherSubject: notice == .subjectChanged)
            }
        }
    }

    /// Takes over what the provider has now.
    ///
    /// - Parameter isOtherSubject: Whether they were made for another user or another context.
    private func take(isOtherSubject: Bool = false) {
        var old: FlagDocument?
        defer { withExtendedLifetime(old) {} }
        state.withLock { state in
            // Looked at under the lock, or an older document could come after a newer one.
            guard let document = base.document else { return }
            guard state.taken != document else {
                if isOtherSubject { store.announceSubjectChange() }
                return
            }
            old = state.taken
            state.taken = document
            let (shown, isHeld) = launches.admit(document, of: key)
            state.isHolding = isHeld
            if let shown {
                store.replaceDocument(with: shown, isOtherSubject: isOtherSubject)
            } else if isOtherSubject {
                store.announceSubjectChange()
            }
        }
    }

    /// The name of the provider that is guarded.
    public var name: String { base.name }

    /// That of the provider, or that values are held back.
    public var status: FlagProviderStatus {
        guard state.withLock({ $0.isHolding }) else { return base.status }
        let advice = "Correct them: other values are taken when they come"
        return .failed(
            FlagProviderError(
                "quarantined", provider: name,
                reason: "the app died again and again soon after its start under its values, so they are held back",
                advice: advice))
    }

    /// The value in force.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        hasDocument ? store.value(for: key) : base.value(for: key)
    }

    /// Returns the value in force, with the details of the provider if it is the provider's value too.
    public func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue {
        let answer = base.detailedValue(for: key)
        guard hasDocument else { return answer }
        let value = store.value(for: key)
        return answer.value == value ? answer : DetailedFlagValue(value: value)
    }

    /// All values in force, or `nil` if the provider has no document.
    public var document: FlagDocument? { hasDocument ? store.document : nil }

    /// Adds an observer, which is held weakly, of the values in force.
    public func observe(_ observer: FlagProviderObserver) -> Bool {
        hasDocument ? store.observe(observer) : base.observe(observer)
    }

    /// The provider that is guarded.
    public var wrappedProviders: [any FlagProvider] { [base] }
}

extension GuardedProvider: WritableFlagProvider where Base: WritableFlagProvider {
    /// Sets a value of the provider, which is in force when this returns, and waits for the file of the guard.
    public func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagProviderError) {
        try base.setValue(value, for: key)
        take()
    }

    /// Sets a value of the provider, which is in force when this returns, with the given durability.
    public func setValue(
        _ value: EncodedFlagValue?, for key: FlagKeyPath, durability: FlagWriteDurability
    ) throws(FlagProviderError) {
        try base.setValue(value, for: key, durability: durability)
        take()
    }
}
