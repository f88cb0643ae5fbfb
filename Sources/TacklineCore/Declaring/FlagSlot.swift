public import Synchronization

/// Where a flag's value is kept between two changes: what a read reads.
///
/// A ``Flag`` is an unmanaged pointer to a slot and a tag, so that copying flags and collections of flags costs nothing
/// (no reference is counted). What makes that safe:
///
/// 1. **A slot is never freed.** Its ``FlagHome`` keeps it for as long as the process runs and hands it out again. A
///    stray copy of a flag can therefore be out of date, but never dangling.
/// 2. **A slot is only ever used for one type of value**, that of its home, so a copy that reads during the change from
///    one life to the next reads bits of the right type. `Value` in the methods here is always that type.
/// 3. **A life has a number**, which is part of ``state`` and of each flag's tag. A copy that outlived its loader does
///    not match any more. A slot whose numbers are used up is not handed out again.
/// 4. **Nodes**, which hold values that are too big for a word, **stay as long as the slot**, since readers hold no
///    reference to them. Equal values share one, and there are at most ``nodeLimit``; beyond that, values are kept
///    under the lock.
///
/// `state` is `life (31 bits) | observed (1) | answered (1) | payload (31)`. While answered, the payload is the value
/// itself if it has at most three bytes, and `word` holds the bits of a trivial value of up to a word, or the address of
/// a node. A flag's tag is the upper 33 bits of an answered state of its life that is not observed, so one comparison
/// settles a plain read. While a loader takes part in Observation the bit *observed* is set: the comparison fails, and
/// the slower path registers the read and then answers from the same state.
/// While not answered, the payload is a number that each invalidation changes, the *token*: a resolver publishes only
/// by exchanging the very state that it saw before it asked the providers, so it can never leave an old value behind a
/// newer invalidation. (That the 31-bit number comes round to the same value during one resolution is not provided for.)
@usableFromInline
package final class FlagSlot: Sendable {
    @usableFromInline let state: Atomic<UInt64>
    @usableFromInline let word = Atomic<UInt>(0)
    let invalidations = Atomic<UInt32>(0)
    /// The address of a ``FlagObservable``, which stays as long as the slot, or 0. Set before *observed* is.
    let observableAddress = Atomic<UInt>(0)
    let cold = Mutex(Cold())
    let home: Unmanaged<FlagHome>

    /// The part that only slow paths touch.
    struct Cold: Sendable {
        var binding: Binding?
        /// Objects of type `FlagNode<Value>`.
        var nodes: [(encoded: EncodedFlagValue, node: any AnyObject & Sendable)] = []
        /// A `FlagNode<Value>` with the value that found no room among the nodes, and the state for which it stands.
        var kept: (state: UInt64, node: any AnyObject & Sendable)?
    }

    /// Who answers for the slot in its present life.
    struct Binding: Sendable {
        let owner: FlagOwnerReference
        /// `nil` for a collection.
        let declaration: (any DeclaredFlag)?
        let ordinal: Int
    }

    /// How many different values get a node of their own.
    package static let nodeLimit = 32

    /// - Parameter home: Lives as long as the process.
    init(home: FlagHome, life: UInt32) {
        self.home = Unmanaged.passUnretained(home)
        state = Atomic(UInt64(life) << 33)
    }

    /// The tag of the flags of a life.
    package static func tag(life: UInt32) -> UInt64 { UInt64(life) << 2 | 1 }

    /// The life that a tag belongs to.
    static func life(tag: UInt64) -> UInt64 { tag >> 2 }

    /// In a state, the bit that is set while reads are registered with Observation.
    @inlinable static var observedBit: UInt64 { 1 << 32 }
    /// How many lives there are at most: 31 bits, and the last one is never handed out.
    package static let lastLife: UInt32 = 0x7FFF_FFFF

    /// Identifies the slot: the first word of each flag that it answers for.
    var address: UInt { UInt(bitPattern: Unmanaged.passUnretained(self).toOpaque()) }

    /// The number of the present life.
    var life: UInt32 { UInt32(truncatingIfNeeded: state.load(ordering: .acquiring) >> 33) }

    // MARK: Lives

    /// Lets the slot answer for a flag or a collection of a loader.
    func bind(_ declaration: (any DeclaredFlag)?, to owner: FlagOwnerReference, ordinal: Int) {
        let binding = Binding(owner: owner, declaration: declaration, ordinal: ordinal)
        cold.withLock { $0.binding = binding }
    }

    /// Returns who answers for a life, or `nil` if nobody does.
    func binding(tag: UInt64) -> Binding? {
        cold.withLock { cold in
            state.load(ordering: .acquiring) >> 33 == FlagSlot.life(tag: tag) ? cold.binding : nil
        }
    }

    /// Makes the next read ask again, if the slot is still in the given life.
    package func invalidate(life: UInt32) {
        let token = UInt64(invalidations.add(1, ordering: .relaxed).newValue & 0x7FFF_FFFF)
        var current = state.load(ordering: .relaxed)
        while current >> 33 == UInt64(life) {
            let (exchanged, original) = state.compareExchange(
                expected: current,
                desired: UInt64(life) << 33 | current & FlagSlot.observedBit | token,
                ordering: .acquiringAndReleasing
            )
            if exchanged { return }
            current = original
        }
    }

    /// Ends a life: copies of the flag are told from later ones, and the slot can be taken again.
    package func endLife(_ life: UInt32) {
        let ended = cold.withLock { cold -> (Bool, Binding?, (any AnyObject & Sendable)?) in
            guard state.load(ordering: .relaxed) >> 33 == UInt64(life) else { return (false, nil, nil) }
            let ended = (true, cold.binding, cold.kept?.node)
            cold.binding = nil
            cold.kept = nil
            state.store(UInt64(life &+ 1) << 33, ordering: .releasing)
            return ended
        }
        // The binding and the value are let go here, outside of the lock: closures of a declaration may own anything,
        // and so may a value.
        defer { withExtendedLifetime(ended) {} }
        guard ended.0, life &+ 1 < FlagSlot.lastLife else { return }
        home._withUnsafeGuaranteedRef { $0.takeBack(self) }
    }
}

/// A value that is too big for a word.
@usableFromInline
package final class FlagNode<Value: FlagValue>: Sendable {
    @usableFromInline let value: Value

    init(_ value: Value) {
        self.value = value
    }
}
