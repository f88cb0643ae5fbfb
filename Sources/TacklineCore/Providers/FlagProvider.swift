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

/// A provider whose values can be set.
///
/// What cannot be written does not conform, so it cannot be asked to.
public protocol WritableFlagProvider: FlagProvider {
    /// Sets the value for a key, or removes it with `nil`.
    ///
    /// When the call returns, the next ``FlagProvider/value(for:)`` answers with the new value and observers have been
    /// told. It may wait for input or output; reads do not wait for it.
    ///
    /// - Throws: ``FlagProviderError`` if the value could not be kept. Nothing has changed then, in memory or outside.
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagProviderError)
}

/// The mark of a provider whose values come from elsewhere while the program runs: a server, a vendor's SDK.
///
/// In local mode (`FlagModeSwitch` of `TacklineComposition`) nobody asks it. Everything without the mark (memory, files,
/// overrides, the process environment) is local. Every ``RefreshableFlagProvider`` carries it.
public protocol LiveFlagProvider: FlagProvider {}

/// A provider that gets its values from elsewhere and can be asked to get them again.
public protocol RefreshableFlagProvider: LiveFlagProvider {
    /// Gets the values now and publishes what changed.
    ///
    /// The values in force stay in force until the new ones have been checked as a whole.
    ///
    /// - Throws: ``FlagProviderError`` if no usable values arrived. The previous ones then stay in force.
    func refresh() async throws(FlagProviderError) -> FlagRefreshOutcome

    /// Keeps the values fresh until the calling task is cancelled; then it throws `CancellationError`.
    func run() async throws
}

/// What a refresh came to.
public enum FlagRefreshOutcome: Sendable, Hashable {
    /// The values at these keys are different now. A removed value counts.
    case changed(Set<FlagKeyPath>)
    /// The source had nothing new.
    case unchanged
    /// There is something new, which waits to be activated; the values in force are the same.
    case staged
}

/// The mark of a provider whose values somebody set for themselves, to try something out.
///
/// A loader or a manager in production leaves such a provider out of its chain, whichever way it was handed over, and
/// reports that (``FlagIssue/Code/overrideRefused``). What counts as production is
/// detected, unless the chain was composed for a deployment environment.
public protocol FlagOverrideProvider: FlagProvider {}

/// A provider that can hand out all its values at one moment.
///
/// ``FlagsLoader/snapshot()`` uses it, so that values which were written together are read together. A provider without
/// this capability is asked key by key.
public protocol FlagDocumentProvider: FlagProvider {
    /// All values as of now, cheap to copy.
    ///
    /// ``FlagDocument/value(for:)`` of it answers what ``FlagProvider/value(for:)`` answers at this moment.
    var document: FlagDocument { get }
}
