public import Synchronization

/// The place where the resolved value of one flag is cached. Reads are answered from it until it is invalidated.
///
/// A ``Flag`` is an unmanaged pointer to a slot and a tag, so copying flags counts no references. These invariants make
/// that safe:
///
/// 1. **Slots are never freed.** The ``FlagBlock`` of a slot exists as long as the process, and later loaders use it
///    again. A stale copy of a flag, one from another generation, never dangles.
/// 2. **A slot holds values of one type.** It is always used for flags of the type of its ``declaration``, so a copy
///    that reads while another loader takes the slot over reads bits of the right type. `Value` in the methods below is
///    always that type.
/// 3. **The generation grows when a loader gives its slots back.** It is part of ``state`` and of each flag's tag, so a
///    stale copy is recognized: its tag doesn't match.
/// 4. **Nodes are never freed.** A node holds a value that doesn't fit in a word, and readers hold no reference to it.
///    Equal values share a node. A slot has at most ``nodeLimit`` nodes of ``nodeByteLimit`` bytes altogether. Beyond
///    that, the current value is kept under a lock, and reading it takes the lock.
///
/// The bits of `state` are `generation (31) | observed (1) | answered (1) | payload (31)`. In an answered state the
/// payload is the value itself if it has at most three bytes. Otherwise ``word`` holds the bits of a trivial value of
/// up to a word, or the address of a node. A flag's tag equals the upper 33 bits of a state that has the flag's
/// generation, is answered, and is not observed. So a read needs one comparison. While the loader takes part in
/// Observation, the bit *observed* is set. The comparison then fails, and the slower path registers the read and
/// answers from the same state.
///
/// In a state that isn't answered, the payload is a token that each invalidation changes. A reader loads the state,
/// asks the providers, and publishes the value by exchanging that state for an answered one. If the slot was
/// invalidated in between, the token differs, the exchange fails, and the outdated value isn't published. (Only 2³¹
/// invalidations during one resolution would defeat this.)
@usableFromInline
package final class FlagSlot: Sendable {
    @usableFromInline let state: Atomic<UInt64>
    @usableFromInline let word = Atomic<UInt>(0)
    private let invalidations = Atomic<UInt32>(0)
    /// The address of a `FlagObservable`, which is never freed, or 0. It is stored before the bit *observed* is set.
    let observableAddress = Atomic<UInt>(0)
    private let kept = Mutex(KeptValues())
    /// Unmanaged, because blocks are never freed.
    let block: Unmanaged<FlagBlock>
    /// The position of the slot among the flags of a construction.
    let position: Int
    /// The declaration that the slot was created for, without its closures: the type and the default of its flags.
    let declaration: FlagDeclaration

    /// The values that don't fit in a word.
    private struct KeptValues: Sendable {
        /// The nodes with their encoded values.
        var nodes: [(encoded: EncodedFlagValue, node: any AnyObject & Sendable)] = []
        var byteCount = 0
        /// The current value if it has no node, and the state to which it belongs.
        var current: (state: UInt64, value: ErasedFlagValue)?

        /// Returns the node of an equal value, or makes the value a node if there is room for it.
        mutating func node(
            for value: any AnyObject & Sendable, _ encoded: EncodedFlagValue?
        ) -> (any AnyObject & Sendable)? {
            guard let encoded else { return nil }
            if let known = nodes.first(where: { $0.encoded == encoded }) { return known.node }
            let room = FlagSlot.nodeByteLimit - byteCount
            guard nodes.count < FlagSlot.nodeLimit, let size = encoded.byteCount(upTo: room) else { return nil }
            nodes.append((encoded, value))
            byteCount += size
            return value
        }
    }

    package static let nodeLimit = 32
    /// The approximate number of bytes that the values of all nodes of a slot may take.
    package static let nodeByteLimit = 65_536

    /// Creates a slot. It doesn't retain the block, which is never freed.
    init(_ declaration: FlagDeclaration, position: Int, block: FlagBlock, generation: UInt32) {
        self.declaration = declaration
        self.position = position
        self.block = Unmanaged.passUnretained(block)
        state = Atomic(UInt64(generation) << 33)
    }

    // MARK: The parts of a state

    /// Returns whether a value of the type is stored in the payload.
    @inlinable
    static func isInline<Value>(_ type: Value.Type) -> Bool { _isPOD(type) && MemoryLayout<Value>.size <= 3 }

    /// Returns whether the bits of a value of the type fit in ``word``.
    @inlinable
    static func isWord<Value>(_ type: Value.Type) -> Bool {
        _isPOD(type) && MemoryLayout<Value>.size <= MemoryLayout<UInt>.size
    }

    @inlinable static var observedBit: UInt64 { 1 << 32 }
    /// The greatest 31-bit number. A block that reaches this generation isn't used again.
    package static let lastGeneration: UInt32 = 0x7FFF_FFFF

    package static func tag(generation: UInt32) -> UInt64 { UInt64(generation) << 2 | 1 }

    static func generation(tag: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: tag >> 2) }

    private static func generation(state: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: state >> 33) }

    // MARK: Reading

    /// Returns the flag's value: one atomic load and a comparison for a small value, two loads for others.
    ///
    /// Keep the method small. It is inlined into the getter of the flag's property. If that getter becomes too big to
    /// be inlined, each read copies the whole collection.
    @inlinable @inline(__always)
    func value<Value: FlagValue>(tag: UInt64) -> Value {
        let state = state.load(ordering: .acquiring)
        guard Self.isInline(Value.self), state &>> 31 == tag else { return outOfLineValue(state, tag: tag) }
        return Self.inlineValue(state)
    }

    /// Returns the value in the cases that ``value(tag:)`` leaves: more than three bytes, an observed flag, or no
    /// cached value.
    ///
    /// It is specialized in the caller's module, but it is never inlined. See ``value(tag:)``.
    @inlinable @inline(never)
    func outOfLineValue<Value: FlagValue>(_ state: UInt64, tag: UInt64) -> Value {
        if state &>> 31 == tag { return answer(state) }
        if state & Self.observedBit != 0 {
            // The read is registered before the state is loaded again, so that no later change goes unnoticed.
            registerRead()
            let state = self.state.load(ordering: .acquiring)
            // Bit 1 of the upper 33 bits is *observed*.
            if state &>> 31 == tag | 2 { return answer(state) }
        }
        return resolvedValue(tag: tag)
    }

    @inlinable @inline(__always)
    static func inlineValue<Value: FlagValue>(_ state: UInt64) -> Value {
        unsafe withUnsafeBytes(of: UInt32(truncatingIfNeeded: state & 0x7FFF_FFFF).littleEndian) {
            unsafe $0.loadUnaligned(as: Value.self)
        }
    }

    /// Returns the value that belongs to an answered state.
    @inlinable @inline(__always)
    func answer<Value: FlagValue>(_ state: UInt64) -> Value {
        if Self.isInline(Value.self) { return Self.inlineValue(state) }
        let bits = word.load(ordering: .acquiring)
        if Self.isWord(Value.self) {
            return unsafe withUnsafeBytes(of: bits) { unsafe $0.loadUnaligned(as: Value.self) }
        }
        // An answered state is published only after the address of a node of this slot (invariant 4).
        let node = unsafe Unmanaged<FlagNode<Value>>.fromOpaque(
            UnsafeRawPointer(bitPattern: bits).unsafelyUnwrapped)
        return unsafe node._withUnsafeGuaranteedRef { $0.value }
    }

    @usableFromInline @inline(never)
    func resolvedValue<Value: FlagValue>(tag: UInt64) -> Value {
        switch resolve(tag: tag) {
        case .answered(let state): answer(state)
        case .value(let value): value.as(Value.self)
        }
    }

    // MARK: Resolving

    private enum Resolved {
        /// Another thread has published an answer.
        case answered(UInt64)
        case value(ErasedFlagValue)
    }

    private func resolve(tag: UInt64) -> Resolved {
        let token = state.load(ordering: .acquiring)
        if token &>> 31 & ~2 == tag { return .answered(token) }
        let (owner, ordinal, isBound) = block._withUnsafeGuaranteedRef {
            $0.owner(at: position, generation: Self.generation(tag: tag))
        }
        guard let owner, Self.generation(state: token) == Self.generation(tag: tag) else {
            return .value(block._withUnsafeGuaranteedRef { $0.reportedDefault(of: self, tag: tag, wasBound: isBound) })
        }
        if !declaration.isWord, let current = keptValue(of: token) { return .value(current) }
        let isObserved = token & Self.observedBit != 0
        if isObserved { owner.flagIsObserved(ordinal, value: nil) }
        let (value, encoded, isLasting) = owner.resolve(ordinal)
        if isObserved { owner.flagIsObserved(ordinal, value: value) }
        if isLasting { publish(value, encoded, token: token) }
        return .value(value)
    }

    private func keptValue(of token: UInt64) -> ErasedFlagValue? {
        kept.withLock { $0.current.flatMap { $0.state == token ? $0.value : nil } }
    }

    private func publish(_ value: ErasedFlagValue, _ encoded: EncodedFlagValue?, token: UInt64) {
        // The generation and *observed* stay as they are in the token.
        let answered = (token >> 32) << 32 | 1 << 31
        if case .word(let bits) = value, declaration.isInline {
            // The bytes of the value as they are in memory. See `inlineValue(_:)`.
            let payload = UInt64(UInt32(truncatingIfNeeded: UInt(littleEndian: bits)))
            _ = state.compareExchange(
                expected: token, desired: answered | payload, ordering: .acquiringAndReleasing)
            return
        }
        let replaced = kept.withLock { kept -> ErasedFlagValue? in
            // Checked under the lock, so that a slow publisher doesn't replace the word of a newer answer.
            guard state.load(ordering: .acquiring) == token else { return nil }
            switch value {
            case .word(let bits):
                word.store(bits, ordering: .releasing)
            case .node(let value):
                guard let node = kept.node(for: value, encoded) else {
                    defer { kept.current = (token, .node(value)) }
                    return kept.current?.value
                }
                word.store(UInt(bitPattern: unsafe Unmanaged.passUnretained(node).toOpaque()), ordering: .releasing)
            }
            _ = state.compareExchange(expected: token, desired: answered, ordering: .acquiringAndReleasing)
            return nil
        }
        // Released here, outside the lock, because a value may own an object whose deinitializer reads flags.
        withExtendedLifetime(replaced) {}
    }

    // MARK: Invalidating

    /// The number of invalidations so far.
    package var invalidationCount: UInt32 { invalidations.load(ordering: .acquiring) }

    /// Makes the next read resolve the flag again, if the slot is of the given generation.
    package func invalidate(generation: UInt32) {
        let token = UInt64(invalidations.add(1, ordering: .relaxed).newValue & 0x7FFF_FFFF)
        replaceState(of: generation) { UInt64(generation) << 33 | $0 & FlagSlot.observedBit | token }
    }

    /// Registers reads with Observation from now on, if the slot is of the given generation.
    func setObserved(generation: UInt32) { replaceState(of: generation) { $0 | FlagSlot.observedBit } }

    private func replaceState(of generation: UInt32, by change: (UInt64) -> UInt64) {
        var current = state.load(ordering: .relaxed)
        while Self.generation(state: current) == generation {
            let (isExchanged, original) = state.compareExchange(
                expected: current, desired: change(current), ordering: .acquiringAndReleasing)
            if isExchanged { return }
            current = original
        }
    }

    /// Begins another generation, in which no value is cached yet.
    ///
    /// - Returns: The value that was kept, which the caller releases outside of every lock.
    func begin(generation: UInt32) -> ErasedFlagValue? {
        state.store(UInt64(generation) << 33, ordering: .releasing)
        guard !declaration.isWord else { return nil }
        return kept.withLock { kept in
            defer { kept.current = nil }
            return kept.current?.value
        }
    }
}
