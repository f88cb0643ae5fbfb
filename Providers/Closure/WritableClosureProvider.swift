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
    private let base: ClosureProvider
    private let set: @Sendable (EncodedFlagValue?, FlagKeyPath) throws -> Void
    /// The numbers of writes that have begun and ended.
    private let begun = Atomic<Int>(0)
    private let ended = Atomic<Int>(0)

    /// Creates a provider that asks for values one by one.
    ///
    /// - Parameters:
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - traits: ``/TacklineCore/FlagProviderTraits/live`` if the values come from elsewhere while the program runs.
    ///   - value: Returns the current value for a key, or `nil` if the source has none.
    ///   - set: Sets a value, or removes it if it is `nil`. If it throws, it must have changed nothing.
    ///   - observe: As for ``ClosureProvider``. The closure needn't report changes that `set` makes.
    ///   - status: Returns the current health of the source.
    public init(
        name: String = "WritableClosureProvider", traits: FlagProviderTraits = [],
        value: @escaping @Sendable (FlagKeyPath) -> EncodedFlagValue?,
        set: @escaping @Sendable (_ value: EncodedFlagValue?, _ key: FlagKeyPath) throws -> Void,
        observe: (@Sendable (_ changed: @escaping @Sendable () -> Void) -> @Sendable () -> Void)? = nil,
        status: @escaping @Sendable () -> FlagProviderStatus = { .ready }
    ) {
        base = ClosureProvider(name: name, traits: traits, value: value, observe: observe, status: status)
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

    /// Calls the closure given as `set`, and announces the change.
    ///
    /// - Throws: The closure's error.
    public func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws {
        let number = begun.add(1, ordering: .acquiringAndReleasing).newValue
        let isFirst = ended.load(ordering: .acquiring) == number - 1
        defer { ended.add(1, ordering: .acquiringAndReleasing) }
        let old = base.value(for: key)
        try set(value, key)
        // Beside another write, equal values before and after don't show that observers saw no other one in between.
        let isAlone = isFirst && begun.load(ordering: .acquiring) == number
        if !isAlone || base.value(for: key) != old { base.valuesDidChange() }
    }
}
