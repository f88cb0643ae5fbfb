public import Synchronization

extension FlagSlot {
    /// Whether a value is its own payload.
    @inlinable
    static func isInline<Value>(_ type: Value.Type) -> Bool {
        _isPOD(type) && MemoryLayout<Value>.size <= 3
    }

    /// Whether a value's bits fit in ``word``.
    @inlinable
    static func isWord<Value>(_ type: Value.Type) -> Bool {
        _isPOD(type) && MemoryLayout<Value>.size <= MemoryLayout<UInt>.size
    }

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

    /// Returns the value of a flag that is not its own payload, that is observed, or that has no answer.
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
        let (state, binding, kept) = cold.withLock { cold in
            (self.state.load(ordering: .acquiring), cold.binding, cold.kept)
        }
        if state &>> 31 & ~2 == tag { return answer(state) }
        guard state >> 33 == Self.life(tag: tag) else {
            return home._withUnsafeGuaranteedRef { $0.reportedDefault(wasBound: Self.life(tag: tag) != 0) }
        }
        if let kept, kept.state == state, let node = kept.node as? FlagNode<Value> { return node.value }
        guard let binding, let untyped = binding.declaration else {
            return home._withUnsafeGuaranteedRef { $0.reportedDefault(wasBound: false) }
        }
        // Invariant 2: the slot is used for one type of value only.
        let declaration = unsafeDowncast(untyped, to: FlagDeclaration<Value>.self)
        guard let owner = binding.owner.owner else {
            return home._withUnsafeGuaranteedRef { $0.reportedDefault(wasBound: true) }
        }
        if state & Self.observedBit != 0 { owner.flagIsObserved(binding.ordinal) }
        let answer = owner.resolve(declaration, ordinal: binding.ordinal)
        if answer.isLasting { publish(answer, token: state) }
        return answer.value
    }

    private func publish<Value: FlagValue>(_ answer: FlagAnswer<Value>, token: UInt64) {
        let replaced = cold.withLock { cold -> (any AnyObject & Sendable)? in
            guard state.load(ordering: .acquiring) == token else { return nil }
            var payload: UInt32 = 0
            if Self.isInline(Value.self) {
                unsafe withUnsafeMutableBytes(of: &payload) { bytes in
                    unsafe bytes.storeBytes(of: answer.value, as: Value.self)
                }
                payload = UInt32(littleEndian: payload)
            } else if Self.isWord(Value.self) {
                var bits: UInt = 0
                unsafe withUnsafeMutableBytes(of: &bits) { bytes in
                    unsafe bytes.storeBytes(of: answer.value, as: Value.self)
                }
                word.store(bits, ordering: .releasing)
            } else if let node = node(for: answer, in: &cold) {
                let address = unsafe Unmanaged.passUnretained(node).toOpaque()
                word.store(UInt(bitPattern: address), ordering: .releasing)
            } else {
                let replaced = cold.kept?.node
                cold.kept = (token, FlagNode(answer.value))
                return replaced
            }
            // The token's life and *observed* stay as they are.
            let answered = (token >> 32) << 32 | 1 << 31 | UInt64(payload)
            _ = state.compareExchange(expected: token, desired: answered, ordering: .acquiringAndReleasing)
            return nil
        }
        // Let go outside of the lock: a value may own an object whose end reads flags.
        withExtendedLifetime(replaced) {}
    }

    /// Returns the node of an equal value, or a new one while there is room.
    private func node<Value: FlagValue>(for answer: FlagAnswer<Value>, in cold: inout Cold) -> FlagNode<Value>? {
        guard let encoded = answer.encoded else { return nil }
        if let known = cold.nodes.first(where: { $0.encoded == encoded }) { return known.node as? FlagNode<Value> }
        guard cold.nodes.count < Self.nodeLimit else { return nil }
        let node = FlagNode(answer.value)
        cold.nodes.append((encoded, node))
        return node
    }
}
