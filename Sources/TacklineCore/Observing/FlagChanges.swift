/// A change of a flag's value.
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
    let handle: FlagHandle<Value>

    /// Begins with the current value.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(follower: FlagsFollower(of: handle.reference), handle: handle)
    }

    /// Hands out the values for one consumer.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let follower: FlagsFollower?
        let handle: FlagHandle<Value>
        /// The neutral form of what was given last; `nil` before the first value.
        var last: EncodedFlagValue??

        /// Waits for the next value; `nil` once the task is cancelled, or after the first one if the flag has no loader.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
            while !Task.isCancelled {
                // Cleared before the look, so that what happens after the look is not slept through.
                let isMarked = follower?.clear() ?? false
                let value = handle.value
                let encoded = try? value.encoded
                let old = last
                last = .some(encoded)
                // A value without a neutral form cannot be compared, so each mark counts.
                guard let old, encoded == nil ? !isMarked : encoded == old else { return value }
                guard let follower else { return nil }
                await follower.wait()
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
    let handle: FlagHandle<Value>

    /// Begins to follow the flag: every change from here on will be seen.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(follower: FlagsFollower(of: handle.reference)) }

    /// Hands out the changes for one consumer.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let follower: FlagsFollower?

        /// Waits for the next change; `nil` once the task is cancelled, or if the flag has no loader.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> FlagChange<Value>? {
            guard let change = await follower?.next() else { return nil }
            return FlagChange(
                old: change.old.value.as(Value.self), new: change.new.value.as(Value.self), source: change.source)
        }
    }
}

extension FlagHandle {
    /// The current value and then each new one.
    public var values: FlagValues<Value> { FlagValues(handle: self) }

    /// The changes of the flag. Each consumer gets all of them.
    public var changes: FlagChanges<Value> { FlagChanges(handle: self) }
}

// MARK: Several flags

/// A change of one of several flags, as loaders, groups and managers announce it.
public struct FlagReferenceChange: Sendable {
    /// The flag.
    public let flag: FlagReference
    /// The value that this consumer saw last, in its neutral form.
    public let old: EncodedFlagValue
    /// The value from now on, in its neutral form.
    public let new: EncodedFlagValue
    /// Where the new value comes from.
    public let source: FlagSource

    /// The flag's key.
    public var keyPath: FlagKeyPath { flag.keyPath }
}

extension FlagReferenceChange {
    init(_ change: FlagsFollower.Change) {
        flag = change.flag
        old = change.old.encoded ?? .null
        new = change.new.encoded ?? .null
        source = change.source
    }
}

extension FlagReferenceChange: CustomStringConvertible {
    /// `secrets/boom_feature: false → true (provider "overrides")`
    public var description: String { "\(keyPath): \(old) → \(new) (\(source))" }
}

/// The changes of all flags of a loader, a group or a manager, from when the iteration begins.
///
/// A consumer that keeps up sees every commit that makes a flag's value another one; one that falls behind gets one
/// change for each flag instead, from the value that it saw last to the newest. Changes of different flags come in the
/// order in which they were made, those that stand for several in the place of the last. Of several collections of a
/// manager, each keeps its own order. The iteration never ends by itself; cancel its task.
public struct FlagReferenceChanges: AsyncSequence, Sendable {
    /// Makes a consumer that has begun to follow the flags; `nil` if there is no loader.
    package let makeFollower: @Sendable () -> FlagsFollower?

    /// Begins to follow the flags: every change from here on will be seen.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(follower: makeFollower()) }

    /// Hands out the changes for one consumer.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let follower: FlagsFollower?

        /// Waits for the next change; `nil` once the task is cancelled, or if there is no loader.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> FlagReferenceChange? {
            await follower?.next().map { FlagReferenceChange($0) }
        }
    }
}

extension FlagsLoader {
    /// The changes of all flags. Each consumer gets all of them.
    public var changes: FlagReferenceChanges { root.changes }
}

extension FlagGroup {
    /// The changes of the flags in this collection and in the collections inside it. Each consumer gets all of them.
    public var changes: FlagReferenceChanges {
        FlagReferenceChanges { [self] in
            guard let core else { return nil }
            let follower = FlagsFollower()
            follower.follow(core, ordinal < 0 ? nil : Set(allFlags.map(\.ordinal)))
            return follower
        }
    }
}
