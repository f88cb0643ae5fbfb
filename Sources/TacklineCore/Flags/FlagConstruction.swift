/// The construction of a collection for a loader. It gives each flag a slot, and records the declarations in their order.
///
/// A construction belongs to one thread. The loader makes it current on that thread while it calls the collection's
/// `init()`. A flag that is created without a current construction is not bound to a loader.
package final class FlagConstruction {
    package let block: FlagBlock
    package let generation: UInt32
    // A construction is used by one thread, so exclusive access needs no check at run time.
    @exclusivity(unchecked) package private(set) var flags: [FlagDeclaration] = []
    /// The number of the nested collection around each flag, or -1.
    @exclusivity(unchecked) private(set) var flagParents: [Int] = []
    @exclusivity(unchecked) package private(set) var groups: [FlagCollectionDeclaration] = []
    /// The slots of the flags, followed by further slots of the block.
    @exclusivity(unchecked) package private(set) var slots: [Unmanaged<FlagSlot>]
    /// The number of the nested collection that is being constructed, or -1 for the root.
    @exclusivity(unchecked) private var group = -1
    /// A hash of the places, types and keys of all flags and nested collections in their order.
    ///
    /// Each step of it is reversible, so constructions that differ in one part never have the same signature, and others
    /// have it with a probability of 2⁻⁶⁴.
    @exclusivity(unchecked) private(set) var signature: UInt64 = 0

    private static let current = ThreadLocal<FlagConstruction>()

    package init(of type: any FlagCollectionProtocol.Type) {
        (block, generation, slots) = FlagBlock.take(for: ObjectIdentifier(type))
        flags.reserveCapacity(slots.count)
        flagParents.reserveCapacity(slots.count)
    }

    package func construct<Collection>(_ make: () -> Collection) -> Collection { Self.current.withValue(self, make) }

    static func slot(for declaration: FlagDeclaration) -> (Unmanaged<FlagSlot>, tag: UInt64) {
        guard let construction = current.value else { return FlagBlock.unboundSlot(for: declaration) }
        return (construction.nextSlot(for: declaration), FlagSlot.tag(generation: construction.generation))
    }

    private func nextSlot(for declaration: FlagDeclaration) -> Unmanaged<FlagSlot> {
        let number = flags.count
        flags.append(declaration)
        flagParents.append(group)
        sign(declaration.site, ObjectIdentifier(declaration.valueType), key: declaration.key?.hashValue ?? 0)
        // Nearly always the first one that is looked at fits.
        for index in number..<slots.count {
            guard slots[index]._withUnsafeGuaranteedRef({ $0.take(for: declaration, number) }) else { continue }
            if index > number { slots.swapAt(number, index) }
            return slots[number]
        }
        // Never released: see `FlagSlot`.
        slots.append(.passRetained(FlagSlot(declaration, number: number, block: block, generation: generation)))
        slots.swapAt(number, slots.count - 1)
        return slots[number]
    }

    private func sign(_ site: FlagSite, _ type: ObjectIdentifier, key: Int) {
        func add(_ part: UInt) {
            signature = (signature ^ UInt64(part)) &* 0x9E37_79B9_7F4A_7C15
            signature ^= signature >> 32
        }
        add(site.address)
        add(site.line << 16 ^ site.column)
        add(UInt(bitPattern: type))
        add(UInt(bitPattern: key))
        add(UInt(bitPattern: group))
    }

    /// Constructs a nested collection, and returns its place, or `nil` if there is no current construction.
    static func construct<Group>(
        _ declaration: consuming FlagCollectionDeclaration, _ make: () -> Group
    ) -> (place: FlagPlace?, group: Group) {
        guard let construction = current.value else { return (nil, make()) }
        let (number, outer) = (construction.groups.count, construction.group)
        declaration.parent = outer
        let type = ObjectIdentifier(declaration.property)
        construction.sign(declaration.site, type, key: declaration.keyConfiguration.hashValue)
        construction.groups.append(declaration)
        construction.group = number
        defer { construction.group = outer }
        let block = Unmanaged.passUnretained(construction.block)
        return (FlagPlace(block: block, generation: construction.generation, number: number), make())
    }
}

/// The place of a flag or of a nested collection in a construction.
package struct FlagPlace: Sendable {
    /// Unmanaged, because blocks are never freed.
    let block: Unmanaged<FlagBlock>
    let generation: UInt32
    /// The number among the flags, or among the nested collections.
    let number: Int

    var owner: (any FlagOwner)? { block._withUnsafeGuaranteedRef { $0.owner(in: generation) } }

    package func isIn(_ construction: FlagConstruction) -> Bool {
        block._withUnsafeGuaranteedRef { $0 === construction.block } && generation == construction.generation
    }
}

/// A property wrapper that reflection finds.
package protocol FlagProperty: Sendable {
    /// Returns the place of a flag or of a nested collection, if it has one, and the collection; `nil` if the property is
    /// of another type.
    static func contents(of property: Any) -> (place: FlagPlace?, collection: (any FlagCollectionProtocol)?)?
}
