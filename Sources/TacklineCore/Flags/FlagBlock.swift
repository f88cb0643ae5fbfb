import Synchronization

/// The slots of one loader.
///
/// A block is taken by a ``FlagConstruction``, bound to its loader in one step, and given back in one step when the
/// loader's data is deallocated. Blocks are never freed. The next loader of the same collection takes the block again,
/// in a new generation, so creating loaders in a loop doesn't use more and more memory.
package final class FlagBlock: Sendable {
    private struct State: Sendable {
        var generation: UInt32 = 1
        /// The loader's data, or `nil` while the collection is constructed and while the block is not in use.
        weak var owner: (any FlagOwner)?
        /// The slots of the flags, and behind them further slots for flags of another type. They are never freed, so no
        /// references are counted.
        var slots: [Unmanaged<FlagSlot>] = []
    }

    private let state = ReadMostly(State())
    private let collection: ObjectIdentifier

    private static let all = Mutex([FlagBlock]())
    /// Those that are not in use, the last one at the end.
    private static let free = Mutex([FlagBlock]())

    private init(_ collection: ObjectIdentifier) {
        self.collection = collection
        FlagBlock.all.withLock { $0.append(self) }
    }

    /// Takes a free block of a collection type or makes one. Returns it with its generation and slots.
    static func take(
        for collection: ObjectIdentifier
    ) -> (block: FlagBlock, generation: UInt32, slots: [Unmanaged<FlagSlot>]) {
        let known = free.withLock { free in
            free.lastIndex { $0.collection == collection }.map { free.remove(at: $0) }
        }
        let block = known ?? FlagBlock(collection)
        return block.state.read { unsafe (block, $0.pointee.generation, $0.pointee.slots) }
    }

    package func bind(_ slots: [Unmanaged<FlagSlot>], to owner: any FlagOwner) {
        state.withLock { state in
            state.slots = slots
            state.owner = owner
        }
    }

    /// Ends the generation, so that copies of its flags are stale, and makes the block free.
    package func endUse() {
        let (slots, generation) = state.withLock { state in
            state.owner = nil
            state.generation += 1
            return (state.slots, state.generation)
        }
        for slot in slots { slot._withUnsafeGuaranteedRef { $0.begin(generation: generation) } }
        guard generation < FlagSlot.lastGeneration else { return }
        FlagBlock.free.withLock { $0.append(self) }
    }

    func owner(in generation: UInt32) -> (any FlagOwner)? {
        // The owner is released outside the lock, because that may deallocate it, which ends the use of the block.
        state.read { unsafe $0.pointee.generation == generation ? $0.pointee.owner : nil }
    }

    static func invalidateAll() {
        for block in all.withLock({ $0 }) {
            let (slots, generation) = block.state.read { unsafe ($0.pointee.slots, $0.pointee.generation) }
            for slot in slots { slot._withUnsafeGuaranteedRef { $0.invalidate(generation: generation) } }
        }
    }

    // MARK: Flags without a loader

    /// Never bound.
    private static let unbound = FlagBlock(ObjectIdentifier(FlagBlock.self))
    private static let unboundSlots = Mutex([FlagSite: [ObjectIdentifier: [Unmanaged<FlagSlot>]]]())
    private static let unboundLimit = 64

    /// The first 64 flags that are declared in one place have slots of their own, which keep their defaults. Further
    /// ones share a slot and its default.
    static func unboundSlot(for declaration: FlagDeclaration) -> (slot: Unmanaged<FlagSlot>, tag: UInt64) {
        let (site, type) = (declaration.site, ObjectIdentifier(declaration.valueType))
        let slot = unboundSlots.withLock { known in
            if let slots = known[site]?[type], slots.count > unboundLimit { return slots[unboundLimit] }
            // Never released: see `FlagSlot`.
            let new = Unmanaged.passRetained(FlagSlot(declaration, number: 0, block: unbound, generation: 1))
            known[site, default: [:]][type, default: []].append(new)
            return new
        }
        return (slot, FlagSlot.tag(generation: 1))
    }

    func reportRead(of site: FlagSite, in generation: UInt32) {
        let isGone = state.read { unsafe $0.pointee.generation } != generation
        let message =
            isGone
            ? """
            The flag declared at \(site) was read after its loader was gone, so it returns its default. Keep the \
            FlagsLoader as long as copies of its flags and collections are used.
            """
            : """
            The flag declared at \(site) was read before a loader bound it, so it returns its default. Read it through a \
            FlagsLoader of its collection, and not in the collection's init.
            """
        FlagIssueReporter.current.report(FlagError(isGone ? .loaderGone : .unboundFlag, message))
    }
}

/// The owner of slots, which answers for their flags.
package protocol FlagOwner: AnyObject, Sendable {
    /// Returns the number of a flag or of a nested collection in the order of the properties, given that in the order of
    /// construction; `nil` if it is not a property.
    func ordinal(of number: Int, isGroup: Bool) -> Int?

    /// Resolves a flag for a read, and reports its issues.
    ///
    /// Runs code of providers and computed flags, so the caller must hold no lock.
    ///
    /// - Parameter isObserved: Whether reads are registered with Observation.
    /// - Returns: `isLasting` is whether the value may be cached until the slot is invalidated. `encoded` is not `nil`
    ///   only for a lasting value that doesn't fit in a word; values with the same encoded form share a node.
    func resolve(
        _ ordinal: Int, isObserved: Bool
    ) -> (value: ErasedFlagValue, encoded: EncodedFlagValue?, isLasting: Bool)
}
