public import Synchronization

/// Where a flag's value is kept between two changes: what a read reads.
///
/// A ``Flag`` is an unmanaged pointer to a slot and a tag, so that copying flags and collections of flags costs nothing
/// (no reference is counted). What makes that safe:
///
/// 1. **A slot is never freed.** Its ``FlagHome`` keeps it for as long as the process runs and hands it out again. A
///    stray copy of a flag can therefore be out of date, but never dangling.
/// 2. **A slot is only ever used for one type of value**, that of its home, so a copy that reads during the change from
///    one life to the next reads bits of the right type.
/// 3. **A life has a number**, which is part of ``state`` and of each flag's tag. A copy that outlived its loader does
///    not match any more. A slot whose numbers are used up is not handed out again.
/// 4. **Nodes**, which hold values that are too big for a word, **stay as long as the slot**, since readers hold no
///    reference to them. Equal values share one, and there are at most ``nodeLimit``; beyond that, values are kept
///    under the lock.
///
/// `state` is `life (32 bits) | answered (1) | payload (31)`. While answered, the payload is the value itself if it
/// has at most three bytes, and `word` holds the bits of a trivial value of up to a word, or the address of a node.
/// While not answered, the payload is a number that each invalidation changes, the *token*: a resolver publishes only
/// by exchanging the very state that it saw before it asked the providers, so it can never leave an old value behind a
/// newer invalidation. (That the 31-bit number comes round to the same value during one resolution is not provided for.)
@usableFromInline
package final class FlagSlot<Value: FlagValue>: Sendable {
    @usableFromInline let state: Atomic<UInt64>
    @usableFromInline let word = Atomic<UInt>(0)
    private let invalidations = Atomic<UInt32>(0)
    private let cold = Mutex(Cold())
    private let home: Unmanaged<FlagHome<Value>>

    private struct Cold {
        var binding: Binding?
        var nodes: [(encoded: EncodedFlagValue, node: FlagNode<Value>)] = []
        /// The value that does not get a node any more, and the state for which it stands.
        var kept: (state: UInt64, value: Value)?

        struct Ending: Sendable {
            let declaration: FlagDeclaration<Value>?
        }
    }

    private struct Binding {
        weak var owner: (any FlagOwner)?
        let declaration: FlagDeclaration<Value>
        let ordinal: Int
    }

    /// What a read that found no answer has to do.
    private enum Question {
        case answered(Value)
        case ask(any FlagOwner, FlagDeclaration<Value>, Int, token: UInt64)
        case unbound
        case gone
    }

    /// How many different values get a node of their own.
    package static var nodeLimit: Int { 32 }

    /// - Parameter home: Lives as long as the process.
    init(home: FlagHome<Value>, life: UInt32) {
        self.home = Unmanaged.passUnretained(home)
        state = Atomic(UInt64(life) << 32)
    }

    /// Whether a value is its own payload.
    @inlinable static var isInline: Bool {
        @inline(__always) get { _isPOD(Value.self) && MemoryLayout<Value>.size <= 3 }
    }

    /// Whether a value's bits fit in ``word``.
    @inlinable static var isWord: Bool {
        @inline(__always) get { _isPOD(Value.self) && MemoryLayout<Value>.size <= MemoryLayout<UInt>.size }
    }

    /// Returns the flag's value: one atomic load and a comparison for a small one, two loads for others.
    ///
    /// - Parameter tag: `life << 1 | 1`, of the flag that is read.
    @inlinable @inline(__always)
    func value(tag: UInt64) -> Value {
        let state = state.load(ordering: .acquiring)
        guard state &>> 31 == tag else { return valueFromOwner(tag: tag) }
        return answer(state)
    }

    /// Returns the value that belongs to an answered state.
    @inlinable @inline(__always)
    func answer(_ state: UInt64) -> Value {
        if Self.isInline {
            return unsafe withUnsafeBytes(of: UInt32(truncatingIfNeeded: state & 0x7FFF_FFFF).littleEndian) {
                unsafe $0.loadUnaligned(as: Value.self)
            }
        }
        let bits = word.load(ordering: .acquiring)
        if Self.isWord {
            return unsafe withUnsafeBytes(of: bits) { unsafe $0.loadUnaligned(as: Value.self) }
        }
        // An answered state is only ever published after the address of a node of this slot (invariant 4).
        let node = unsafe Unmanaged<FlagNode<Value>>.fromOpaque(
            UnsafeRawPointer(bitPattern: bits).unsafelyUnwrapped)
        return unsafe node._withUnsafeGuaranteedRef { $0.value }
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

extension FlagSlot: FlagSlotProtocol {
    /// The tag of the flags of a life.
    static func tag(life: UInt32) -> UInt64 { UInt64(life) << 1 | 1 }

    /// Resolves the value and keeps it if it lasts.
    @usableFromInline @inline(never)
    func valueFromOwner(tag: UInt64) -> Value {
        let question: Question = cold.withLock { cold in
            let state = state.load(ordering: .acquiring)
            guard state >> 32 == tag >> 1 else { return .gone }
            if state &>> 31 == tag { return .answered(answer(state)) }
            if let kept = cold.kept, kept.state == state { return .answered(kept.value) }
            guard let binding = cold.binding else { return .unbound }
            guard let owner = binding.owner else { return .gone }
            return .ask(owner, binding.declaration, binding.ordinal, token: state)
        }
        switch question {
        case .answered(let value):
            return value
        case .ask(let owner, let declaration, let ordinal, let token):
            let answer = owner.resolve(declaration, ordinal: ordinal)
            if answer.isLasting { publish(answer, token: token) }
            return answer.value
        case .unbound:
            return home._withUnsafeGuaranteedRef { $0.reportUnbound() }
        case .gone:
            return home._withUnsafeGuaranteedRef { tag >> 1 == 0 ? $0.reportUnbound() : $0.reportGone() }
        }
    }

    private func publish(_ answer: FlagAnswer<Value>, token: UInt64) {
        cold.withLock { cold in
            guard state.load(ordering: .acquiring) == token else { return }
            var payload: UInt32 = 0
            if Self.isInline {
                unsafe withUnsafeMutableBytes(of: &payload) { bytes in
                    unsafe bytes.storeBytes(of: answer.value, as: Value.self)
                }
                payload = UInt32(littleEndian: payload)
            } else if Self.isWord {
                var bits: UInt = 0
                unsafe withUnsafeMutableBytes(of: &bits) { bytes in
                    unsafe bytes.storeBytes(of: answer.value, as: Value.self)
                }
                word.store(bits, ordering: .releasing)
            } else if let node = node(for: answer, in: &cold) {
                let address = unsafe Unmanaged.passUnretained(node).toOpaque()
                word.store(UInt(bitPattern: address), ordering: .releasing)
            } else {
                cold.kept = (token, answer.value)
                return
            }
            let answered = (token >> 32) << 32 | 1 << 31 | UInt64(payload)
            _ = state.compareExchange(expected: token, desired: answered, ordering: .acquiringAndReleasing)
        }
    }

    /// Returns the node of an equal value, or a new one while there is room.
    private func node(for answer: FlagAnswer<Value>, in cold: inout Cold) -> FlagNode<Value>? {
        guard let encoded = answer.encoded else { return nil }
        if let known = cold.nodes.first(where: { $0.encoded == encoded }) { return known.node }
        guard cold.nodes.count < Self.nodeLimit else { return nil }
        let node = FlagNode(answer.value)
        cold.nodes.append((encoded, node))
        return node
    }

    package func invalidate(life: UInt32) {
        let token = UInt64(invalidations.add(1, ordering: .relaxed).newValue & 0x7FFF_FFFF)
        var current = state.load(ordering: .relaxed)
        while current >> 32 == UInt64(life) {
            let (exchanged, original) = state.compareExchange(
                expected: current, desired: UInt64(life) << 32 | token, ordering: .acquiringAndReleasing)
            if exchanged { return }
            current = original
        }
    }

    /// Lets the slot answer for a flag of a loader.
    func bind(_ declaration: FlagDeclaration<Value>, to owner: any FlagOwner, ordinal: Int) {
        cold.withLock { $0.binding = Binding(owner: owner, declaration: declaration, ordinal: ordinal) }
    }

    /// Returns who answers for the flag with a tag, or `nil` if nobody does.
    func owner(tag: UInt64) -> (owner: any FlagOwner, declaration: FlagDeclaration<Value>, ordinal: Int)? {
        cold.withLock { cold in
            guard state.load(ordering: .acquiring) >> 32 == tag >> 1, let binding = cold.binding,
                let owner = binding.owner
            else { return nil }
            return (owner, binding.declaration, binding.ordinal)
        }
    }

    package func endLife(_ life: UInt32) {
        let ended: (any Sendable)? = cold.withLock { cold -> Cold.Ending? in
            guard state.load(ordering: .relaxed) >> 32 == UInt64(life) else { return nil }
            let declaration = cold.binding?.declaration
            cold.binding = nil
            cold.kept = nil
            state.store(UInt64(life &+ 1) << 32, ordering: .releasing)
            return Cold.Ending(declaration: declaration)
        }
        // What the slot held is let go here, outside of the lock: closures of a declaration may own anything.
        guard ended != nil, life &+ 1 != UInt32.max else { return }
        home._withUnsafeGuaranteedRef { $0.takeBack(self) }
    }

    /// The number of the present life.
    var life: UInt32 { UInt32(truncatingIfNeeded: state.load(ordering: .acquiring) >> 32) }
}
