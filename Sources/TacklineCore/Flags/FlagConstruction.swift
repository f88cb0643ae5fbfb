/// The construction of a collection for a loader. It gives each flag a slot and records the declarations in their
/// order.
///
/// A construction belongs to one thread. The loader makes it current on that thread while it calls the collection's
/// `init()`. A flag that is created without a current construction is not bound to a loader.
package final class FlagConstruction {
    package let block: FlagBlock
    package let generation: UInt32
    // A construction is used by one thread, so exclusive access needs no check at run time.
    /// The slots of the flags, in the order of construction. They are followed by further slots of the block.
    @exclusivity(unchecked) package private(set) var slots: [Unmanaged<FlagSlot>]
    /// The flags, each with the position of the collection that was being constructed, or -1 for the root.
    @exclusivity(unchecked) package private(set) var flags: [(declaration: FlagDeclaration, parent: Int)] = []
    /// The nested collections, with the positions of those around them.
    @exclusivity(unchecked)
    package private(set) var collections: [(declaration: FlagCollectionDeclaration, parent: Int)] = []
    /// The closures of the computed flags, by position.
    package private(set) var computations: [(position: Int, computation: FlagComputation)] = []
    /// The position of the collection that is being constructed, or -1 for the root.
    @exclusivity(unchecked) private var parent = -1

    private static let current = ThreadLocal<FlagConstruction>()

    /// - Parameter block: A block that is not in use.
    init(_ block: FlagBlock) {
        self.block = block
        (generation, slots) = block.beginUse()
        flags.reserveCapacity(slots.count)
    }

    /// Calls `make` with this construction as the current one of the thread.
    func construct<Collection>(_ make: () -> Collection) -> Collection { Self.current.withValue(self, make) }

    // MARK: Flags

    /// Returns the slot and the tag of a new flag.
    static func slot(
        for declaration: FlagDeclaration, _ computation: FlagComputation?
    ) -> (Unmanaged<FlagSlot>, tag: UInt64) {
        guard let construction = current.value else { return FlagBlock.unboundSlot(for: declaration) }
        if let computation { construction.computations.append((construction.flags.count, computation)) }
        let slot = construction.nextSlot(for: declaration)
        construction.flags.append((declaration, construction.parent))
        return (slot, FlagSlot.tag(generation: construction.generation))
    }

    private func nextSlot(for declaration: FlagDeclaration) -> Unmanaged<FlagSlot> {
        let position = flags.count
        for index in slots.indices.dropFirst(position) {
            let isUsable = slots[index]._withUnsafeGuaranteedRef { slot in
                guard slot.position == position, slot.valueType == declaration.valueType else { return false }
                slot.use(for: declaration)
                return true
            }
            // Nearly always it is the first one.
            if isUsable {
                slots.swapAt(position, index)
                return slots[position]
            }
        }
        // Never released: see `FlagSlot`.
        slots.append(.passRetained(FlagSlot(declaration, position: position, block: block, generation: generation)))
        slots.swapAt(position, slots.count - 1)
        return slots[position]
    }

    // MARK: Collections

    /// Constructs a nested collection.
    ///
    /// - Returns: The block of the current construction and a tag with the collection's position, or `nil` if there is
    ///   no current construction.
    static func construct<Group>(
        _ declaration: FlagCollectionDeclaration, _ make: () -> Group
    ) -> (place: (block: Unmanaged<FlagBlock>, tag: UInt64)?, group: Group) {
        guard let construction = current.value else { return (nil, make()) }
        let (position, outer) = (construction.collections.count, construction.parent)
        construction.collections.append((declaration, outer))
        construction.parent = position
        defer { construction.parent = outer }
        let tag = UInt64(construction.generation) << 32 | UInt64(position)
        return ((Unmanaged.passUnretained(construction.block), tag), make())
    }
}
