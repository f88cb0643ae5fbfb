/// A feature flag: a property of a collection, bound to its key by the loader.
///
/// ```swift
/// struct UserExperiments: FlagCollectionProtocol {
///     @Flag(key: "sson", default: false, description: "Enable single sign-on")
///     var allowsSSON: Bool
/// }
/// ```
///
/// Reading the property gives the first usable value of the loader's chain, else the default. It costs about what one or
/// two atomic loads cost, takes no lock, allocates nothing and is safe from any thread. The `$` projection is the flag's
/// ``FlagHandle``.
///
/// A flag is two words without a reference count, so collections are free to copy. A copy does not keep its loader
/// alive: read after the loader is gone, or before a loader bound it, it gives its default and reports that to
/// ``FlagIssueReporter/current``.
@propertyWrapper
public struct Flag<Value: FlagValue>: Sendable {
    /// Never dangles, and is used for this type only: see ``FlagSlot``.
    @usableFromInline package let slot: Unmanaged<FlagSlot>
    @usableFromInline package let tag: UInt64

    /// The value: what the first provider with a usable one says, else the default.
    ///
    /// Every read is answered as of its own moment. For several flags as of one moment, take a snapshot.
    @inlinable
    public var wrappedValue: Value {
        @inline(__always) get {
            slot._withUnsafeGuaranteedRef { $0.value(tag: tag) }
        }
    }

    /// The flag's handle, for everything but its value.
    public var projectedValue: FlagHandle<Value> {
        FlagHandle(slot: slot.takeUnretainedValue(), tag: tag)
    }

    /// Makes a flag from what tells it from others.
    @inlinable @inline(__always)
    package init(slot: Unmanaged<FlagSlot>, tag: UInt64) {
        self.slot = slot
        self.tag = tag
    }

    /// Makes a flag from its declaration: bound to nothing, or waiting for the loader that is constructing.
    package init(_ declaration: FlagDeclaration<Value>) {
        if let taken = FlagConstruction.current?.add(
            declaration, at: declaration.site, identity: declaration.identity)
        {
            slot = Unmanaged.passUnretained(taken.slot)
            tag = FlagSlot.tag(life: taken.life)
        } else {
            let home = FlagHome.home(
                for: declaration, at: declaration.site, identity: declaration.identity, hint: nil)
            slot = Unmanaged.passUnretained(home.unboundSlot())
            tag = FlagSlot.tag(life: 0)
        }
    }
}

extension Flag: ReflectedFlag {
    package var slotAddress: UInt { UInt(bitPattern: slot.toOpaque()) }
}

/// What reflection finds for a flag.
package protocol ReflectedFlag {
    /// Stands in the first word of the flag, and identifies its record in the construction.
    var slotAddress: UInt { get }
}
