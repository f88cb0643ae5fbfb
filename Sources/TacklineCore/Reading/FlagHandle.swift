/// Everything about a flag but its value: `loader.$allowsSSON`.
///
/// A handle keeps the heart of its loader alive, so it goes on working when the loader itself is gone; it does not keep
/// the loader object. It is cheap to copy and safe from any thread. Reading ``value`` from a handle that you keep is the
/// fastest way to read a flag in a hot loop.
public struct FlagHandle<Value: FlagValue>: Sendable {
    @usableFromInline let slot: FlagSlot
    @usableFromInline let tag: UInt64
    /// `nil` for a flag that no loader bound, or whose loader is gone.
    package let owner: (any FlagOwner)?
    package let declaration: FlagDeclaration<Value>?
    package let ordinal: Int

    package init(slot: FlagSlot, tag: UInt64) {
        self.slot = slot
        self.tag = tag
        let binding = slot.binding(tag: tag)
        owner = binding?.owner.owner
        declaration = binding?.declaration as? FlagDeclaration<Value>
        ordinal = binding?.ordinal ?? -1
    }

    /// The flag's value, as reading the property gives it.
    @inlinable
    public var value: Value {
        @inline(__always) get { slot.value(tag: tag) }
    }
}
