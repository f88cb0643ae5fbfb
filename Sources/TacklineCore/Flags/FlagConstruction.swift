/// The construction of a collection for a loader. It gives each flag a slot and records the declarations in their
/// order.
///
/// A construction belongs to one thread. The loader makes it current on that thread while it calls the collection's
/// `init()`. A flag that is created without a current construction is not bound to a loader.
package final class FlagConstruction {
    /// A flag or a nested collection.
    package struct Member: Sendable {
        package let declaration: FlagMemberDeclaration
        /// The position of the collection around it, or -1 for the root.
        package let parent: Int

        /// Returns whether a member of another construction was declared alike, so that it is held by the same property.
        package func isSame(as other: Member) -> Bool {
            parent == other.parent && declaration.isSame(as: other.declaration)
        }
    }

    package let block: FlagBlock
    package let generation: UInt32
    // A construction is used by one thread, so exclusive access needs no check at run time.
    /// The members by position, which is their order of construction.
    @exclusivity(unchecked) package private(set) var members: [Member] = []
    /// The slots of the flags, in the order of construction. They are followed by further slots of the block.
    @exclusivity(unchecked) package private(set) var slots: [Unmanaged<FlagSlot>]
    @exclusivity(unchecked) private var flagCount = 0
    /// The closures of the computed flags, by position.
    package private(set) var computations: [(position: Int, computation: FlagComputation)] = []
    /// The position of the collection that is being constructed, or -1 for the root.
    @exclusivity(unchecked) private var parent = -1

    private static let current = ThreadLocal<FlagConstruction>()

    /// Begins a construction with a block that is not in use.
    package init(of type: any FlagCollectionProtocol.Type) {
        block = FlagBlock.take(for: ObjectIdentifier(type))
        (generation, slots) = block.beginUse()
        members.reserveCapacity(slots.count)
    }

    /// The slots of the flags, in the order of construction.
    var flagSlots: ArraySlice<Unmanaged<FlagSlot>> { slots.prefix(flagCount) }

    /// Calls `make` with this construction as the current one of the thread.
    package func construct<Collection>(_ make: () -> Collection) -> Collection { Self.current.withValue(self, make) }

    /// Returns the slot and the tag of a new flag.
    static func slot(
        for declaration: FlagDeclaration, _ computation: FlagComputation?
    ) -> (Unmanaged<FlagSlot>, tag: UInt64) {
        guard let construction = current.value else { return FlagBlock.unboundSlot(for: declaration) }
        if let computation { construction.computations.append((construction.members.count, computation)) }
        let slot = construction.nextSlot(for: declaration)
        construction.members.append(Member(declaration: .flag(declaration), parent: construction.parent))
        return (slot, FlagSlot.tag(generation: construction.generation))
    }

    private func nextSlot(for declaration: FlagDeclaration) -> Unmanaged<FlagSlot> {
        let (next, position) = (flagCount, members.count)
        flagCount += 1
        // Nearly always the first one that is looked at fits.
        for index in next..<slots.count where slots[index]._withUnsafeGuaranteedRef({ $0.fits(declaration, position) })
        {
            slots[index]._withUnsafeGuaranteedRef { $0.declare(declaration) }
            if index > next { slots.swapAt(next, index) }
            return slots[next]
        }
        // Never released: see `FlagSlot`.
        slots.append(.passRetained(FlagSlot(declaration, position: position, block: block, generation: generation)))
        slots.swapAt(next, slots.count - 1)
        return slots[next]
    }

    /// Constructs a nested collection.
    ///
    /// - Returns: The collection and its place, or `nil` if there is no current construction.
    static func construct<Group>(
        _ declaration: FlagCollectionDeclaration, _ make: () -> Group
    ) -> (place: FlagPlace?, group: Group) {
        guard let construction = current.value else { return (nil, make()) }
        let (position, outer) = (construction.members.count, construction.parent)
        construction.members.append(Member(declaration: .collection(declaration), parent: outer))
        construction.parent = position
        defer { construction.parent = outer }
        let block = Unmanaged.passUnretained(construction.block)
        return (FlagPlace(block: block, generation: construction.generation, position: UInt32(position)), make())
    }
}

/// The place of a flag or of a nested collection in a construction.
package struct FlagPlace: Sendable {
    /// Unmanaged, because blocks are never freed.
    let block: Unmanaged<FlagBlock>
    let generation: UInt32
    let position: UInt32

    /// Returns the position, if the place is in the given construction.
    package func position(in construction: FlagConstruction) -> Int? {
        let isInBlock = block._withUnsafeGuaranteedRef { $0 === construction.block }
        return isInBlock && generation == construction.generation ? Int(position) : nil
    }

    /// The loader's data and the number of the flag or collection, or `nil` if the loader is gone or has no such property.
    package var owner: (owner: any FlagOwner, ordinal: Int)? {
        guard let owner = block._withUnsafeGuaranteedRef({ $0.owner(in: generation) }) else { return nil }
        return owner.ordinal(at: Int(position)).map { (owner, $0) }
    }
}

/// A property wrapper that reflection finds.
package protocol FlagProperty: Sendable {
    /// Returns the place of a property and the collection that it holds, if any; `nil` if the value is of another type or
    /// has no place.
    static func contents(of property: Any) -> (place: FlagPlace?, collection: (any FlagCollectionProtocol)?)?
}
