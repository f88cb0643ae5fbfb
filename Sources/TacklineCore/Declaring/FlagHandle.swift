/// What can be asked of a flag besides its value, and done with it: `loader.$allowsSSON`.
///
/// ```swift
/// user.$allowsSSON.flagValue(from: LocalProvider.self)                    // what one provider says
/// try user.$allowsSSON.setValue(true, providers: [LocalProvider.self])    // write to one provider
/// print(user.$allowsSSON.explain())                                       // every provider's answer, and the reason
/// ```
///
/// A handle keeps the heart of its loader alive, so it goes on working when the loader itself is gone; it does not keep
/// the loader object. It is cheap to copy and safe from any thread. Reading ``value`` from a handle that you keep is the
/// fastest way to read a flag in a hot loop.
public struct FlagHandle<Value: FlagValue>: Sendable {
    @usableFromInline let slot: FlagSlot
    @usableFromInline let tag: UInt64
    /// The heart of the loader; `nil` for a flag that no loader bound, or whose loader is gone.
    package let owner: (any FlagOwner)?
    package let declaration: FlagDeclaration<Value>?
    package let ordinal: Int

    package init(slot: FlagSlot, tag: UInt64) {
        self.slot = slot
        self.tag = tag
        let binding = slot.binding(tag: tag)
        owner = binding?.owner.owner
        // A slot is for flags of one type only (invariant 2 of `FlagSlot`).
        declaration = binding?.declaration.map { unsafeDowncast($0, to: FlagDeclaration<Value>.self) }
        ordinal = binding?.ordinal ?? -1
    }

    /// The flag's value, as reading the property gives it.
    @inlinable
    public var value: Value {
        @inline(__always) get { slot.value(tag: tag) }
    }
}
