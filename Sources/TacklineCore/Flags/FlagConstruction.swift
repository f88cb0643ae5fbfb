/// The construction of a collection for a loader. It gives each flag a slot and records the declarations in their
/// order.
///
/// A construction belongs to one thread. The loader makes it current on that thread while it calls the collection's
/// `init()`. A flag that is created without a current construction is not bound to a loader.
package final class FlagConstruction {
    package enum Declaration: Sendable {
        case flag(FlagDeclaration)
        case collection(FlagCollectionDeclaration)

        package var site: FlagSite {
            switch self {
            case .flag(let flag): flag.site
            case .collection(let collection): collection.site
            }
        }

        /// Returns whether two declarations have the same arguments. Closures are ignored.
        package func isSame(as other: Declaration) -> Bool {
            switch (self, other) {
            case (.flag(let left), .flag(let right)): left.isSame(as: right)
            case (.collection(let left), .collection(let right)): left.isSame(as: right)
            default: false
            }
        }
    }

    /// The declarations of an earlier construction of the collection, without closures.
    private let expected: [Declaration]
    package let block: FlagBlock
    package let generation: UInt32
    private let tag: UInt64

    /// The slots of the flags, in the order of construction. They are followed by further slots of the block.
    // A construction is used by one thread, so exclusive access needs no check at run time.
    @exclusivity(unchecked) package private(set) var slots: [Unmanaged<FlagSlot>]
    @exclusivity(unchecked) package private(set) var flagCount = 0
    @exclusivity(unchecked) package private(set) var collectionCount = 0
    /// The declarations with closures, by their positions among the flags.
    package private(set) var computedFlags: [(position: Int, declaration: FlagDeclaration)] = []
    /// The declarations without closures, or `nil` if they are the expected ones so far.
    @exclusivity(unchecked) private var differing: [Declaration]?
    @exclusivity(unchecked) private var count = 0
    /// The types of collections whose flags are not properties.
    package private(set) var listedTypes: [any ListedFlagCollection.Type] = []
    /// The lists of flags that were created for these collections.
    package private(set) var lists: [any FlagList] = []

    /// - Parameters:
    ///   - expected: The declarations of an earlier construction of the collection; empty if there was none.
    ///   - block: A block that is not in use.
    package init(expected: [Declaration], block: FlagBlock) {
        self.expected = expected
        self.block = block
        generation = block.generation
        tag = FlagSlot.tag(generation: generation)
        slots = block.slots
    }

    /// Calls `make` with this construction as the current one of the thread.
    package func construct<Collection>(_ make: () -> Collection) -> Collection {
        FlagConstruction.current.withValue(self, make)
    }

    /// Calls a closure without a current construction, so that flags which are created in it are not part of one.
    static func withoutConstruction<Success>(_ body: () -> Success) -> Success { current.withValue(nil, body) }

    /// The declarations of the construction without closures, in their order.
    package var declarations: [Declaration] { differing ?? Array(expected.prefix(count)) }
    /// Whether the declarations are the expected ones.
    package var isExpected: Bool { differing == nil && count == expected.count }

    private static let current = ThreadLocal<FlagConstruction>()

    // MARK: Flags

    /// Returns the slot and the tag of a new flag.
    static func slot(for declaration: FlagDeclaration) -> (Unmanaged<FlagSlot>, tag: UInt64) {
        guard let construction = current.value else {
            let (slot, tag) = FlagBlock.unboundSlot(for: declaration)
            return (slot, tag)
        }
        return construction.slot(for: declaration)
    }

    /// Returns the slot and the tag of a new flag without closures and bounds. Allocates no declaration if the arguments are the
    /// expected ones.
    static func slot<Value: FlagValue>(
        name: String?, key: FlagKey?, defaultValue: Value, excludedProviderTypes: [ObjectIdentifier],
        updatePolicy: FlagUpdatePolicy, metadata: FlagMetadata, site: FlagSite
    ) -> (Unmanaged<FlagSlot>, tag: UInt64) {
        if let construction = current.value, let expected = construction.expectedFlag,
            expected.isSame(
                site: site, valueType: Value.self, key: key, name: name, metadata: metadata,
                excludedProviderTypes: excludedProviderTypes, updatePolicy: updatePolicy),
            expected.bounds == nil, expected.hasDefault(defaultValue)
        {
            construction.count += 1
            return (construction.nextSlot(for: expected), construction.tag)
        }
        return slot(
            for: FlagDeclaration(
                name: name, key: key, defaultValue: defaultValue, excludedProviderTypes: excludedProviderTypes,
                updatePolicy: updatePolicy, metadata: metadata, site: site))
    }

    private var expectedFlag: FlagDeclaration? {
        guard differing == nil, count < expected.count, case .flag(let flag) = expected[count] else { return nil }
        return flag
    }

    private func slot(for declaration: FlagDeclaration) -> (Unmanaged<FlagSlot>, tag: UInt64) {
        if declaration.isComputed { computedFlags.append((flagCount, declaration)) }
        let kept: FlagDeclaration
        if let expected = expectedFlag, declaration === expected || declaration.isSame(as: expected) {
            kept = expected
            count += 1
        } else {
            kept = declaration.withoutClosures
            record(.flag(kept))
        }
        return (nextSlot(for: kept), tag)
    }

    private func nextSlot(for declaration: FlagDeclaration) -> Unmanaged<FlagSlot> {
        let position = flagCount
        flagCount += 1
        if position < slots.count {
            let isUsable = slots[position]._withUnsafeGuaranteedRef {
                // Nearly always the slot was created for this declaration.
                $0.declaration === declaration
                    || $0.position == position && $0.declaration.hasSameDefault(as: declaration)
            }
            if isUsable { return slots[position] }
        }
        return furtherSlot(at: position, for: declaration)
    }

    /// The maximum number of slots of a block for one flag. A flag with more defaults than that shares the last slot of
    /// its type, so a stale copy may return another default.
    private static let slotLimit = 32

    /// Returns a slot for a declaration that the slot at the position doesn't fit, and moves it to the position.
    private func furtherSlot(at position: Int, for declaration: FlagDeclaration) -> Unmanaged<FlagSlot> {
        func known(_ index: Int) -> FlagSlot { slots[index].takeUnretainedValue() }
        let candidates = slots.indices.dropFirst(position).filter {
            known($0).position == position && known($0).declaration.valueType == declaration.valueType
        }
        let index: Int
        if let same = candidates.first(where: { known($0).declaration.hasSameDefault(as: declaration) }) {
            index = same
        } else if candidates.count >= FlagConstruction.slotLimit, let last = candidates.last {
            index = last
        } else {
            index = slots.count
            // Never released: see `FlagSlot`.
            slots.append(
                .passRetained(FlagSlot(declaration, position: position, block: block, generation: generation)))
        }
        slots.swapAt(position, index)
        return slots[position]
    }

    // MARK: Collections

    /// Returns the block of a new nested collection, and a tag with its position; `nil` without a current construction.
    static func place(of declaration: FlagCollectionDeclaration) -> (block: Unmanaged<FlagBlock>, tag: UInt64)? {
        guard let construction = current.value else { return nil }
        let position = construction.collectionCount
        construction.collectionCount += 1
        if construction.differing == nil, construction.count < construction.expected.count,
            case .collection(let expected) = construction.expected[construction.count], declaration.isSame(as: expected)
        {
            construction.count += 1
        } else {
            construction.record(.collection(declaration))
        }
        return (Unmanaged.passUnretained(construction.block), UInt64(construction.generation) << 32 | UInt64(position))
    }

    /// Records the type of a collection whose flags are not properties.
    package static func noteListedFlags(of type: any ListedFlagCollection.Type) {
        guard let construction = current.value, !construction.listedTypes.contains(where: { $0 == type }) else {
            return
        }
        construction.listedTypes.append(type)
    }

    /// Adds a list of flags to the current construction. The loader ends the list's use when it gives its block back.
    ///
    /// - Returns: `false`, with nothing added, if there is no current construction.
    package static func add(_ list: any FlagList) -> Bool {
        current.value?.lists.append(list)
        return current.value != nil
    }

    private func record(_ declaration: Declaration) {
        if differing == nil { differing = Array(expected.prefix(count)) }
        differing?.append(declaration)
        count += 1
    }
}

/// A collection whose flags are not properties, such as the cases of an enum, so that reflection doesn't find them.
///
/// Its `init()` calls ``FlagConstruction/noteListedFlags(of:)``.
package protocol ListedFlagCollection: FlagCollectionProtocol {
    /// The flags in the order of their construction, each with a name in place of a property's.
    var listedFlags: [(name: String, slot: Unmanaged<FlagSlot>)] { get }
}

extension ListedFlagCollection {
    /// Returns the flags of a collection in a value, or `nil` if the value is of another type.
    package static func listedFlags(in value: Any) -> [(name: String, slot: Unmanaged<FlagSlot>)]? {
        (value as? Self)?.listedFlags
    }
}

/// A list of flags that are not properties. Like a ``FlagBlock`` it is never freed, and it is used again.
package protocol FlagList: AnyObject, Sendable {
    /// Ends the current generation, so that copies of the flags are stale.
    func endUse()
}
