import Synchronization
public import TacklineCore

/// A provider made of closures, for values that are computed, kept in a source of the app, or managed by a vendor's SDK.
///
/// One closure returns the values, either one by one or all together:
///
/// ```swift
/// let debugging = ClosureProvider(name: "debugger") { key in
///     key == "secrets/debug_menu" ? .bool(isDebuggerAttached()) : nil
/// }
///
/// let vendor = ClosureProvider(
///     name: "vendor", traits: .live,
///     values: { client.values.mapValues { .bool($0) } },
///     observe: { changed in
///         let listener = client.addListener { changed() }
///         return { client.remove(listener) }
///     })
/// ```
///
/// | | with `observe` | without it |
/// |---|---|---|
/// | `value:` | kept by loaders until the source calls `changed` | asked at each read |
/// | `values:` | kept here until the source calls `changed` | kept here until the app calls ``valuesDidChange()`` |
///
/// Closures are called from any thread and under no lock, and must not wait for input or output. For a source that can
/// be written to, use ``WritableClosureProvider``.
public final class ClosureProvider: FlagProvider, FingerprintedProvider {
    /// Its name in messages and explanations, and its id in a chain.
    public let name: String
    /// The traits that were given. ``/TacklineCore/FlagProviderTraits/live`` is for values that come from elsewhere.
    public let traits: FlagProviderTraits

    private enum Source: Sendable {
        case oneByOne(@Sendable (FlagKeyPath) -> EncodedFlagValue?)
        case together(@Sendable () -> [String: EncodedFlagValue])
    }

    /// The provider whose closure the current thread is asking for all values.
    private static let loading = ThreadLocal<ClosureProvider>()

    private let source: Source
    let announcesChanges: Bool
    private let currentStatus: @Sendable () -> FlagProviderStatus
    private let end = Mutex<(@Sendable () -> Void)?>(nil)
    /// The observers, and the values if they are read together.
    private let store = FlagProviderStore()
    /// The number of loads that have begun, and that of the load whose values are in the store.
    private let begunLoads = Atomic<UInt64>(0)
    private let newestLoad = Atomic<UInt64>(0)
    private let fingerprinted = Mutex<(document: FlagDocument, fingerprint: UInt64?)?>(nil)

    /// Creates a provider that asks for values one by one.
    ///
    /// - Parameters:
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - traits: ``/TacklineCore/FlagProviderTraits/live`` if the values come from elsewhere while the program runs.
    ///   - value: Returns the current value for a key, or `nil` if the source has none. It may read flags if there is no
    ///     `observe`.
    ///   - observe: Begins to observe the source and returns a closure that ends it. It is called now, and its result
    ///     when the provider is released. It receives a closure to call after each change, from any thread. `nil` if the
    ///     source doesn't announce its changes.
    ///   - status: Returns the current health of the source.
    public convenience init(
        name: String = "ClosureProvider", traits: FlagProviderTraits = [],
        value: @escaping @Sendable (FlagKeyPath) -> EncodedFlagValue?,
        observe: (@Sendable (_ changed: @escaping @Sendable () -> Void) -> @Sendable () -> Void)? = nil,
        status: @escaping @Sendable () -> FlagProviderStatus = { .ready }
    ) {
        self.init(name, traits, .oneByOne(value), observe, status)
    }

    /// Creates a provider that asks for all values together, now and after each change. Only values that are different
    /// are announced.
    ///
    /// - Parameters:
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - traits: ``/TacklineCore/FlagProviderTraits/live`` if the values come from elsewhere while the program runs.
    ///   - values: Returns all values of the source by key. Leave out keys that it doesn't know, even if it has an
    ///     answer for them such as `false`, because such a value would win over later providers. A change that is
    ///     announced from inside this closure is ignored.
    ///   - observe: As for values one by one. `nil` if the app calls ``valuesDidChange()`` after each change.
    ///   - status: Returns the current health of the source.
    public convenience init(
        name: String = "ClosureProvider", traits: FlagProviderTraits = [],
        values: @escaping @Sendable () -> [String: EncodedFlagValue],
        observe: (@Sendable (_ changed: @escaping @Sendable () -> Void) -> @Sendable () -> Void)? = nil,
        status: @escaping @Sendable () -> FlagProviderStatus = { .ready }
    ) {
        self.init(name, traits, .together(values), observe, status)
    }

    private init(
        _ name: String, _ traits: FlagProviderTraits, _ source: Source,
        _ observe: (@Sendable (_ changed: @escaping @Sendable () -> Void) -> @Sendable () -> Void)?,
        _ status: @escaping @Sendable () -> FlagProviderStatus
    ) {
        (self.name, self.traits, self.source, currentStatus) = (name, traits, source, status)
        announcesChanges = if case .together = source { true } else { observe != nil }
        let end = observe?({ [weak self] in self?.valuesDidChange() })
        self.end.withLock { $0 = end }
        valuesDidChange()
    }

    deinit { end.withLock { $0 }?() }

    /// Announces that the source has new values.
    ///
    /// Call it after a change that the closure given as `observe` doesn't see, such as a fetch by the app itself. When
    /// it returns, reads on this thread return the new values. For a provider that is asked at each read it does
    /// nothing. Safe from any thread.
    public func valuesDidChange() {
        guard case .together(let values) = source else {
            if announcesChanges { store.announceReset() }
            return
        }
        if Self.loading.value === self { return }
        let number = begunLoads.add(1, ordering: .acquiringAndReleasing).newValue
        let new = FlagDocument(Self.loading.withValue(self) { values() })
        store.update { document in
            // A load that began later has asked for newer values.
            guard number > newestLoad.load(ordering: .relaxed) else { return }
            newestLoad.store(number, ordering: .relaxed)
            document = new
        } persist: { _ in
        }
    }

    /// Returns the value of the source for a key, or `nil` if it has none.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        if case .oneByOne(let value) = source { value(key) } else { store.value(for: key) }
    }

    /// All values, or `nil` if the source is asked for them one by one.
    public var document: FlagDocument? { if case .together = source { store.document } else { nil } }

    /// The fingerprint of all values, worked out once, or `nil` if there are none or they are asked for one by one.
    package var fingerprint: UInt64? {
        fingerprinted.withLock { [document] known in
            if known?.document != document { known = document.map { ($0, $0.fingerprint) } }
            return known?.fingerprint
        }
    }

    /// Adds an observer, which is held weakly, and returns whether the provider announces changes.
    public func observe(_ observer: FlagProviderObserver) -> Bool { announcesChanges && store.observe(observer) }

    /// The health that the closure given as `status` returns.
    public var status: FlagProviderStatus { currentStatus() }
}
