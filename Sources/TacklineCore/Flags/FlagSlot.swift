public import Synchronization

/// The place where the resolved value of one flag is cached. Reads are answered from it until it is invalidated.
///
/// A ``Flag`` is an unmanaged pointer to a slot and a tag, so copying flags counts no references. These invariants make
/// that safe:
///
/// 1. **Slots are never freed.** The ``FlagBlock`` of a slot exists as long as the process, and later loaders use it
///    again. A stale copy of a flag, one from another generation, never dangles.
/// 2. **A slot holds values of one type.** `Value` in the methods below is always ``valueType``, so a copy that reads
///    while another loader takes the slot over reads bits of the right type.
/// 3. **The generation grows when a loader gives its slots back.** It is part of ``state`` and of each flag's tag, so a
///    stale copy is recognized: its tag doesn't match.
/// 4. **Nodes are never freed.** A node holds a value that doesn't fit in a word, and readers hold no reference to it.
///    Equal values share a node, also in later generations. A slot has at most ``nodeLimit`` nodes. Further values are
///    kept under the lock, where reading them compares the state, and are released when they are replaced or when the
///    generation ends.
/// 5. **``word`` is stored only while the state is not answered**, under the lock, by a thread whose token is still the
///    state. Then the thread exchanges that token for the answered state.
///
/// The bits of `state` are `generation (31) | observed (1) | answered (1) | count of invalidations (31)`. In an answered
/// state, ``word`` holds the bits of a trivial value of up to a word, or the address of a node. A flag's tag equals the
/// upper 33 bits of a state that has the flag's generation, is answered, and is not observed. While the loader takes
/// part in Observation, the bit *observed* is set. The comparison then fails, and the slower path registers the read.
///
/// A read loads the state, the word, and the state again. If both states match the tag, the word belongs to one of them
/// or to a state in between, so it is a value that the flag had during the read: a word that was stored later comes
/// from a thread that saw the state change first, and the second load sees that change too. Otherwise the read resolves
/// the flag; it never loops.
///
/// A reader that resolves loads the state, which is its token, asks the providers, and publishes the value by the
/// exchange in invariant 5. If the slot was invalidated in between, the token differs, the exchange fails, and the
/// outdated value isn't published. (Only 2³¹ invalidations during one resolution would defeat this.)
@usableFromInline
package final class FlagSlot: Sendable {
    @usableFromInline let state: Atomic<UInt64>
    @usableFromInline let word = Atomic<UInt>(0)
    /// The address of a `FlagObservable`, which is never freed, or 0. It is stored before the bit *observed* is set.
    let observableAddress = Atomic<UInt>(0)
    private let kept: Mutex<KeptValues>
    /// Unmanaged, because blocks are never freed.
    let block: Unmanaged<FlagBlock>
    /// The number of the slot's flag among those of a construction.
    let number: Int
    private let valueType: any FlagValue.Type
    private let isWord: Bool

    /// The values that don't fit in a word, and those that a stale copy of a flag needs.
    private struct KeptValues: Sendable {
        /// The default of the last flag, which a stale copy of a flag returns, and the place of its declaration.
        var last: (defaultValue: ErasedFlagValue, site: FlagSite)
        var nodes: [(encoded: EncodedFlagValue, node: any AnyObject & Sendable)] = []
        /// The current value if it has no node, and the state to which it belongs.
        var current: (state: UInt64, value: ErasedFlagValue)?

        /// Returns the node of an equal value, or makes the value a node if there is room for it.
        mutating func node(
            for value: any AnyObject & Sendable, _ encoded: EncodedFlagValue?
        ) -> (any AnyObject & Sendable)? {
            guard let encoded else { return nil }
            if let known = nodes.first(where: { $0.encoded == encoded }) { return known.node }
            guard nodes.count < FlagSlot.nodeLimit else { return nil }
            nodes.append((encoded, value))
            return value
        }
    }

    private static let nodeLimit = 16

    init(_ flag: FlagDeclaration, number: Int, block: FlagBlock, generation: UInt32) {
        valueType = flag.valueType
        kept = Mutex(KeptValues(last: (flag.defaultValue, flag.site)))
        if case .word = flag.defaultValue { isWord = true } else { isWord = false }
        self.number = number
        self.block = Unmanaged.passUnretained(block)
        state = Atomic(UInt64(generation) << 33)
    }

    /// Takes the slot for a flag, or returns `false` if it is for others.
    func take(for flag: FlagDeclaration, _ number: Int) -> Bool {
        guard self.number == number, valueType == flag.valueType else { return false }
        // The former one is released outside the lock, because a default may own any object.
        var last = (defaultValue: flag.defaultValue, site: flag.site)
        kept.withLock { swap(&$0.last, &last) }
        return true
    }

    package func place(tag: UInt64) -> FlagPlace {
        FlagPlace(block: block, generation: Self.generation(tag: tag), number: number)
    }

    /// The loader's data and the ordinal of the flag with a tag, or `nil` if no loader has it.
    func owner(tag: UInt64) -> (owner: any FlagOwner, ordinal: Int)? {
        guard let owner = place(tag: tag).owner else { return nil }
        return owner.ordinal(of: number, isGroup: false).map { (owner, $0) }
    }

    // MARK: The parts of a state

    /// Returns whether the bits of a value of the type fit in ``word``.
    @inlinable
    static func isWord<Value>(_ type: Value.Type) -> Bool {
        _isPOD(type) && MemoryLayout<Value>.size <= MemoryLayout<UInt>.size
    }

    @inlinable static var observedBit: UInt64 { 1 << 32 }
    private static let answeredBit: UInt64 = 1 << 31
    private static let countMask: UInt64 = 0x7FFF_FFFF
    /// The greatest 31-bit number. A block that reaches this generation isn't used again.
    static let lastGeneration: UInt32 = 0x7FFF_FFFF

    package static func tag(generation: UInt32) -> UInt64 { UInt64(generation) << 2 | 1 }

    static func generation(tag: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: tag >> 2) }

    private static func generation(state: UInt64) -> UInt32 { UInt32(truncatingIfNeeded: state >> 33) }

    // MARK: Reading

    /// Returns the flag's value: three atomic loads and two comparisons for a value of up to a word.
    ///
    /// Keep the method small. It is inlined into the getter of the flag's property. If that getter becomes too big to
    /// be inlined, each read copies the whole collection.
    @inlinable @inline(__always)
    func value<Value: FlagValue>(tag: UInt64) -> Value {
        guard Self.isWord(Value.self), let bits = answeredWord(tag) else { return outOfLineValue(tag: tag) }
        return unsafe withUnsafeBytes(of: bits) { unsafe $0.loadUnaligned(as: Value.self) }
    }

    /// Returns the word of the answered states with the given upper bits, or `nil` if the slot's state is another one.
    @inlinable @inline(__always)
    func answeredWord(_ expected: UInt64) -> UInt? {
        let first = state.load(ordering: .acquiring) &>> 31
        let bits = word.load(ordering: .acquiring)
        // The word's ordering keeps this load behind it.
        let second = state.load(ordering: .relaxed) &>> 31
        return (first ^ expected) | (second ^ expected) == 0 ? bits : nil
    }

    /// Returns the value in the cases that ``value(tag:)`` leaves: more than a word, an observed flag, or no cached
    /// value.
    ///
    /// It is specialized in the caller's module, but it is never inlined. See ``value(tag:)``.
    @inlinable @inline(never)
    func outOfLineValue<Value: FlagValue>(tag: UInt64) -> Value {
        var expected = tag
        if state.load(ordering: .acquiring) & Self.observedBit != 0 {
            // The read is registered before the state is loaded again, so that no later change goes unnoticed.
            registerRead()
            // Bit 1 of the upper 33 bits is *observed*.
            expected |= 2
        }
        guard let bits = answeredWord(expected) else { return resolvedValue(tag: tag) }
        if Self.isWord(Value.self) {
            return unsafe withUnsafeBytes(of: bits) { unsafe $0.loadUnaligned(as: Value.self) }
        }
        // An answered state is published only after the address of a node of this slot (invariants 4 and 5).
        let node = unsafe Unmanaged<FlagNode<Value>>.fromOpaque(
            UnsafeRawPointer(bitPattern: bits).unsafelyUnwrapped)
        return unsafe node._withUnsafeGuaranteedRef { $0.value }
    }

    @inlinable
    func resolvedValue<Value: FlagValue>(tag: UInt64) -> Value { resolve(tag: tag).as(Value.self) }

    // MARK: Resolving

    @usableFromInline
    func resolve(tag: UInt64) -> ErasedFlagValue {
        let token = state.load(ordering: .acquiring)
        let generation = Self.generation(tag: tag)
        guard let (owner, ordinal) = owner(tag: tag), Self.generation(state: token) == generation else {
            let last = kept.withLock { $0.last }
            block._withUnsafeGuaranteedRef { $0.reportRead(of: last.site, in: generation) }
            return last.defaultValue
        }
        if !isWord, let current = kept.withLock({ $0.current }), current.state == token { return current.value }
        let (value, encoded, isLasting) = owner.resolve(ordinal, isObserved: token & Self.observedBit != 0)
        // If the token is answered, another thread was quicker.
        if isLasting, token & Self.answeredBit == 0 { publish(value, encoded, over: token) }
        return value
    }

    private func publish(_ value: ErasedFlagValue, _ encoded: EncodedFlagValue?, over token: UInt64) {
        let replaced = kept.withLock { kept -> ErasedFlagValue? in
            guard state.load(ordering: .acquiring) == token else { return nil }
            switch value {
            case .word(let bits):
                word.store(bits, ordering: .releasing)
            case .node(let object):
                guard let node = kept.node(for: object, encoded) else {
                    defer { kept.current = (token, value) }
                    return kept.current?.value
                }
                word.store(UInt(bitPattern: unsafe Unmanaged.passUnretained(node).toOpaque()), ordering: .releasing)
            }
            _ = state.compareExchange(
                expected: token, desired: token | Self.answeredBit, ordering: .acquiringAndReleasing)
            return nil
        }
        // Released here, outside the lock, because a value may own an object whose deinitializer reads flags.
        withExtendedLifetime(replaced) {}
    }

    // MARK: Invalidating

    package var invalidationCount: UInt32 {
        UInt32(truncatingIfNeeded: state.load(ordering: .acquiring) & Self.countMask)
    }

    /// Makes the next read resolve the flag again, if the slot is of the given generation.
    package func invalidate(generation: UInt32) {
        replaceState(of: generation) { state in
            state & ~(Self.answeredBit | Self.countMask) | (state &+ 1) & Self.countMask
        }
    }

    /// Registers reads with Observation from now on, if the slot is of the given generation.
    func setObserved(generation: UInt32) { replaceState(of: generation) { $0 | Self.observedBit } }

    private func replaceState(of generation: UInt32, by change: (UInt64) -> UInt64) {
        var current = state.load(ordering: .relaxed)
        while Self.generation(state: current) == generation {
            let (isExchanged, original) = state.compareExchange(
                expected: current, desired: change(current), ordering: .acquiringAndReleasing)
            if isExchanged { return }
            current = original
        }
    }

    /// Begins another generation, in which no value is cached yet, and releases the value that has no node.
    func begin(generation: UInt32) {
        state.store(UInt64(generation) << 33, ordering: .releasing)
        if isWord { return }
        let released = kept.withLock { $0.current.take() }
        withExtendedLifetime(released) {}
    }
}
