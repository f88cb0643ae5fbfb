/// A change of a flag's value.
public struct FlagChange<Value: FlagValue>: Sendable {
    /// The value that this consumer saw last.
    public let old: Value
    /// The new value.
    public let new: Value
    /// The source of the new value.
    public let source: FlagSource
    /// Whether the flag is secret, so that the change is printed without its values.
    var isSecret = false

    /// Creates a change, for tests.
    public init(old: Value, new: Value, source: FlagSource) {
        self.old = old
        self.new = new
        self.source = source
    }
}

extension FlagChange: Equatable where Value: Equatable {
    /// Returns whether two changes have the same values and the same source.
    public static func == (left: Self, right: Self) -> Bool {
        left.old == right.old && left.new == right.new && left.source == right.source
    }
}

extension FlagChange: ReflectedAsDescription {
    /// Both values and the source: `false → true (provider "overrides")`.
    public var description: String {
        func shown(_ value: Value) -> String { FlagMetadata.shown("\(value)", isSecret: isSecret) }
        return "\(shown(old)) → \(shown(new)) (\(source))"
    }
}

/// The current value of a flag, then each distinct new value: `for await isOn in loader.$allowsSSON.values`.
///
/// Flags are state and not events. A consumer that keeps up sees every value. One that falls behind sees the newest
/// value and not those in between, so it needs no memory and never ends on an outdated value. An unchanged value isn't
/// repeated. Each consumer has its own first element. The sequence doesn't end by itself; cancel its task. In a scope
/// of `withFlags` the values are those of the scope.
///
/// A computed flag is read again whenever a value of its loader may have changed. A flag whose value depends on a
/// provider that doesn't notify observers is read again when the chain, the default or another provider's value
/// changes, and after a write through its handle.
public struct FlagValues<Value: FlagValue>: AsyncSequence, Sendable {
    let handle: FlagHandle<Value>

    /// Returns an iterator that begins with the current value.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(consumer: FlagChangeConsumer(of: handle.untyped), handle: handle)
    }

    /// An iterator for one consumer.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let consumer: FlagChangeConsumer?
        let handle: FlagHandle<Value>
        /// The encoded form of the last value; `nil` before the first one.
        var last: EncodedFlagValue??

        /// Waits for the next value.
        ///
        /// - Returns: `nil` when the task is cancelled, or after the first value if the flag has no loader.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
            while !Task.isCancelled {
                // Cleared before the read, so that a change after the read isn't missed.
                let isInvalidated = consumer?.clear() ?? false
                let value = handle.value
                let encoded = try? value.encoded
                let old = last
                last = .some(encoded)
                // Values without an encoded form can't be compared, so each invalidation counts.
                guard let old, encoded == nil ? !isInvalidated : encoded == old else { return value }
                guard let consumer else { return nil }
                await consumer.wait()
            }
            return nil
        }
    }
}

/// The changes of one flag, from the start of the iteration: `for await change in loader.$allowsSSON.changes`.
///
/// A consumer that keeps up sees every commit that changes the flag's value. A commit is one write or refresh of a
/// provider, or one change of the default or of the chain. A consumer that falls behind sees several commits as one
/// change, from the value that it saw last to the newest. So the old value of each change is the new value of the one
/// before, the newest value is never lost, and memory is bounded even if the sequence isn't read. A commit that doesn't
/// change the flag's value doesn't appear. The sequence doesn't end by itself; cancel its task.
///
/// Values that a test sets with `withFlags` belong to its task and are not changes.
public struct FlagChanges<Value: FlagValue>: AsyncSequence, Sendable {
    let handle: FlagHandle<Value>

    /// Returns an iterator, which returns every change from now on.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(consumer: FlagChangeConsumer(of: handle.untyped)) }

    /// An iterator for one consumer.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let consumer: FlagChangeConsumer?

        /// Waits for the next change.
        ///
        /// - Returns: `nil` when the task is cancelled, or if the flag has no loader.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> FlagChange<Value>? {
            guard let change = await consumer?.next() else { return nil }
            var typed = FlagChange(
                old: change.old.value.as(Value.self), new: change.new.value.as(Value.self), source: change.source)
            typed.isSecret = change.flag.metadata.isSecret
            return typed
        }
    }
}

extension FlagHandle {
    /// The current value, and then each new one. Each iterator is independent of the others.
    public var values: FlagValues<Value> { FlagValues(handle: self) }

    /// The changes of the flag. Each iterator is independent of the others.
    public var changes: FlagChanges<Value> { FlagChanges(handle: self) }
}

// MARK: Several flags

/// A change of one of several flags of any types.
public struct UntypedFlagChange: Sendable {
    /// The flag that changed.
    public let flag: AnyFlagHandle
    /// The value that this consumer saw last.
    public let old: EncodedFlagValue
    /// The new value.
    public let new: EncodedFlagValue
    /// The source of the new value.
    public let source: FlagSource

    /// The flag's key.
    public var keyPath: FlagKeyPath { flag.keyPath }
}

extension UntypedFlagChange {
    init(_ change: FlagChangeConsumer.Change) {
        flag = change.flag
        old = change.old.encoded ?? .null
        new = change.new.encoded ?? .null
        source = change.source
    }
}

extension UntypedFlagChange: ReflectedAsDescription {
    /// The key, both values and the source: `secrets/boom_feature: false → true (provider "overrides")`.
    public var description: String {
        "\(keyPath): \(flag.metadata.shown("\(old)")) → \(flag.metadata.shown("\(new)")) (\(source))"
    }
}

/// The changes of all flags of a loader, a collection or a manager, from the start of the iteration.
///
/// A consumer that keeps up sees every commit that changes a flag's value. One that falls behind sees one change for
/// each flag instead, from the value that it saw last to the newest. Changes of different flags have the order in which
/// they were made. A change that stands for several has the position of the last. The changes of each collection of a
/// manager have their own order. The sequence doesn't end by itself; cancel its task.
public struct UntypedFlagChanges: AsyncSequence, Sendable {
    /// Returns a consumer that observes the flags already, or `nil` if there is no loader.
    package let makeConsumer: @Sendable () -> FlagChangeConsumer?

    /// Returns an iterator, which returns every change from now on.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(consumer: makeConsumer()) }

    /// An iterator for one consumer.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let consumer: FlagChangeConsumer?

        /// Waits for the next change.
        ///
        /// - Returns: `nil` when the task is cancelled, or if there is no loader.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> UntypedFlagChange? {
            await consumer?.next().map { UntypedFlagChange($0) }
        }
    }
}

extension FlagGroup {
    /// The changes of the flags in this collection and in the collections inside it. Each iterator is independent of
    /// the others.
    public var changes: UntypedFlagChanges {
        UntypedFlagChanges { [self] in
            guard let core else { return nil }
            let consumer = FlagChangeConsumer()
            consumer.observe(core, ordinal < 0 ? nil : Set(allFlags.map(\.ordinal)))
            return consumer
        }
    }
}
