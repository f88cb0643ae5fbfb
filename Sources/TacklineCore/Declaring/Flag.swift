/// A feature flag: a property of a collection, bound to its key by the loader.
///
/// ```swift
/// struct UserExperiments: FlagCollectionProtocol {
///     @Flag(key: "sson", default: false, description: "Enable single sign-on")
///     var allowsSSON: Bool
/// }
/// ```
///
/// Reading the property returns the first usable value of the loader's chain, else the default, from any thread. Where the
/// value is at hand, as it is from one change to the next, that costs about as much as one or two atomic loads, takes no lock
/// and allocates nothing. The `$` projection is the flag's ``FlagHandle``.
///
/// A flag is two words without a reference count, so copying collections is cheap. A copy does not keep its loader
/// alive: read after the loader is gone, or before a loader bound it, a flag returns its default and reports that to
/// ``FlagIssueReporter/current``.
@propertyWrapper
public struct Flag<Value: FlagValue>: Sendable {
    /// Never dangles, and holds values of this type only: see ``FlagSlot``. Must stay the first word: see `FlagDiscovery`.
    @usableFromInline package let slot: Unmanaged<FlagSlot>
    @usableFromInline package let tag: UInt64

    /// The value of the first provider that has a usable one, else the default.
    ///
    /// Each read is answered as of its own moment. For several flags as of one moment, take a snapshot.
    @inlinable
    public var wrappedValue: Value {
        @inline(__always) get { slot._withUnsafeGuaranteedRef { $0.value(tag: tag) } }
    }

    /// The flag's handle, to explain, write and follow the flag.
    public var projectedValue: FlagHandle<Value> { FlagHandle(slot: slot.takeUnretainedValue(), tag: tag) }

    @inlinable @inline(__always)
    package init(slot: Unmanaged<FlagSlot>, tag: UInt64) {
        self.slot = slot
        self.tag = tag
    }

    /// Makes a flag that the current ``FlagConstruction`` will bind; without one it stays unbound.
    ///
    /// - Parameter declaration: Must be one for this type of value.
    package init(_ declaration: FlagDeclaration) { (slot, tag) = FlagConstruction.slot(for: .flag(declaration)) }

    /// Declares a flag.
    ///
    /// - Parameters:
    ///   - name: The name for people; `nil` stands for the one in `description`, else the property's name.
    ///   - key: Replaces the key made from the property's name.
    ///   - defaultValue: The value where no provider has a usable one.
    ///   - excludedProviders: Types of providers that are never asked for this flag.
    ///   - updatePolicy: When the flag takes a new value: at once, or held for a while.
    ///   - computedValue: Called at each read, from any thread. What it returns takes precedence over every provider; if it
    ///     returns `nil`, the providers are asked.
    ///   - description: What people should know about the flag.
    ///   - fileID: Where it is declared, for messages; leave it out, like the next two.
    ///   - line: See `fileID`.
    ///   - column: See `fileID`.
    public init(
        name: String? = nil, key: FlagKey? = nil, default defaultValue: Value,
        excludedProviders: [any FlagProvider.Type] = [], updatePolicy: FlagUpdatePolicy = .live,
        computedValue: (@Sendable () -> Value?)? = nil, description: FlagMetadata = FlagMetadata(),
        fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) {
        self.init(
            FlagDeclaration(
                name: name, key: key, defaultValue: defaultValue,
                excludedProviderTypes: excludedProviders.map { ObjectIdentifier($0) }, updatePolicy: updatePolicy,
                computedValue: computedValue, metadata: description,
                site: FlagSite(fileID: fileID, line: line, column: column)))
    }

    /// Declares a flag that is computed from other flags of the same root collection.
    ///
    /// ```swift
    /// @Flag(default: false, computed: { (flags: AppFlags) in flags.newCheckout && flags.secrets.oneClick })
    /// var oneClickCheckout: Bool
    /// ```
    ///
    /// `computed` is called at each read, from any thread, with the collection that the loader was made for. What it returns
    /// takes precedence over every provider; if it returns `nil`, the providers are asked. The other parameters are those of
    /// a flag that is not computed. Flags that read each other in a circle are reported, and each of them is answered by its
    /// providers.
    public init<Root: FlagCollectionProtocol>(
        name: String? = nil, key: FlagKey? = nil, default defaultValue: Value,
        excludedProviders: [any FlagProvider.Type] = [], updatePolicy: FlagUpdatePolicy = .live,
        computed: @escaping @Sendable (Root) -> Value?, description: FlagMetadata = FlagMetadata(),
        fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) {
        let computation = FlagDeclaration.RootComputation(rootType: Root.self) { root in
            (root as? Root).flatMap(computed).map { ErasedFlagValue($0) }
        }
        self.init(
            FlagDeclaration(
                name: name, key: key, defaultValue: defaultValue,
                excludedProviderTypes: excludedProviders.map { ObjectIdentifier($0) }, updatePolicy: updatePolicy,
                computed: computation, metadata: description,
                site: FlagSite(fileID: fileID, line: line, column: column)))
    }

    /// Unavailable. Its message helps those who write `@Flag(description: "…") var name = false`.
    @available(
        *, unavailable,
        message: "give the default in the attribute and the type after the name: @Flag(default: false) var name: Bool"
    )
    public init(wrappedValue: Value, name: String? = nil, key: FlagKey? = nil, description: FlagMetadata) {
        self.init(name: name, key: key, default: wrappedValue, description: description)
    }
}

/// A flag as an object of its own, to explain, write and follow it: `loader.$allowsSSON`.
///
/// ```swift
/// user.$allowsSSON.flagValue(from: LocalProvider.self)                    // what one provider says
/// try user.$allowsSSON.setValue(true, providers: [LocalProvider.self])    // write to one provider
/// print(user.$allowsSSON.explain())                                       // every provider's answer, and the reason
/// ```
///
/// A handle goes on working when its loader is gone: it keeps the loader's data alive, though not the loader object. It is
/// cheap to copy and safe from any thread. Reading ``value`` from a handle that you keep is the fastest way to read a flag
/// in a hot loop.
public struct FlagHandle<Value: FlagValue>: Sendable {
    @usableFromInline let slot: FlagSlot
    @usableFromInline let tag: UInt64
    /// Who answers for the flag; `nil` if no loader bound it, or its loader is gone.
    let bound: FlagBinding?

    package init(slot: FlagSlot, tag: UInt64) {
        self.slot = slot
        self.tag = tag
        bound = slot.binding(tag: tag)
    }

    /// The flag's value, as reading the property gives it.
    @inlinable
    public var value: Value { @inline(__always) get { slot.value(tag: tag) } }
}

/// When a flag takes a new value.
///
/// ```swift
/// @Flag(default: .classic, updatePolicy: .session, description: "The look of the checkout")
/// var checkoutStyle: CheckoutStyle
/// ```
///
/// A held flag keeps the value of its first read, whether computed, from a provider or the default. Explanations,
/// resolutions and snapshots do not count as reads. These take effect at once all the same:
/// - a value that a test scopes to the current task;
/// - overrides (``FlagOverrideProvider``) that come before the provider of the held value in the chain: they are asked at
///   each read;
/// - a write or a new default through the flag itself, if the flag is answered by the provider that was written to,
///   before the write or after it;
/// - a change of the mode (`FlagModeSwitch`): the next read fixes the value again.
public enum FlagUpdatePolicy: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// Each read returns the present value.
    case live
    /// Fixed from the first read until the app begins a new session with ``FlagsLoader/beginSession()``.
    case session
    /// Fixed from the first read for as long as the loader lives, which usually is until the next launch.
    case nextLaunch = "next-launch"

    /// `live`, `session` or `next-launch`.
    public var description: String { rawValue }
}
