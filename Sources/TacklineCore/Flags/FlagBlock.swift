import Synchronization

/// The slots of one loader.
///
/// A block is taken by a ``FlagConstruction``, bound to its loader in one step, and given back in one step when the loader's
/// data is deallocated. Blocks are never freed. The next loader of the same collection takes the block again, in a new
/// generation, so creating loaders in a loop doesn't use more and more memory.
package final class FlagBlock: Sendable {
    private struct State: Sendable {
        var generation: UInt32 = 1
        /// The loader's data, or `nil` while the collection is constructed and while the block is not in use.
        var owner: WeakFlagOwner?
        /// The number of the flag at each position, in the order of the collection's properties. -1 for a flag that is no
        /// property.
        var flagOrdinals: [Int] = []
        /// The same for the nested collections.
        var groupOrdinals: [Int] = []
        /// The slots by position, and behind them further slots for flags of another type or default.
        var slots: [FlagSlot] = []
    }

    private let state = Mutex(State())

    /// Keeps all blocks.
    private static let all = Mutex([FlagBlock]())

    private init() {}

    /// Returns a new block.
    package static func make() -> FlagBlock {
        let block = FlagBlock()
        all.withLock { $0.append(block) }
        return block
    }

    package var generation: UInt32 { state.withLock { $0.generation } }
    /// The slots by position, and behind them further slots for flags of another type or default.
    package var slots: [FlagSlot] { state.withLock { $0.slots } }

    // MARK: Use by a loader

    /// Binds the slots to a loader.
    package func bind(to owner: any FlagOwner, flagOrdinals: [Int], groupOrdinals: [Int], slots: [FlagSlot]) {
        let owner = WeakFlagOwner(owner)
        state.withLock { state in
            state.owner = owner
            state.flagOrdinals = flagOrdinals
            state.groupOrdinals = groupOrdinals
            state.slots = slots
        }
    }

    /// Ends the generation: copies of its flags don't match any more.
    ///
    /// - Returns: Whether the block can be used again. Its generations may be used up.
    package func endUse() -> Bool {
        let (slots, generation, owner) = state.withLock { state in
            defer { state.owner = nil }
            state.generation += 1
            return (state.slots, state.generation, state.owner)
        }
        withExtendedLifetime(owner) {}
        for slot in slots { withExtendedLifetime(slot.begin(generation: generation)) {} }
        return generation < FlagSlot.lastGeneration
    }

    /// Returns the owner in a generation and the ordinal of a flag.
    ///
    /// - Returns: As `isBound`, `false` if no loader was bound to the block in this generation yet.
    func owner(at position: Int, generation: UInt32) -> (owner: (any FlagOwner)?, ordinal: Int, isBound: Bool) {
        let (reference, ordinal, isOver) = state.withLock { state -> (WeakFlagOwner?, Int, Bool) in
            guard state.generation == generation else { return (nil, -1, true) }
            guard let reference = state.owner else { return (nil, -1, false) }
            return (reference, state.flagOrdinals[position], false)
        }
        guard ordinal >= 0 else { return (nil, -1, isOver) }
        // Loaded outside the lock, because releasing the owner may deallocate it, which ends the use of the block.
        guard let owner = reference?.owner else { return (nil, -1, true) }
        return (owner, ordinal, true)
    }

    /// Returns the owner in a generation and the ordinal of a nested collection, or `nil` if there is none.
    func owner(ofGroup position: Int, generation: UInt32) -> (owner: any FlagOwner, ordinal: Int)? {
        let (reference, ordinal) = state.withLock { state -> (WeakFlagOwner?, Int) in
            guard state.generation == generation, let reference = state.owner else { return (nil, -1) }
            return (reference, state.groupOrdinals[position])
        }
        // Loaded outside the lock, as that of a flag.
        guard ordinal >= 0, let owner = reference?.owner else { return nil }
        return (owner, ordinal)
    }

    /// Makes the next read of every flag of the process resolve it again.
    package static func invalidateAll() {
        for block in all.withLock({ $0 }) {
            let (slots, generation) = block.state.withLock { ($0.slots, $0.generation) }
            for slot in slots { slot.invalidate(generation: generation) }
        }
    }

    // MARK: Flags without a loader

    /// The declarations of flags without a loader, by the generation in their tags. Empty in a block of a loader.
    private let unboundDeclarations = Mutex([FlagDeclaration]())
    private static let unboundLimit = 64

    private struct UnboundKey: Hashable {
        let site: FlagSite
        let type: ObjectIdentifier
    }

    private static let unbound = Mutex([UnboundKey: (block: FlagBlock, slot: FlagSlot)]())

    /// Returns the slot that all flags without a loader share that are declared in one place, and a tag that identifies the
    /// default.
    ///
    /// Of more than 64 different defaults in one place, the later ones share one tag and return the last default.
    static func unboundSlot(for declaration: FlagDeclaration) -> (slot: Unmanaged<FlagSlot>, tag: UInt64) {
        let declaration = declaration.withoutClosures
        let key = UnboundKey(site: declaration.site, type: ObjectIdentifier(declaration.valueType))
        let (block, slot) = unbound.withLock { unbound in
            if let known = unbound[key] { return known }
            let block = FlagBlock.make()
            // No tag has this generation.
            let slot = FlagSlot(declaration, position: 0, block: block, generation: FlagSlot.lastGeneration)
            unbound[key] = (block, slot)
            return (block, slot)
        }
        let known = block.unboundDeclarations.withLock { $0 }
        // Compared outside the lock, because encoding a default may run foreign code.
        if let index = known.firstIndex(where: { $0.hasSameDefault(as: declaration) }) {
            return (Unmanaged.passUnretained(slot), FlagSlot.tag(generation: UInt32(index)))
        }
        let (index, replaced) = block.unboundDeclarations.withLock { known in
            let replaced = known.count == unboundLimit ? known.removeLast() : nil
            known.append(declaration)
            return (known.count - 1, replaced)
        }
        withExtendedLifetime(replaced) {}
        return (Unmanaged.passUnretained(slot), FlagSlot.tag(generation: UInt32(index)))
    }

    /// Reports a read of a flag that no loader answers for, and returns the default.
    func reportedDefault(of slot: FlagSlot, tag: UInt64, wasBound: Bool) -> ErasedFlagValue {
        let unbound = unboundDeclarations.withLock { known -> FlagDeclaration? in
            let index = Int(FlagSlot.generation(tag: tag))
            return known.indices.contains(index) ? known[index] : nil
        }
        let declaration = unbound ?? slot.declaration
        let isLoaderGone = wasBound && unbound == nil
        let message =
            isLoaderGone
            ? """
            The flag declared at \(declaration.site) was read after its loader was gone, so it returns its default. Keep \
            the FlagsLoader as long as copies of its flags and collections are used.
            """
            : """
            The flag declared at \(declaration.site) was read before a loader bound it, so it returns its default. Read \
            it through a FlagsLoader of its collection, and not in the collection's init.
            """
        FlagIssueReporter.current.report(FlagIssue(isLoaderGone ? .loaderGone : .unboundFlag, message: message))
        return declaration.defaultValue
    }
}

/// The data of a loader, as far as slots and handles need it. A loader's data conforms, and a probe of key paths.
package protocol FlagOwner: AnyObject, Sendable {
    /// Resolves a flag for a read, and reports its issues.
    ///
    /// Runs code of providers and computed flags, so the caller must hold no lock.
    ///
    /// - Returns: The value; its encoded form if it is lasting and doesn't fit in a word, so that equal values share a node;
    ///   and whether it may be cached until the slot is invalidated.
    func resolve(_ ordinal: Int) -> (value: ErasedFlagValue, encoded: EncodedFlagValue?, isLasting: Bool)

    /// Notes that a flag without a cached value is read while reads are registered with Observation.
    func flagIsObserved(_ ordinal: Int)
}

/// A weak reference to an owner.
package final class WeakFlagOwner: Sendable {
    // Safe: only the initializer writes it, and loading a weak reference is atomic. (From Swift 6.3: `weak let`.)
    @exclusivity(unchecked) nonisolated(unsafe) package private(set) weak var owner: (any FlagOwner)?

    package init(_ owner: any FlagOwner) { self.owner = owner }
}
