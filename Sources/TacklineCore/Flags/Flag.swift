/// A feature flag: a property of a collection, bound to its key by the loader.
///
/// ```swift
/// struct UserExperiments: FlagCollectionProtocol {
///     @Flag(key: "sson", default: false, description: "Enable single sign-on")
///     var allowsSSON: Bool
/// }
/// ```
///
/// Reading the property returns the first usable value of the loader's chain, or the default if there is none. Read it
/// from any thread. The value is cached until it may have changed. A read of a cached value costs about as much as one
/// or two atomic loads and allocates nothing. It takes no lock, unless the flag has had many different large values.
/// The `$` projection is the flag's ``FlagHandle``.
///
/// `Flag` is a trivial two-word value: copying it counts no references, so copying collections is cheap. A copy doesn't
/// keep its loader alive. If a flag is read before a loader bound it, or after the loader is deallocated, it returns
/// its default and reports that to ``FlagIssueReporter/current``.
@frozen
@propertyWrapper
public struct Flag<Value: FlagValue>: Sendable {
    /// The flag's slot. It is never freed and holds values of this type only. See ``FlagSlot``.
    @usableFromInline package let slot: Unmanaged<FlagSlot>
    @usableFromInline package let tag: UInt64

    /// The first usable value in the resolution order (``FlagsLoader``), or the default.
    ///
    /// Each read is independent of the others. To read several flags as of one moment, take a snapshot.
    @inlinable
    public var wrappedValue: Value {
        @inline(__always) get { slot._withUnsafeGuaranteedRef { $0.value(tag: tag) } }
    }

    /// The flag's handle, for explaining, writing and observing the flag.
    public var projectedValue: FlagHandle<Value> { FlagHandle(slot: slot.takeUnretainedValue(), tag: tag) }

    /// Creates a flag that the current ``FlagConstruction`` will bind. Without one the flag stays unbound.
    ///
    /// - Parameter declaration: Must be a declaration for this type of value.
    package init(_ declaration: FlagDeclaration) { (slot, tag) = FlagConstruction.slot(for: declaration) }

    /// Creates a flag.
    ///
    /// - Parameters:
    ///   - name: The display name. If it is `nil`, the name in `description` is used, or the property's name.
    ///   - key: The key, in place of the one made from the property's name.
    ///   - defaultValue: The value if no provider has a usable one. It is within the bounds.
    ///   - bounds: The values that the flag takes from providers, or `nil` for all of its type.
    ///   - excludedProviders: The types of providers that are never asked for this flag.
    ///   - updatePolicy: The time at which the flag takes a new value: at once, or at the start of a session or a
    ///     launch.
    ///   - computedValue: A closure that is called each time the flag is resolved, from any thread. For a live flag,
    ///     that is at each read. Its result takes precedence over every provider. If it returns `nil`, the providers
    ///     are asked.
    ///   - description: The effect of the flag in a sentence, or further metadata.
    ///   - fileID: The file of the declaration, for messages. Leave out this argument and the next two.
    ///   - line: The line of the declaration.
    ///   - column: The column of the declaration.
    public init(
        name: String? = nil, key: FlagKey? = nil, default defaultValue: Value, bounds: FlagBounds<Value>? = nil,
        excludedProviders: [any FlagProvider.Type] = [], updatePolicy: FlagUpdatePolicy = .live,
        computedValue: (@Sendable () -> Value?)? = nil, description: FlagMetadata = FlagMetadata(),
        fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) {
        self.init(
            FlagDeclaration(
                name: name, key: key, defaultValue: defaultValue, bounds: bounds, excludedProviders: excludedProviders,
                updatePolicy: updatePolicy, computation: FlagComputation(computedValue), metadata: description,
                site: FlagSite(fileID: fileID, line: line, column: column)))
    }

    /// Creates a flag that is computed from other flags of the same root collection.
    ///
    /// ```swift
    /// @Flag(default: false, computed: { (flags: AppFlags) in flags.newCheckout && flags.secrets.oneClick })
    /// var oneClickCheckout: Bool
    /// ```
    ///
    /// `computed` is called each time the flag is resolved, from any thread, with the collection that the loader was
    /// created for. Its result takes precedence over every provider. If it returns `nil`, the providers are asked. The
    /// other parameters are those of a flag that isn't computed. Computed flags that read each other in a cycle are
    /// reported, and each of them is resolved from its providers.
    public init<Root: FlagCollectionProtocol>(
        name: String? = nil, key: FlagKey? = nil, default defaultValue: Value, bounds: FlagBounds<Value>? = nil,
        excludedProviders: [any FlagProvider.Type] = [], updatePolicy: FlagUpdatePolicy = .live,
        computed: @escaping @Sendable (Root) -> Value?, description: FlagMetadata = FlagMetadata(),
        fileID: StaticString = #fileID, line: UInt = #line, column: UInt = #column
    ) {
        self.init(
            FlagDeclaration(
                name: name, key: key, defaultValue: defaultValue, bounds: bounds, excludedProviders: excludedProviders,
                updatePolicy: updatePolicy, computation: FlagComputation(computed), metadata: description,
                site: FlagSite(fileID: fileID, line: line, column: column)))
    }
}

extension Flag: FlagProperty {
    package static func contents(of property: Any) -> (place: FlagPlace?, collection: (any FlagCollectionProtocol)?)? {
        guard let flag = property as? Flag else { return nil }
        return (flag.slot._withUnsafeGuaranteedRef { $0.place(tag: flag.tag) }, nil)
    }
}

/// A handle for explaining, writing and observing one flag: `loader.$allowsSSON`.
///
/// ```swift
/// user.$allowsSSON.flagValue(from: LocalProvider.self)                    // the value of one provider
/// try user.$allowsSSON.setValue(true, in: overrides)                      // a write to one provider
/// print(user.$allowsSSON.explain())                                       // every provider's answer, and the reason
/// ```
///
/// A handle keeps the loader's data alive, but not the loader object, so it works after the loader is deallocated. It
/// is cheap to copy. Use it from any thread. Reading ``value`` from a handle that you keep is the fastest way to read a
/// flag in a hot loop.
public struct FlagHandle<Value: FlagValue>: Sendable {
    @usableFromInline let slot: FlagSlot
    @usableFromInline let tag: UInt64
    /// The loader's data, or `nil` if no loader bound the flag or its data is deallocated.
    package let owner: (any FlagOwner)?
    /// The number of the flag in its loader, in the order of the properties; -1 if there is no owner.
    package let ordinal: Int

    package init(slot: FlagSlot, tag: UInt64) {
        self.slot = slot
        self.tag = tag
        let owned = slot.owner(tag: tag)
        owner = owned?.owner
        ordinal = owned?.ordinal ?? -1
    }

    /// The flag's value, as a read of the property returns it.
    @inlinable
    public var value: Value { @inline(__always) get { slot.value(tag: tag) } }
}

/// The time at which a flag takes a new value.
///
/// ```swift
/// @Flag(default: .classic, updatePolicy: .session, description: "The look of the checkout")
/// var checkoutStyle: CheckoutStyle
/// ```
///
/// The value of a flag that isn't live is pinned at its first read, whether it is computed, a provider's, or the
/// default. Explanations, resolutions and snapshots inspect the flag and don't count as reads. The following take
/// effect at once all the same:
/// - a value that a test scopes to the current task;
/// - overrides (``FlagProviderTraits/override``) that are before the provider of the pinned value in the chain, which are
///   asked at each read;
/// - a write or a new default through the flag's handle, if the provider that was written to, or the default, is the
///   source of the pinned value or the flag's live source after the write;
/// - a change of the mode (`FlagModeSwitch`), after which the next read pins the value again;
/// - a change of the subject (``FlagProviderNotice/subjectChanged``) of a provider of the chain, after which the next read
///   pins the value again.
///
/// A value is pinned for everybody who reads the flag. So nothing is pinned while the chain has a provider whose answers
/// differ from task to task (``FlagProviderTraits/taskDependent``). Flags are live then, which is reported once.
public enum FlagUpdatePolicy: String, Sendable, Hashable, CaseIterable, CustomStringConvertible {
    /// No pinning: each read returns the current value.
    case live
    /// Pinning from the first read until the app begins a new session with ``FlagsLoader/beginSession()``.
    case session
    /// Pinning from the first read until the loader is deallocated, which is usually when the process ends.
    case nextLaunch = "next-launch"

    /// The policy in words: `live`, `session` or `next-launch`.
    public var description: String { rawValue }
}
