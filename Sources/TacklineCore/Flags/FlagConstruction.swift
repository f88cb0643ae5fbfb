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
    @exclusivity(unchecked) package private(set) var flags: [FlagDeclaration] = []
    @exclusivity(unchecked) package private(set) var collections: [FlagCollectionDeclaration] = []
    /// The position of the collection around each flag, or -1 for the root.
    @exclusivity(unchecked) package private(set) var flagParents: [Int] = []
    /// The position of the collection around each nested collection, or -1 for the root.
    @exclusivity(unchecked) package private(set) var collectionParents: [Int] = []
    /// The closures of the computed flags, by position.
    package private(set) var computations: [(position: Int, computation: FlagComputation)] = []
    /// The positions of the flags with bounds.
    package private(set) var boundedFlags: [Int] = []
    /// The position of the collection that is being constructed, or -1 for the root.
    @exclusivity(unchecked) private var parent = -1

    private static let current = ThreadLocal<FlagConstruction>()

    /// - Parameter block: A block that is not in use.
    init(_ block: FlagBlock) {
        self.block = block
        (generation, slots) = block.beginUse()
        flags.reserveCapacity(slots.count)
        flagParents.reserveCapacity(slots.count)
    }

    /// Calls `make` with this construction as the current one of the thread.
    func construct<Collection>(_ make: () -> Collection) -> Collection { Self.current.withValue(self, make) }

    // MARK: Flags

    /// Returns the slot and the tag of a new flag.
    static func slot(
        for declaration: FlagDeclaration, _ computation: FlagComputation?
    ) -> (Unmanaged<FlagSlot>, tag: UInt64) {
        guard let construction = current.value else { return FlagBlock.unboundSlot(for: declaration) }
        if declaration.bounds != nil { construction.boundedFlags.append(construction.flags.count) }
        if let computation { construction.computations.append((construction.flags.count, computation)) }
        let slot = construction.nextSlot(for: declaration)
        construction.flags.append(declaration)
        construction.flagParents.append(construction.parent)
        return (slot, FlagSlot.tag(generation: construction.generation))
    }

    private func nextSlot(for declaration: FlagDeclaration) -> Unmanaged<FlagSlot> {
        let position = flags.count
        // Nearly always the first one that is looked at fits.
        let index = slots.indices.dropFirst(position).first { index in
            slots[index]._withUnsafeGuaranteedRef {
                $0.position == position && $0.declaration.valueType == declaration.valueType
            }
        }
        if let index {
            if index > position { slots.swapAt(position, index) }
        } else {
            // Never released: see `FlagSlot`.
            slots.append(
                .passRetained(FlagSlot(declaration, position: position, block: block, generation: generation)))
            slots.swapAt(position, slots.count - 1)
        }
        return slots[position]
    }

    /// Returns the flags so far of the current construction if it is for a block, for reads in a collection's `init()`.
    static func declarations(in block: FlagBlock) -> [FlagDeclaration]? {
        current.value.flatMap { $0.block === block ? $0.flags : nil }
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
        construction.collections.append(declaration)
        construction.collectionParents.append(outer)
        construction.parent = position
        defer { construction.parent = outer }
        let tag = UInt64(construction.generation) << 32 | UInt64(position)
        return ((Unmanaged.passUnretained(construction.block), tag), make())
    }
}
