/// A source of flag values: a file, a server, memory, closures, or anything that you write.
///
/// A provider is cheap to make and making it does not fail; what can fail happens later and shows in ``status``.
/// ``FlagProviderStore`` does the bookkeeping of values and observers, so that a provider is often a few lines:
///
/// ```swift
/// struct Overrides: WritableFlagProvider {
///     let name = "overrides"
///     private let store = FlagProviderStore()
///
///     func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
///     func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
///     func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) { store.setValue(value, for: key) }
/// }
/// ```
///
/// What a loader expects beyond the types: a change is announced while the lock is held under which it was made, so
/// that notices come in the order of the changes; an unchanged value announces nothing; and no read waits for a slow
/// write. The conformance suite in `TacklineTesting` checks all of it.
public protocol FlagProvider: Sendable {
    /// The name under which people know the provider. By default the type's name.
    ///
    /// It becomes the provider's id in a chain, with a number behind it if another one has taken it.
    var name: String { get }

    /// Returns the value that this provider holds, or `nil` where it has no opinion.
    ///
    /// Called from any thread, also while a flag is being read. It must not wait for input or output. A provider that
    /// tells changes answers from what it keeps and reads no flag here; one that cannot tell changes may, and is not
    /// asked again for a key that it is just answering for.
    func value(for key: FlagKeyPath) -> EncodedFlagValue?

    /// Takes an observer which is told every later change.
    ///
    /// The provider holds the observer weakly. ``FlagProviderStore/observe(_:)`` does.
    ///
    /// - Returns: `false`, the default, if the provider cannot tell changes. Flags that it was asked for are then
    ///   resolved anew at each read, which costs what the provider's ``value(for:)`` costs.
    func observe(_ observer: FlagProviderObserver) -> Bool

    /// How the provider is doing. By default ``FlagProviderStatus/ready``.
    ///
    /// It is information for people and ``FlagExplanation``; resolution goes by ``value(for:)`` alone.
    var status: FlagProviderStatus { get }
}

extension FlagProvider {
    /// The type's name.
    public var name: String { String(describing: Self.self) }

    /// Cannot tell changes.
    public func observe(_ observer: FlagProviderObserver) -> Bool { false }

    /// Always ready.
    public var status: FlagProviderStatus { .ready }

    /// Returns the value at a path given as text, or `nil` where the provider has no opinion.
    ///
    /// - Parameters:
    ///   - path: The names from the root, joined by `separator`: `"secrets/boom_feature"`.
    ///   - separator: The loader's `pathSeparator`.
    public func value(at path: String, separator: String = FlagKeyPath.defaultSeparator) -> EncodedFlagValue? {
        value(for: FlagKeyPath(path, separator: separator))
    }
}
