public import Synchronization

extension FlagSlot {
    /// Returns the flag's value: one atomic load and a comparison for a small one, two loads for others.
    ///
    /// It is kept as small as it can be. Were it bigger, the getter of the flag's property, which it becomes part of,
    /// would not be inlined any more, and each read would copy the whole collection first.
    ///
    /// - Parameter tag: `life << 2 | 1`, of the flag that is read.
    @inlinable @inline(__always)
    func value<Value: FlagValue>(tag: UInt64) -> Value {
        let state = state.load(ordering: .acquiring)
        guard Self.isInline(Value.self), state &>> 31 == tag else { return bigValue(state, tag: tag) }
        return Self.inlineValue(state)
    }

    /// Returns what one load cannot: a value of more than three bytes, of a flag that is observed, or without an answer.
    ///
    /// Specialised in the caller's module, but a call: see ``value(tag:)``.
    @inlinable @inline(never)
    func bigValue<Value: FlagValue>(_ state: UInt64, tag: UInt64) -> Value {
        if state &>> 31 == tag { return answer(state) }
        if state & Self.observedBit != 0 {
            // Registered first: a change after the look at the state below then comes after the registration too.
            registerRead()
            let state = self.state.load(ordering: .acquiring)
            if state &>> 31 == tag | 2 { return answer(state) }
        }
        return valueFromOwner(tag: tag)
    }

    /// Returns the value that is the payload of an answered state.
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
        // An answered state is only ever published after the address of a node of this slot (invariant 4).
        let node = unsafe Unmanaged<FlagNode<Value>>.fromOpaque(
            UnsafeRawPointer(bitPattern: bits).unsafelyUnwrapped)
        return unsafe node._withUnsafeGuaranteedRef { $0.value }
    }

    /// Resolves the value, and keeps it if it lasts.
    @usableFromInline @inline(never)
    func valueFromOwner<Value: FlagValue>(tag: UInt64) -> Value {
        switch ask(tag: tag) {
        case .answered(let state): answer(state)
        case .value(let value): value.as(Value.self)
        }
    }

    /// The result of resolving: an answer that another thread has published meanwhile, or a value.
    private enum Reply {
        case answered(UInt64)
        case value(ErasedFlagValue)
    }

    private func ask(tag: UInt64) -> Reply {
        // Of the binding only the owner is kept meanwhile, for the sake of speed: the life ends, and the binding goes, when
        // the owner does. (The owner of a probe lives for good.)
        let (state, owner, declaration, ordinal, kept) = cold.withLock { cold in
            let binding = cold.binding
            return (
                self.state.load(ordering: .acquiring), binding?.owner.owner,
                unsafe binding?.declaration.map { unsafe Unmanaged.passUnretained($0) }, binding?.ordinal, cold.kept
            )
        }
        if state &>> 31 & ~2 == tag { return .answered(state) }
        guard state >> 33 == Self.life(tag: tag) else {
            return .value(home._withUnsafeGuaranteedRef { $0.reportedDefault(wasBound: Self.life(tag: tag) != 0) })
        }
        if let kept, kept.state == state { return .value(kept.value) }
        guard let declaration = unsafe declaration, let ordinal, let owner else {
            let wasBound = unsafe declaration != nil
            return .value(home._withUnsafeGuaranteedRef { $0.reportedDefault(wasBound: wasBound) })
        }
        if state & Self.observedBit != 0 { owner.flagIsObserved(ordinal) }
        // The owner owns the declaration, so it has to live as long as that is used.
        return withExtendedLifetime(owner) {
            unsafe declaration._withUnsafeGuaranteedRef { declaration in
                let answer = owner.resolve(declaration, ordinal: ordinal)
                if answer.isLasting { publish(answer, isInline: declaration.isInline, token: state) }
                return .value(answer.value)
            }
        }
    }

    private func publish(_ answer: FlagAnswer, isInline: Bool, token: UInt64) {
        let replaced = cold.withLock { cold -> ErasedFlagValue? in
            guard state.load(ordering: .acquiring) == token else { return nil }
            var payload: UInt64 = 0
            switch answer.value {
            case .word(let bits) where isInline:
                // The bytes of the value as they lie in memory, see `inlineValue(_:)`.
                payload = UInt64(UInt32(truncatingIfNeeded: UInt(littleEndian: bits)))
            case .word(let bits):
                word.store(bits, ordering: .releasing)
            case .node(let value):
                guard let node = node(for: value, answer.encoded, in: &cold) else {
                    defer { cold.kept = (token, answer.value) }
                    return cold.kept?.value
                }
                word.store(UInt(bitPattern: unsafe Unmanaged.passUnretained(node).toOpaque()), ordering: .releasing)
            }
            // The token's life and *observed* stay as they are.
            let answered = (token >> 32) << 32 | 1 << 31 | payload
            _ = state.compareExchange(expected: token, desired: answered, ordering: .acquiringAndReleasing)
            return nil
        }
        // Let go outside of the lock: a value may own an object whose end reads flags.
        withExtendedLifetime(replaced) {}
    }

    /// Returns the node of an equal value, or makes a value one while there is room.
    private func node(
        for value: any AnyObject & Sendable, _ encoded: EncodedFlagValue?, in cold: inout Cold
    ) -> (any AnyObject & Sendable)? {
        guard let encoded else { return nil }
        if let known = cold.nodes.first(where: { $0.encoded == encoded }) { return known.node }
        let room = Self.nodeByteLimit - cold.nodeBytes
        guard cold.nodes.count < Self.nodeLimit, let size = encoded.byteCount(upTo: room) else { return nil }
        cold.nodes.append((encoded, value))
        cold.nodeBytes += size
        return value
    }
}
