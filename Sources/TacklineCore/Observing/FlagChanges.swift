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
        private var last: EncodedFlagValue?
        private var isFirst = true

        init(follower: FlagFollower<Value>) {
            self.follower = follower
        }

        /// Waits for the next value; `nil` once the task is cancelled, or after the first one if the flag has no loader.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
            while !Task.isCancelled {
                let isMarked = follower.signal.clear()
                let value = follower.handle.value
                let encoded = try? value.encoded
                // A value without a neutral form cannot be compared, so each mark counts.
                if isFirst || encoded != last || encoded == nil && isMarked {
                    isFirst = false
                    last = encoded
                    return value
                }
                guard follower.handle.binding != nil else { return nil }
                await follower.signal.wait()
            }
            return nil
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
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(follower: FlagFollower(handle)) }

    /// Hands the changes of one consumer out.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        private let follower: FlagFollower<Value>
        private var last: (value: Value, encoded: EncodedFlagValue?)

        init(follower: FlagFollower<Value>) {
            self.follower = follower
            let value = follower.resolution().value
            last = (value, try? value.encoded)
        }

        /// Waits for the next change; `nil` once the task is cancelled, or if the flag has no loader.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> FlagChange<Value>? {
            guard follower.handle.binding != nil else { return nil }
            while !Task.isCancelled {
                let isMarked = follower.signal.clear()
                let new = follower.resolution()
                let encoded = try? new.value.encoded
                if encoded != last.encoded || encoded == nil && isMarked {
                    defer { last = (new.value, encoded) }
                    return FlagChange(old: last.value, new: new.value, source: new.source)
                }
                await follower.signal.wait()
            }
            return nil
        }
    }
}

extension FlagHandle {
    /// The current value and then each new one.
    public var values: FlagValues<Value> { FlagValues(handle: self) }

    /// The changes of the flag. Each consumer gets all of them.
    public var changes: FlagChanges<Value> { FlagChanges(handle: self) }
}

/// A consumer of one flag. It is told of the flag's marks for as long as it lives.
final class FlagFollower<Value: FlagValue>: Sendable {
    let handle: FlagHandle<Value>
    let signal = FlagSignal()

    init(_ handle: FlagHandle<Value>) {
        self.handle = handle
        handle.binding?.core.board.add(signal, for: place)
    }

    deinit {
        handle.binding?.core.board.remove(signal, for: place)
    }

    /// What a computed flag reads may have changed with any mark of its loader.
    private var place: Int? {
        guard let binding = handle.binding, !binding.declaration.isComputed else { return nil }
        return binding.ordinal
    }

    /// The value that everybody else sees, whose task this is does not matter.
    func resolution() -> FlagResolution<Value> {
        FlagScope.withoutScope { handle.resolution() }
    }
}
