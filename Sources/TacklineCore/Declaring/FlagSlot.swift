public import Synchronization

/// Keeps the value of a flag from one change to the next; reads are answered from it.
///
/// A ``Flag`` is an unmanaged pointer to a slot and a tag, so that copying flags counts no references. What makes that
/// safe:
///
/// 1. **A slot is never freed.** Its ``FlagHome`` keeps it as long as the process runs, and uses it again. A stray copy of
///    a flag may be out of date, but never dangles.
/// 2. **A slot holds values of one type only**, that of its home, so a copy that reads while one life ends and the next
///    begins reads bits of the right type. `Value` in the methods here is always that type.
/// 3. **Lives are numbered.** A life is the use of the slot by one loader; its number is part of ``state`` and of each
///    flag's tag, so a copy that outlived its loader no longer matches. When its numbers are used up, a slot is retired.
/// 4. **Nodes are never freed either.** They hold values that are too big for a word, and readers hold no reference to
///    them. Equal values share one. There are at most ``nodeLimit``, of ``nodeByteLimit`` bytes together; beyond that the
///    present value is kept under the lock, and reading it takes the lock.
///
/// `state` is `life (31 bits) | observed (1) | answered (1) | payload (31)`. While answered, the payload is the value
/// itself if it has at most three bytes, and `word` holds the bits of a trivial value of up to a word, or the address of
/// a node. A flag's tag is the upper 33 bits of an answered state of its life that is not observed, so a plain read needs
/// one comparison. While a loader takes part in Observation the bit *observed* is set: the comparison fails, and the
/// slower path registers the read and then answers from the same state.
///
/// While not answered, the payload is the *token*, a number that each invalidation changes. A resolver publishes by
/// exchanging the state that it saw before it asked the providers, so it can never publish an old value after a newer
/// invalidation (unless the 31-bit token wraps around to the same number during one resolution).
@usableFromInline
package final class FlagSlot: Sendable {
    @usableFromInline let state: Atomic<UInt64>
    @usableFromInline let word = Atomic<UInt>(0)
    let invalidations = Atomic<UInt32>(0)
    /// The address of a ``FlagObservable``, which stays as long as the slot, or 0. Set before *observed* is.
    let observableAddress = Atomic<UInt>(0)
    /// The slot's number among those that its loader took. Valid only while the loader is made.
    let number = Atomic<Int>(0)
    let cold = Mutex(Cold())
    let home: Unmanaged<FlagHome>

    /// The part that only slow paths use.
    struct Cold: Sendable {
        var binding: Binding?
        /// Each with the neutral form of its value.
        var nodes: [(encoded: EncodedFlagValue, node: any AnyObject & Sendable)] = []
        var nodeBytes = 0
        /// The present value if it has no node, and the state to which it belongs.
        var kept: (state: UInt64, value: ErasedFlagValue)?
    }

    /// Who answers for the slot in its present life.
    struct Binding: Sendable {
        let owner: FlagOwnerReference
        /// `nil` for a collection.
        let declaration: FlagDeclaration?
        let ordinal: Int
    }

    package static let nodeLimit = 32
    /// About how many bytes the values of all nodes may take together.
    package static let nodeByteLimit = 65_536

    /// - Parameter home: Lives as long as the process.
    init(home: FlagHome, life: UInt32) {
        self.home = Unmanaged.passUnretained(home)
        state = Atomic(UInt64(life) << 33)
    }

    /// Whether a value is its own payload.
    @inlinable
    static func isInline<Value>(_ type: Value.Type) -> Bool { _isPOD(type) && MemoryLayout<Value>.size <= 3 }

    /// Whether a value's bits fit in ``word``.
    @inlinable
    static func isWord<Value>(_ type: Value.Type) -> Bool {
        _isPOD(type) && MemoryLayout<Value>.size <= MemoryLayout<UInt>.size
    }

    package static func tag(life: UInt32) -> UInt64 { UInt64(life) << 2 | 1 }

    static func life(tag: UInt64) -> UInt64 { tag >> 2 }

    /// The bit of a state that is set while reads are registered with Observation.
    @inlinable static var observedBit: UInt64 { 1 << 32 }
    /// The last number of 31 bits. A slot is not used again when it gets there.
    package static let lastLife: UInt32 = 0x7FFF_FFFF

    var life: UInt32 { UInt32(truncatingIfNeeded: state.load(ordering: .acquiring) >> 33) }

    // MARK: Lives

    /// Makes the slot belong to a flag or a collection of a loader.
    ///
    /// - Parameter declaration: `nil` for a collection.
    func bind(_ declaration: FlagDeclaration?, to owner: FlagOwnerReference, ordinal: Int) {
        let binding = Binding(owner: owner, declaration: declaration, ordinal: ordinal)
        cold.withLock { $0.binding = binding }
    }

    /// Returns the binding, or `nil` if the tag is of another life or the owner is gone.
    func binding(tag: UInt64) -> FlagBinding? {
        let binding = cold.withLock { cold in
            state.load(ordering: .acquiring) >> 33 == FlagSlot.life(tag: tag) ? cold.binding : nil
        }
        guard let binding, let owner = binding.owner.owner else { return nil }
        return FlagBinding(owner: owner, declaration: binding.declaration, ordinal: binding.ordinal)
    }

    /// Makes the next read resolve the flag again, if the slot is still in the given life.
    package func invalidate(life: UInt32) {
        let token = UInt64(invalidations.add(1, ordering: .relaxed).newValue & 0x7FFF_FFFF)
        var current = state.load(ordering: .relaxed)
        while current >> 33 == UInt64(life) {
            let (exchanged, original) = state.compareExchange(
                expected: current, desired: UInt64(life) << 33 | current & FlagSlot.observedBit | token,
                ordering: .acquiringAndReleasing
            )
            if exchanged { return }
            current = original
        }
    }

    /// Ends a life, if it is the present one: copies of the flag no longer match, and the slot can be taken again.
    package func endLife(_ life: UInt32) {
        let ended = cold.withLock { cold -> (isEnded: Bool, Binding?, ErasedFlagValue?) in
            guard state.load(ordering: .relaxed) >> 33 == UInt64(life) else { return (false, nil, nil) }
            let ended = (true, cold.binding, cold.kept?.value)
            cold.binding = nil
            cold.kept = nil
            state.store(UInt64(life &+ 1) << 33, ordering: .releasing)
            return ended
        }
        // The binding and the value are released outside of the lock, since that may run foreign code.
        defer { withExtendedLifetime(ended) {} }
        guard ended.isEnded, life &+ 1 < FlagSlot.lastLife else { return }
        home._withUnsafeGuaranteedRef { $0.takeBack(self) }
    }
}

/// Resolves flags for their slots. The core of a loader conforms, in a higher layer.
package protocol FlagOwner: AnyObject, Sendable {
    /// Resolves the flag with the given ordinal, and reports its issues.
    ///
    /// Runs code of providers and computed flags, so do not call it under a lock.
    func resolve(_ declaration: FlagDeclaration, ordinal: Int) -> FlagAnswer

    /// Called when a flag without a present value is read while reads are registered with Observation.
    func flagIsObserved(_ ordinal: Int)
}

package struct FlagAnswer: Sendable {
    package let value: ErasedFlagValue
    /// The neutral form of a lasting value that is too big for a word; equal ones then share a node.
    package let encoded: EncodedFlagValue?
    /// Whether the value may be kept until the slot is invalidated.
    package let isLasting: Bool
}

/// The loader's part of a flag or a nested collection. Keeps the owner alive.
package struct FlagBinding: Sendable {
    package let owner: any FlagOwner
    /// `nil` for a collection.
    package let declaration: FlagDeclaration?
    package let ordinal: Int
}

/// A weak reference from slots to their owner; all slots of a loader share one.
package final class FlagOwnerReference: Sendable {
    // Safe: only the initializer writes it, and loading a weak reference is atomic. (From Swift 6.3: `weak let`.)
    @exclusivity(unchecked) nonisolated(unsafe) package private(set) weak var owner: (any FlagOwner)?

    package init(_ owner: any FlagOwner) { self.owner = owner }
}
