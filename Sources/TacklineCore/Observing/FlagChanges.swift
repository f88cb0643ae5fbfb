import Synchronization

/// A flag's value became another one.
public struct FlagChange<Value: FlagValue>: Sendable {
    /// The value that this consumer saw last.
    public let old: Value
    /// The value from now on.
    public let new: Value
    /// Where the new value comes from.
    public let source: FlagSource

    /// Makes a change, for tests.
    public init(old: Value, new: Value, source: FlagSource) {
        self.old = old
        self.new = new
        self.source = source
    }
}

extension FlagChange: Equatable where Value: Equatable {}

/// The current value of a flag, then each distinct new one: `for await isOn in loader.$allowsSSON.values`.
///
/// Flags are state and not events. A consumer that keeps up sees every value; one that is slow gets the newest value and
/// not those in between, so it needs no memory and never ends on a stale one. An unchanged value is not repeated. Each
/// consumer has its own first element. The iteration never ends by itself; cancel its task. In a scope of `withFlags` the
/// values are those of the scope.
///
/// A computed flag is looked at whenever a value of its loader may have changed. A flag behind a provider that cannot
/// tell changes is looked at when the chain, the default or another provider's value changes, and after a write through
/// its handle.
public struct FlagValues<Value: FlagValue>: AsyncSequence, Sendable {
    /// A value.
    public typealias Element = Value
    /// It never fails.
    public typealias Failure = Never

    let handle: FlagHandle<Value>

    /// Begins with the current value.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(follower: FlagFollower(handle)) }

    /// Hands the values of one consumer out.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let follower: FlagFollower<Value>

        /// Waits for the next value; `nil` once the task is cancelled, or after the first one if the flag has no loader.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
            await follower.nextValue()
        }
    }
}

/// The changes of one flag, from when the iteration begins: `for await change in loader.$allowsSSON.changes`.
///
/// A consumer that keeps up sees every commit that makes the flag's value another one; a commit is one write or one
/// refresh of a provider, or one change of the default or of the chain. One that falls behind gets several commits as one
/// change, from the value that it saw last to the newest. So each change's old value is the new value of the one before,
/// the newest value is never lost, and memory is bounded even if nobody reads. What does not change the value (a
/// provider further down, the same value again) does not appear. The iteration never ends by itself; cancel its task.
///
/// Values that tests set with `withFlags` belong to their task and are no changes.
public struct FlagChanges<Value: FlagValue>: AsyncSequence, Sendable {
    /// A change.
    public typealias Element = FlagChange<Value>
    /// It never fails.
    public typealias Failure = Never

    let handle: FlagHandle<Value>

    /// Begins to follow the flag: every change from here on will be seen.
    public func makeAsyncIterator() -> AsyncIterator {
        let follower = FlagFollower(handle)
        follower.look()
        return AsyncIterator(follower: follower)
    }

    /// Hands the changes of one consumer out.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let follower: FlagFollower<Value>

        /// Waits for the next change; `nil` once the task is cancelled, or if the flag has no loader.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> FlagChange<Value>? {
            await follower.nextChange()
        }
    }
}

extension FlagHandle {
    /// The current value and then each new one.
    public var values: FlagValues<Value> { FlagValues(handle: self) }

    /// The changes of the flag. Each consumer gets all of them.
    public var changes: FlagChanges<Value> { FlagChanges(handle: self) }
}

/// A consumer of one flag, and what it saw last. It is told of the flag's marks for as long as it lives.
final class FlagFollower<Value: FlagValue>: Sendable {
    private let handle: FlagHandle<Value>
    private let signal = FlagSignal()
    /// `nil` before the first look.
    private let seen = Mutex<Seen?>(nil)

    private struct Seen: Sendable {
        let value: Value
        /// What values are compared by; `nil` where a hand-written `encode(to:)` throws.
        let encoded: EncodedFlagValue?
    }

    init(_ handle: FlagHandle<Value>) {
        self.handle = handle
        handle.bound?.core.board.add(signal, for: place)
    }

    deinit {
        handle.bound?.core.board.remove(signal, for: place)
    }

    /// What a computed flag reads may have changed with any mark of its loader.
    private var place: Int? {
        guard let bound = handle.bound, !bound.declaration.isComputed else { return nil }
        return bound.ordinal
    }

    /// Waits for a value that was not seen yet, as reading the flag in this task gives it.
    func nextValue() async -> Value? {
        while !Task.isCancelled {
            // Cleared before the look, so that what happens after the look is not slept through.
            let isMarked = signal.clear()
            let value = handle.value
            if isNew(value, isMarked: isMarked).isNew { return value }
            guard handle.bound != nil else { return nil }
            await signal.wait()
        }
        return nil
    }

    /// Waits for a change, as everybody sees it, whatever is scoped to this task.
    func nextChange() async -> FlagChange<Value>? {
        guard handle.bound != nil else { return nil }
        while !Task.isCancelled {
            let isMarked = signal.clear()
            let new = resolution()
            let (isNew, old) = isNew(new.value, isMarked: isMarked)
            if isNew, let old { return FlagChange(old: old, new: new.value, source: new.source) }
            await signal.wait()
        }
        return nil
    }

    /// Takes the present value for seen.
    func look() {
        _ = isNew(resolution().value, isMarked: false)
    }

    private func resolution() -> FlagResolution<Value> {
        FlagScope.withoutScope { handle.resolution() }
    }

    /// Compares a value with the last one, and takes it for seen.
    ///
    /// - Parameter isMarked: Whether the flag was marked since the last look: a value without a neutral form cannot be
    ///   compared, so each mark counts.
    private func isNew(_ value: Value, isMarked: Bool) -> (isNew: Bool, old: Value?) {
        let new = Seen(value: value, encoded: try? value.encoded)
        let old = seen.withLock { seen in
            let old = seen
            seen = new
            return old
        }
        guard let old else { return (true, nil) }
        return (new.encoded == nil ? isMarked : new.encoded != old.encoded, old.value)
    }
}
