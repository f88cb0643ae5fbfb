import Synchronization
public import TacklineCore

/// A provider made of closures whose values can be set.
///
/// ```swift
/// let settings = WritableClosureProvider(
///     name: "settings",
///     value: { [weak settings] key in settings?.value(for: key.text) },
///     set: { [weak settings] value, key in try settings?.set(value, for: key.text) })
/// ```
///
/// The parts are those of ``ClosureProvider``, with `set` as another one.
public final class WritableClosureProvider: WritableFlagProvider {
    private struct Writes {
        var running = 0
        var begun = 0
    }

    private let base: ClosureProvider
    private let set: @Sendable (EncodedFlagValue?, FlagKeyPath) throws -> Void
    private let writes = Mutex(Writes())

    /// Creates a provider. No closure is called before the provider is used.
    ///
    /// - Parameters:
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - traits: ``/TacklineCore/FlagProviderTraits/live`` if the values come from elsewhere while the program runs.
    ///   - value: Returns the current value for a key, or `nil` if the source has none.
    ///   - set: Sets a value, or removes it if it is `nil`. If it throws, it must have changed nothing.
    ///   - observe: As for ``ClosureProvider``. The closure needn't report changes that `set` makes.
    ///   - announcesChanges: Whether the app calls ``valuesDidChange()`` after each change that neither `observe` sees nor
    ///     `set` makes.
    ///   - status: Returns the current health of the source.
    public init(
        name: String = "WritableClosureProvider", traits: FlagProviderTraits = [],
        value: @escaping @Sendable (FlagKeyPath) -> EncodedFlagValue?,
        set: @escaping @Sendable (_ value: EncodedFlagValue?, _ key: FlagKeyPath) throws -> Void,
        observe: (@Sendable (_ changed: @escaping @Sendable () -> Void) -> @Sendable () -> Void)? = nil,
        announcesChanges: Bool = false,
        status: @escaping @Sendable () -> FlagProviderStatus = { .ready }
    ) {
        base = ClosureProvider(
            name: name, traits: traits, value: value, observe: observe, announcesChanges: announcesChanges,
            status: status)
        self.set = set
    }

    /// Its name in messages and explanations, and its id in a chain.
    public var name: String { base.name }

    /// The traits that were given.
    public var traits: FlagProviderTraits { base.traits }

    /// The health that the closure given as `status` returns.
    public var status: FlagProviderStatus { base.status }

    /// Returns the value of the source for a key, or `nil` if it has none.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { base.value(for: key) }

    /// Adds an observer, which is held weakly, and returns whether the provider announces changes.
    public func observe(_ observer: FlagProviderObserver) -> Bool { base.observe(observer) }

    /// Announces that the source has new values. See ``ClosureProvider/valuesDidChange()``.
    public func valuesDidChange() { base.valuesDidChange() }

    /// Calls the closure given as `set`, and announces the change.
    ///
    /// - Throws: The closure's error.
    public func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws {
        guard base.announcesChanges else { return try set(value, key) }
        // An unchanged value is not announced. Beside another write, the values before and after don't show whether
        // observers have seen another one meanwhile, so the change is announced in any case.
        let number = writes.withLock { writes in
            writes.running += 1
            writes.begun += 1
            return writes.running == 1 ? writes.begun : nil
        }
        let old = base.value(for: key)
        defer {
            let isUnchanged = base.value(for: key) == old
            let wasAlone = writes.withLock { writes in
                writes.running -= 1
                return writes.begun == number
            }
            if !isUnchanged || !wasAlone { base.valuesDidChange() }
        }
        try set(value, key)
    }
}
