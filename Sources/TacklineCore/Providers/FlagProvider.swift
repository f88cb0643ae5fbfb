/// A source of flag values, such as a file, a server, or a vendor's SDK.
///
/// A loader asks its providers in order and uses the first value that the flag's type accepts. To write a provider,
/// implement ``value(for:)``; every other requirement has a default. ``FlagProviderStore`` keeps values and notifies
/// observers, so most providers are a few lines:
///
/// ```swift
/// import TacklineCore
///
/// struct RegionDefaults: WritableFlagProvider {
///     private let store = FlagProviderStore()
///
///     func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }
///     func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }
///     func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) { store.setValue(value, for: key) }
/// }
/// ```
///
/// Creating a provider is cheap and doesn't fail. Failures happen later and appear in ``status``.
///
/// ## Threading
///
/// A loader calls a provider from any thread, often while a flag is being read. Return immediately: load values
/// beforehand and keep them in memory.
///
/// ## Changes
///
/// Notify observers while you hold the lock under which you made the change, so that notices arrive in the order of the
/// changes, and only if the value is different. Run the conformance suite of `TacklineTesting` against your provider to
/// check this.
public protocol FlagProvider: Sendable {
    /// Returns the value for a key, or `nil` if the provider has none.
    ///
    /// Returning `nil` lets the next provider answer. Don't wait for input or output. A provider that notifies
    /// observers must not read flags here. A provider that doesn't notify them may read flags, and isn't asked again
    /// for a key while it answers for that key.
    func value(for key: FlagKeyPath) -> EncodedFlagValue?

    /// The provider's name in explanations and error messages. The default is the name of the type.
    ///
    /// The name also identifies the provider in a chain. A second provider with the same name gets a number.
    var name: String { get }

    /// The provider's current health. The default is ``FlagProviderStatus/ready``.
    ///
    /// The status appears in ``FlagExplanation`` and in flag browsers. It doesn't affect which value is used.
    var status: FlagProviderStatus { get }

    /// Adds an observer and returns whether the provider notifies it of changes. The default returns `false`.
    ///
    /// A flag whose value comes from a provider that returns `false`, or from one after it in the chain, is resolved
    /// again at each read. Hold the observer weakly, as ``FlagProviderStore/observe(_:)`` does. A provider whose values
    /// never change returns `true` and has nothing else to do. A provider that contains others returns `true` only if
    /// all of them do.
    func observe(_ observer: FlagProviderObserver) -> Bool

    /// Returns the value for a key together with the reasons for it, both as of one moment. The default returns
    /// ``value(for:)`` without reasons.
    ///
    /// Explanations and resolutions call this method. The value is inspected and not used, so a provider that counts
    /// uses must not count the call. The rules of ``value(for:)`` apply.
    func evaluation(for key: FlagKeyPath) -> FlagEvaluation

    /// All values as of now, or `nil` if the provider is asked key by key. The default is `nil`.
    ///
    /// ``FlagsLoader/snapshot()`` reads it, so that values that were written together are read together. For each key,
    /// the document must have the value that ``value(for:)`` returns now.
    var document: FlagDocument? { get }

    /// The providers that this one takes values from. The default is an empty array.
    ///
    /// A chain inspects them, so that an override or a live provider inside another provider counts as one. The array
    /// must not change, and no provider may be inside itself.
    var wrappedProviders: [any FlagProvider] { get }

    /// The traits that decide whether a chain asks the provider and for whom its values are kept.
    ///
    /// The default is an empty set, and ``FlagProviderTraits/live`` for a ``RefreshableFlagProvider``. They must not change.
    var traits: FlagProviderTraits { get }
}

extension FlagProvider {
    /// The default name: that of the type.
    public var name: String { String(describing: Self.self) }

    /// The default status, ``FlagProviderStatus/ready``.
    public var status: FlagProviderStatus { .ready }

    /// Adds nothing and returns `false`.
    public func observe(_ observer: FlagProviderObserver) -> Bool { false }

    /// Returns the value without reasons.
    public func evaluation(for key: FlagKeyPath) -> FlagEvaluation { FlagEvaluation(value: value(for: key)) }

    /// The default, `nil`: the provider is asked key by key.
    public var document: FlagDocument? { nil }

    /// The default, an empty array: the provider contains no others.
    public var wrappedProviders: [any FlagProvider] { [] }

    /// The default, an empty set: the provider is always asked.
    public var traits: FlagProviderTraits { [] }

    /// Returns the value at a path given as text, or `nil` if the provider has none.
    ///
    /// - Parameters:
    ///   - path: The names from the root, joined by `separator`: `"secrets/boom_feature"`.
    ///   - separator: The loader's `pathSeparator`.
    public func value(at path: String, separator: String = FlagKeyPath.defaultSeparator) -> EncodedFlagValue? {
        value(for: FlagKeyPath(path, separator: separator))
    }
}

/// The traits of a provider that decide whether a chain asks it and for whom its values are kept.
///
/// A provider that has none of these traits, such as a file or memory, is always asked.
public struct FlagProviderTraits: OptionSet, Sendable, Hashable {
    /// The bits of the traits.
    public let rawValue: Int

    /// Creates a set of traits from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// Values that people set on their own device to try something out.
    ///
    /// They are asked before a pinned value (``FlagUpdatePolicy``). In production (``DeploymentEnvironment``) a loader or
    /// a manager leaves such a provider out of its chain, without an issue. A provider that decides at run time itself
    /// who may override, in production too, doesn't have the trait there.
    public static let override: FlagProviderTraits = [overridesPins, FlagProviderTraits(rawValue: 8)]

    /// The part of ``override`` that `FlagOverrides` with a closure `isAllowed` has: it is asked before pinned values,
    /// and stays in production's chains, because the closure decides.
    package static let overridesPins = FlagProviderTraits(rawValue: 1)

    /// Values that come from elsewhere while the program runs, such as from a server or a vendor's SDK.
    ///
    /// In local mode (`FlagModeSwitch`) such a provider is not asked.
    public static let live = FlagProviderTraits(rawValue: 2)

    /// Values that may differ from task to task, such as those of rules for the user of a request.
    ///
    /// A value that depends on the provider is neither cached nor pinned (``FlagUpdatePolicy``), because another task
    /// would read it. That is so even if ``FlagProvider/observe(_:)`` returns `true`.
    public static let taskDependent = FlagProviderTraits(rawValue: 4)
}

extension FlagProvider {
    /// The providers in this one, at any depth, in the order in which they are asked.
    var innerProviders: [any FlagProvider] { wrappedProviders.flatMap { [$0] + $0.innerProviders } }

    /// The traits of the provider, together with those of the providers in it.
    package var effectiveTraits: FlagProviderTraits { innerProviders.reduce(traits) { $0.union($1.traits) } }
}

/// A provider whose values can be set.
public protocol WritableFlagProvider: FlagProvider {
    /// Sets the value for a key, or removes it if the value is `nil`.
    ///
    /// When the call returns, ``FlagProvider/value(for:)`` returns the new value and observers have been notified. The
    /// method may wait for input or output, but reads must not wait for it.
    ///
    /// - Throws: Any error if the value could not be stored. Nothing has changed then, in memory or elsewhere. Who writes
    ///   through a flag gets a ``FlagError`` with the error's text, the provider and the key.
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws
}

extension WritableFlagProvider {
    /// Sets or removes the value, and throws a ``FlagError`` that names the provider and the key.
    package func write(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagError) {
        do { try setValue(value, for: key) } catch { throw FlagError(error, provider: name, key: key) }
    }
}

/// Writes of user interfaces, which must not wait for the disk.
package enum DeferredFlagWrites {
    /// Whether a provider with a file returns from a write of the current task once the value is in force, and writes the
    /// file soon after. A failure is then reported and appears in the provider's status.
    @TaskLocal package static var areOn = false
}

/// A provider that can fetch its values again.
public protocol RefreshableFlagProvider: FlagProvider {
    /// Fetches the values now and publishes the ones that changed.
    ///
    /// The current values stay in force until the new ones have been checked as a whole.
    ///
    /// - Throws: Any error if no usable values arrived. The current ones then stay in force.
    func refresh() async throws -> FlagRefreshOutcome

    /// Refreshes the values repeatedly, at times that the provider chooses, until the calling task is cancelled.
    ///
    /// - Throws: `CancellationError` when the task is cancelled, or an error of the provider if it can't begin.
    func run() async throws
}

extension RefreshableFlagProvider {
    /// The default for a provider that can be refreshed, ``FlagProviderTraits/live``.
    public var traits: FlagProviderTraits { .live }
}

/// The result of a refresh.
public enum FlagRefreshOutcome: Sendable, Equatable {
    /// Changed values, by their keys. Some may have been removed.
    case changed(Set<FlagKeyPath>)
    /// No change: the source had nothing new.
    case unchanged
    /// New values that wait to be activated. The values in force are the same.
    case staged
}
