/// A source of flag values: a file, a server, memory, closures, or anything that you write.
///
/// Only a name and values are required. A provider that can do more conforms to more: ``ObservableFlagProvider`` to tell
/// changes, as nearly all do, ``WritableFlagProvider``, ``RefreshableFlagProvider``, ``DetailedFlagProvider``,
/// ``FlagDocumentProvider``.
///
/// Making a provider is cheap and does not fail; what can fail happens later and shows in ``status``.
/// ``FlagProviderStore`` keeps values and observers, so a provider is often a few lines:
///
/// ```swift
/// struct Overrides: WritableFlagProvider, ObservableFlagProvider {
///     let name = "overrides"
///     private let store = FlagProviderStore()
///
///     func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
///     func observe(_ observer: FlagProviderObserver) { store.observe(observer) }
///     func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) { store.setValue(value, for: key) }
/// }
/// ```
///
/// A loader also expects that a change is announced under the lock under which it was made, so that notices come in the
/// order of the changes; that an unchanged value announces nothing; and that no read waits for a slow write. The
/// conformance suite in `TacklineTesting` checks all of this.
public protocol FlagProvider: Sendable {
    /// The name of the provider in messages and browsers. By default the type's name.
    ///
    /// It becomes the provider's id in a chain, followed by a number if another provider has the same name.
    var name: String { get }

    /// Returns the value that this provider holds, or `nil` where it has no opinion.
    ///
    /// Called from any thread, also during the read of a flag. It must not wait for input or output. A provider that tells
    /// its changes must not read flags here. One that does not tell them may, and is not asked again for a key while it
    /// answers for it.
    func value(for key: FlagKeyPath) -> EncodedFlagValue?

    /// How the provider is doing. By default ``FlagProviderStatus/ready``.
    ///
    /// It is shown to people and in ``FlagExplanation``; resolution depends on ``value(for:)`` alone.
    var status: FlagProviderStatus { get }
}

extension FlagProvider {
    /// The type's name.
    public var name: String { String(describing: Self.self) }

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

/// The base of all protocols that say what else a provider can do. Conform to those, not to this.
///
/// Checking for a conformance that is missing is slow; checking for this one first replaces several such checks.
public protocol MarkedFlagProvider: FlagProvider {}

/// A provider that says when its values change.
///
/// A flag is resolved at each read unless all providers that are asked for it are observable.
public protocol ObservableFlagProvider: MarkedFlagProvider {
    /// Adds an observer, which is told every later change.
    ///
    /// The provider holds the observer weakly, as ``FlagProviderStore/observe(_:)`` does. A provider that never changes has
    /// nothing to do. One that cannot tell changes after all, such as a wrapper of a provider that cannot, calls
    /// ``FlagProviderObserver/cannotTellChanges()`` before it returns.
    func observe(_ observer: FlagProviderObserver)
}

extension FlagProvider {
    /// Adds the observer if the provider tells changes, else calls ``FlagProviderObserver/cannotTellChanges()``. For
    /// wrappers.
    public func passOn(_ observer: FlagProviderObserver) {
        if let provider = self as? any ObservableFlagProvider {
            provider.observe(observer)
        } else {
            observer.cannotTellChanges()
        }
    }

    /// Adds an observer, and returns whether it will be told changes.
    package func tellsChanges(to observer: FlagProviderObserver) -> Bool {
        passOn(observer)
        return !observer.isBlind
    }
}

/// A provider whose values can be set.
public protocol WritableFlagProvider: MarkedFlagProvider {
    /// Sets the value for a key, or removes it with `nil`.
    ///
    /// When the call returns, the next ``FlagProvider/value(for:)`` answers with the new value and observers have been
    /// told. It may wait for input or output; reads do not wait for it.
    ///
    /// - Throws: ``FlagProviderError`` if the value could not be stored. Nothing has changed then, in memory or elsewhere.
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagProviderError)
}

/// Marks a provider whose values come from elsewhere while the program runs: from a server, or a vendor's SDK.
///
/// In local mode (`FlagModeSwitch` of `TacklineComposition`) it is not asked. Providers without the mark (memory, files,
/// overrides, the process environment) are local. Every ``RefreshableFlagProvider`` has the mark.
public protocol LiveFlagProvider: MarkedFlagProvider {}

/// A provider that can fetch its values again.
public protocol RefreshableFlagProvider: LiveFlagProvider {
    /// Fetches the values now and publishes what changed.
    ///
    /// The present values stay in force until the new ones have been checked as a whole.
    ///
    /// - Throws: ``FlagProviderError`` if no usable values arrived. The present ones then stay in force.
    func refresh() async throws(FlagProviderError) -> FlagRefreshOutcome

    /// Refreshes the values again and again until the calling task is cancelled; throws `CancellationError` then.
    func run() async throws
}

/// The result of a refresh.
public enum FlagRefreshOutcome: Sendable, Equatable {
    /// The values for these keys are different now, or were removed.
    case changed(Set<FlagKeyPath>)
    /// The source had nothing new.
    case unchanged
    /// New values arrived and wait to be activated; the values in force are the same.
    case staged
}

/// Marks a provider whose values people set on their own device, to try something out.
///
/// In production a loader or a manager leaves such a provider out of its chain and reports that
/// (``FlagIssue/Code/overrideRefused``). Production is detected, unless the chain was composed for a deployment
/// environment.
public protocol FlagOverrideProvider: MarkedFlagProvider {}

/// A provider that can return all its values as of one moment.
///
/// ``FlagsLoader/snapshot()`` uses it, so that values which were written together are read together. Other providers are
/// asked key by key.
public protocol FlagDocumentProvider: MarkedFlagProvider {
    /// All values as of now. ``FlagDocument/value(for:)`` of it returns what ``FlagProvider/value(for:)`` returns now.
    var document: FlagDocument { get }
}
