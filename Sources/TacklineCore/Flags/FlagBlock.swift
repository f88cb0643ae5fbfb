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
        /// Whether an owner was set in this generation.
        var isBound = false
        /// The ordinal of the flag at each position. An ordinal is the number of a flag in the order of the properties,
        /// or -1 for a flag that is not a property.
        var flagOrdinals: [Int] = []
        /// The ordinal of the nested collection at each position.
        var groupOrdinals: [Int] = []
        /// The slots by position, and behind them further slots for flags of another type or default. They are never
        /// freed, so no references are counted.
        var slots: [Unmanaged<FlagSlot>] = []
    }

    private let state = Mutex(State())

    /// All blocks of the process, so that none is freed.
    private static let all = Mutex([FlagBlock]())

    private init() {}

    /// Returns a new block, which exists as long as the process.
    package static func make() -> FlagBlock {
        let block = FlagBlock()
        all.withLock { $0.append(block) }
        return block
    }

    package var generation: UInt32 { state.withLock { $0.generation } }
    /// The slots by position, and behind them further slots for flags of another type or default.
    package var slots: [Unmanaged<FlagSlot>] { state.withLock { $0.slots } }

    // MARK: Use by a loader

    /// Binds the slots to a loader.
    package func bind(
        to owner: any FlagOwner, flagOrdinals: [Int], groupOrdinals: [Int], slots: [Unmanaged<FlagSlot>]
    ) {
        state.withLock { state in
            state.owner = owner
            state.isBound = true
            state.flagOrdinals = flagOrdinals
            state.groupOrdinals = groupOrdinals
            state.slots = slots
        }
        if !issueLog.isEmpty { issueLog.resolveAll([.unboundFlag, .loaderGone]) }
    }

    /// Ends the generation, so that copies of its flags are stale.
    ///
    /// - Returns: Whether the block can be used again. It can't after its last generation.
    package func endUse() -> Bool {
        let (slots, generation) = state.withLock { state in
            state.owner = nil
            state.isBound = false
            state.generation += 1
            return (state.slots, state.generation)
        }
        for slot in slots {
            withExtendedLifetime(slot._withUnsafeGuaranteedRef { $0.begin(generation: generation) }) {}
        }
        return generation < FlagSlot.lastGeneration
    }

    /// Returns the owner that answers for the flag at a position, and the flag's ordinal.
    ///
    /// - Returns: `owner` is `nil` if no owner answers. Then `isBound` is `true` if the owner is gone, and `false` if
    ///   none was bound.
    func owner(at position: Int, generation: UInt32) -> (owner: (any FlagOwner)?, ordinal: Int, isBound: Bool) {
        // The owner is released outside the lock, because that may deallocate it, which ends the use of the block.
        state.withLock { state in
            guard state.generation == generation else { return (nil, -1, true) }
            guard state.isBound, state.flagOrdinals[position] >= 0 else { return (nil, -1, false) }
            return state.owner.map { ($0, state.flagOrdinals[position], true) } ?? (nil, -1, true)
        }
    }

    /// Returns the owner in a generation and the ordinal of a nested collection, or `nil` if there is none.
    func owner(ofGroup position: Int, generation: UInt32) -> (owner: any FlagOwner, ordinal: Int)? {
        // Released outside the lock, as that of a flag.
        state.withLock { state in
            guard state.generation == generation, state.isBound, state.groupOrdinals[position] >= 0 else { return nil }
            return state.owner.map { ($0, state.groupOrdinals[position]) }
        }
    }

    /// Invalidates every flag of the process.
    package static func invalidateAll() {
        for block in all.withLock({ $0 }) {
            let (slots, generation) = block.state.withLock { ($0.slots, $0.generation) }
            for slot in slots { slot._withUnsafeGuaranteedRef { $0.invalidate(generation: generation) } }
        }
    }

    // MARK: Flags without a loader

    /// The reads of flags without a loader. A new loader of the collection resolves them.
    private let issueLog = FlagIssueLog()
    /// The declarations of flags without a loader, indexed by the generations in their tags. It is empty in a loader's
    /// block.
    private let unboundDeclarations = Mutex([FlagDeclaration]())
    private static let unboundLimit = 64

    private struct UnboundKey: Hashable {
        let site: FlagSite
        let type: ObjectIdentifier
    }

    private static let unbound = Mutex([UnboundKey: (block: FlagBlock, slot: FlagSlot)]())

    /// Returns the slot and the tag of a flag without a loader. Flags that are declared in one place share a slot, and
    /// the tag distinguishes their defaults.
    ///
    /// A slot has tags for 64 different defaults. Further flags share the last tag and return the default that was
    /// declared last.
    static func unboundSlot(for declaration: FlagDeclaration) -> (slot: Unmanaged<FlagSlot>, tag: UInt64) {
        let declaration = declaration.withoutClosures
        let key = UnboundKey(site: declaration.site, type: ObjectIdentifier(declaration.valueType))
        let (block, slot) = unbound.withLock { unbound in
            if let known = unbound[key] { return known }
            let block = FlagBlock.make()
            // A generation that no tag has, so no read finds a cached value.
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
            The flag declared at \(declaration.site) was read after its loader was gone, so it returns its default. \
            Keep the FlagsLoader as long as copies of its flags and collections are used.
            """
            : """
            The flag declared at \(declaration.site) was read before a loader bound it, so it returns its default. \
            Read it through a FlagsLoader of its collection, and not in the collection's init.
            """
        issueLog.report(
            FlagIssue(isLoaderGone ? .loaderGone : .unboundFlag, message: message), detail: message, to: [.current])
        return declaration.defaultValue
    }
}

/// The owner of slots, which answers for their flags: a loader's data, or a probe of key paths.
package protocol FlagOwner: AnyObject, Sendable {
    /// Resolves a flag for a read, and reports its issues.
    ///
    /// Runs code of providers and computed flags, so the caller must hold no lock.
    ///
    /// - Returns: `isLasting` is whether the value may be cached until the slot is invalidated. `encoded` is not `nil`
    ///   only for a lasting value that doesn't fit in a word; values with the same encoded form share a node.
    func resolve(_ ordinal: Int) -> (value: ErasedFlagValue, encoded: EncodedFlagValue?, isLasting: Bool)

    /// Records that a flag without a cached value is read while reads are registered with Observation.
    ///
    /// - Parameter value: The value that the read returns, or `nil` before the flag is resolved.
    func flagIsObserved(_ ordinal: Int, value: ErasedFlagValue?)
}
