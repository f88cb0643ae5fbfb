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
    /// Returning `nil` lets the next provider answer. Don't wait for input or output. A provider that notifies observers
    /// must not read flags here. A provider that doesn't notify them may read flags, and isn't asked again for a key while
    /// it answers for that key.
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
    /// A flag that is answered by a provider which returns `false`, or by one behind it, is resolved again at each read.
    /// Hold the observer weakly, as ``FlagProviderStore/observe(_:)`` does. A provider whose values never change returns
    /// `true` and has nothing else to do. A provider that contains others returns `true` only if all of them do.
    func observe(_ observer: FlagProviderObserver) -> Bool

    /// Returns the value for a key together with its details, both from one moment. The default has no details.
    ///
    /// Explanations and resolutions call this method. The value is inspected and not used, so a provider that counts uses
    /// must not count the call. The rules of ``value(for:)`` apply.
    func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue

    /// All values as of now, or `nil` if the provider is asked key by key. The default is `nil`.
    ///
    /// ``FlagsLoader/snapshot()`` reads it, so that values that were written together are read together.
    /// ``FlagDocument/value(for:)`` of the document returns what ``value(for:)`` returns now.
    var document: FlagDocument? { get }

    /// The providers that this one takes values from. The default is an empty array.
    ///
    /// A chain inspects them, so that an override or a live provider inside another provider counts as one. The array must
    /// not change.
    var wrappedProviders: [any FlagProvider] { get }

    /// The properties that decide whether a chain asks the provider. The default is an empty set, and
    /// ``FlagProviderKind/live`` for a ``RefreshableFlagProvider``. It must not change.
    var kind: FlagProviderKind { get }
}

extension FlagProvider {
    /// The name of the type.
    public var name: String { String(describing: Self.self) }

    /// Always ready.
    public var status: FlagProviderStatus { .ready }

    /// Adds nothing and returns `false`.
    public func observe(_ observer: FlagProviderObserver) -> Bool { false }

    /// Returns the value without details.
    public func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue { DetailedFlagValue(value: value(for: key)) }

    /// Always `nil`.
    public var document: FlagDocument? { nil }

    /// An empty array.
    public var wrappedProviders: [any FlagProvider] { [] }

    /// An empty set.
    public var kind: FlagProviderKind { [] }

    /// Returns the value at a path given as text, or `nil` if the provider has none.
    ///
    /// - Parameters:
    ///   - path: The names from the root, joined by `separator`: `"secrets/boom_feature"`.
    ///   - separator: The loader's `pathSeparator`.
    public func value(at path: String, separator: String = FlagKeyPath.defaultSeparator) -> EncodedFlagValue? {
        value(for: FlagKeyPath(path, separator: separator))
    }
}

/// The properties of a provider that decide whether a chain asks it.
///
/// A provider that has neither property, such as a file or memory, is always asked.
public struct FlagProviderKind: OptionSet, Sendable, Hashable {
    /// The bits of the properties.
    public let rawValue: Int

    /// Creates a set of properties from its bits.
    public init(rawValue: Int) { self.rawValue = rawValue }

    /// The values are set by people on their own device, to try something out.
    ///
    /// In production a loader or a manager leaves such a provider out of its chain and reports
    /// ``FlagIssue/Code/overrideRefused``. Production is detected, unless the chain was composed for a deployment
    /// environment.
    public static let override = FlagProviderKind(rawValue: 1)

    /// The values come from elsewhere while the program runs, such as from a server or a vendor's SDK.
    ///
    /// In local mode (`FlagModeSwitch`) such a provider is not asked.
    public static let live = FlagProviderKind(rawValue: 2)
}

extension FlagProvider {
    /// The kind of the provider, together with the kinds of the providers in it.
    ///
    /// For more than 1,000 nested providers, such as a provider that contains itself, it has every property.
    package var effectiveKind: FlagProviderKind {
        var (kind, waiting) = (kind, wrappedProviders)
        guard !waiting.isEmpty else { return kind }
        var count = 0
        while let provider = waiting.popLast() {
            count += 1
            guard count < 1000 else { return [.override, .live] }
            kind.formUnion(provider.kind)
            waiting += provider.wrappedProviders
        }
        return kind
    }
}

/// The time at which a written value is safe from a crash of the program.
public enum FlagWriteDurability: Sendable, Hashable {
    /// The value has reached the provider's storage when the call returns.
    case stored
    /// The value is in force when the call returns and reaches the storage soon after.
    ///
    /// For user interfaces, which must not wait for the disk. A failure that follows is reported and appears in the
    /// provider's ``FlagProvider/status``. A provider without a file treats both cases alike.
    case deferred
}

/// A provider whose values can be set.
public protocol WritableFlagProvider: FlagProvider {
    /// Sets the value for a key, or removes it if the value is `nil`.
    ///
    /// When the call returns, ``FlagProvider/value(for:)`` returns the new value and observers have been notified. The
    /// method may wait for input or output, but reads must not wait for it.
    ///
    /// - Throws: ``FlagProviderError`` if the value could not be stored. Nothing has changed then, in memory or elsewhere.
    func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) throws(FlagProviderError)

    /// Sets or removes a value with the given durability. The default ignores the durability.
    ///
    /// A provider that keeps its values in a file, or that passes writes on to another provider, implements this method.
    func setValue(
        _ value: EncodedFlagValue?, for key: FlagKeyPath, durability: FlagWriteDurability
    ) throws(FlagProviderError)
}

extension WritableFlagProvider {
    /// Sets or removes the value and ignores the durability.
    public func setValue(
        _ value: EncodedFlagValue?, for key: FlagKeyPath, durability: FlagWriteDurability
    ) throws(FlagProviderError) {
        try setValue(value, for: key)
    }
}

/// A provider that can fetch its values again.
public protocol RefreshableFlagProvider: FlagProvider {
    /// Fetches the values now and publishes the ones that changed.
    ///
    /// The current values stay in force until the new ones have been checked as a whole.
    ///
    /// - Throws: ``FlagProviderError`` if no usable values arrived. The current ones then stay in force.
    func refresh() async throws(FlagProviderError) -> FlagRefreshOutcome

    /// Refreshes the values again and again until the calling task is cancelled; then throws `CancellationError`.
    func run() async throws
}

extension RefreshableFlagProvider {
    /// Live.
    public var kind: FlagProviderKind { .live }
}

/// The result of a refresh.
public enum FlagRefreshOutcome: Sendable, Equatable {
    /// The values for these keys are different now, or were removed.
    case changed(Set<FlagKeyPath>)
    /// The source had nothing new.
    case unchanged
    /// New values arrived and wait to be activated. The values in force are the same.
    case staged
}
