public import TacklineCore

/// A provider made of closures, for values that are computed, kept in a source of the app, or managed by a vendor's SDK.
///
/// One closure returns the values, either one by one or all together. The other parts are optional:
///
/// ```swift
/// let debugging = ClosureProvider(name: "debugger") { key in
///     key == "secrets/debug_menu" ? .bool(isDebuggerAttached()) : nil
/// }
///
/// let settings = ClosureProvider(
///     name: "settings",
///     value: { key in store.text(for: key.text).map { .string($0) } },
///     observe: { changed in
///         let listener = store.addListener { changed() }
///         return { store.remove(listener) }
///     })
///
/// let vendor = ClosureProvider(
///     name: "vendor", traits: .live, values: { client.values.mapValues { .bool($0) } }, announcesChanges: true)
/// await client.fetch()
/// vendor.valuesDidChange()
/// ```
///
/// A provider with neither `observe` nor `announcesChanges` can't notify observers, so its flags are resolved at each
/// read. With one of them, a loader keeps values until the source calls `changed` or the app calls
/// ``valuesDidChange()``.
///
/// Closures are called from any thread and under no lock. They must not wait for input or output. For a source that can
/// be written to, use ``WritableClosureProvider``. For a value that depends on other flags of one collection, use the
/// flag's own `computed` closure.
public final class ClosureProvider: FlagProvider {
    /// Its name in messages and explanations, and its id in a chain.
    public let name: String
    /// The traits that were given. ``/TacklineCore/FlagProviderTraits/live`` is for values that come from elsewhere.
    public let traits: FlagProviderTraits

    /// Whether observers are notified of changes, so that loaders may keep values.
    let announcesChanges: Bool
    private let source: ObservedSource
    private let currentStatus: @Sendable () -> FlagProviderStatus

    /// Creates a provider that asks for values one by one. No closure is called before the provider is used.
    ///
    /// While a `value` closure reads a flag that leads back to the same key, it isn't called again for that key.
    ///
    /// - Parameters:
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - traits: ``/TacklineCore/FlagProviderTraits/live`` if the values come from elsewhere while the program runs.
    ///   - value: Returns the current value for a key, or `nil` if the source has none.
    ///   - observe: Begins to observe the source and returns a closure that ends it. It is called when the first
    ///     observer is added. It receives a closure to call after each change, from any thread, also before `observe`
    ///     has returned. The returned closure is called once, when the last observer or the provider is released. `nil`
    ///     if the source doesn't announce its changes.
    ///   - announcesChanges: Whether the app calls ``valuesDidChange()`` after each change that `observe` doesn't see.
    ///   - status: Returns the current health of the source.
    public init(
        name: String = "ClosureProvider",
        traits: FlagProviderTraits = [],
        value: @escaping @Sendable (FlagKeyPath) -> EncodedFlagValue?,
        observe: (@Sendable (_ changed: @escaping @Sendable () -> Void) -> @Sendable () -> Void)? = nil,
        announcesChanges: Bool = false,
        status: @escaping @Sendable () -> FlagProviderStatus = { .ready }
    ) {
        (self.name, self.traits, currentStatus) = (name, traits, status)
        self.announcesChanges = announcesChanges || observe != nil
        source = ObservedSource(name: name, reading: .oneByOne(value), register: observe)
    }

    /// Creates a provider that asks for all values together. No closure is called before the provider is used.
    ///
    /// If the provider announces changes, then as long as it has observers, as in the chain of a loader, `values` is
    /// called only at the beginning and after each change. Reads return the values of that moment, and only values that
    /// are different are announced. Otherwise each read calls `values`.
    ///
    /// - Parameters:
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - traits: ``/TacklineCore/FlagProviderTraits/live`` if the values come from elsewhere while the program runs.
    ///   - values: Returns all values of the source by key. Leave out keys that it doesn't know, even if it has an
    ///     answer for them such as `false`, because such a value would win over later providers. Changes that the source
    ///     announces from inside this closure are ignored.
    ///   - observe: Begins to observe the source and returns a closure that ends it. It is called when the first
    ///     observer is added. It receives a closure to call after each change, from any thread, also before `observe`
    ///     has returned. The returned closure is called once, when the last observer or the provider is released. `nil`
    ///     if the source doesn't announce its changes.
    ///   - announcesChanges: Whether the app calls ``valuesDidChange()`` after each change that `observe` doesn't see.
    ///   - status: Returns the current health of the source.
    public init(
        name: String = "ClosureProvider",
        traits: FlagProviderTraits = [],
        values: @escaping @Sendable () -> [String: EncodedFlagValue],
        observe: (@Sendable (_ changed: @escaping @Sendable () -> Void) -> @Sendable () -> Void)? = nil,
        announcesChanges: Bool = false,
        status: @escaping @Sendable () -> FlagProviderStatus = { .ready }
    ) {
        (self.name, self.traits, currentStatus) = (name, traits, status)
        self.announcesChanges = announcesChanges || observe != nil
        source = ObservedSource(name: name, reading: .together(values), register: observe)
    }

    /// Announces that the source has new values.
    ///
    /// Call it after a change that the closure given as `observe` doesn't see, such as a fetch by the app itself. When
    /// it returns, reads on this thread return the new values. Without an observer, and for a provider that is asked at
    /// each read, it does nothing. Safe from any thread.
    public func valuesDidChange() { if announcesChanges { source.valuesDidChange() } }

    /// Returns the value of the source for a key, or `nil` if it has none.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        source.value(for: key, readsFlags: !announcesChanges)
    }

    /// All values, or `nil` if the source is asked for them one by one.
    public var document: FlagDocument? { source.document }

    /// Adds an observer, which is held weakly, and returns whether the provider announces changes.
    public func observe(_ observer: FlagProviderObserver) -> Bool {
        if announcesChanges { source.add(observer) }
        return announcesChanges
    }

    /// The health that the closure given as `status` returns.
    public var status: FlagProviderStatus { currentStatus() }
}
