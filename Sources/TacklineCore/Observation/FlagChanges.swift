/// A change of a flag's value.
public struct FlagChange<Value: FlagValue>: Sendable {
    /// The flag's key.
    public let key: FlagKeyPath
    /// The value that this consumer saw last.
    public let old: Value
    /// The new value.
    public let new: Value
    /// The source of the new value.
    public let source: FlagSource
    /// Whether the flag is secret, so that the change is printed without its values.
    var isSecret = false

    /// Creates a change, for tests.
    public init(key: FlagKeyPath, old: Value, new: Value, source: FlagSource) {
        (self.key, self.old, self.new, self.source) = (key, old, new, source)
    }

    fileprivate init(_ change: FlagChangeQueue.Change, _ value: (FlagChangeQueue.Seen) -> Value) {
        self.init(key: change.flag.keyPath, old: value(change.old), new: value(change.new), source: change.source)
        isSecret = change.flag.metadata.isSecret || change.old.isSecret || change.new.isSecret
    }
}

extension FlagChange: Equatable where Value: Equatable {
    /// Returns whether two changes have the same key, values and source.
    public static func == (left: Self, right: Self) -> Bool {
        (left.key, left.old, left.new, left.source) == (right.key, right.old, right.new, right.source)
    }
}

extension FlagChange: ReflectedAsDescription {
    /// The key, both values and the source: `secrets/boom_feature: false → true (provider "overrides")`.
    public var description: String {
        func shown(_ value: Value) -> String { FlagMetadata.shown("\(value)", isSecret: isSecret) }
        return "\(key): \(shown(old)) → \(shown(new)) (\(source))"
    }
}

extension FlagHandle {
    /// The current value of the flag, then each distinct new value: `for await isOn in loader.$allowsSSON.values`.
    ///
    /// Flags are state and not events. A consumer that keeps up sees every value. One that falls behind sees the newest
    /// value and not those in between, so it needs no memory and never ends on an outdated value. An unchanged value
    /// isn't repeated. Each iterator is independent of the others and has its own first element. The sequence doesn't
    /// end by itself, unless the flag has no loader; cancel its task. In a scope of `withFlags` the values are those of
    /// the scope.
    ///
    /// A computed flag is read again whenever a value of its loader may have changed. A flag whose value depends on a
    /// provider that doesn't notify observers is read again when the chain, the default or another provider's value
    /// changes, and after a write through its handle.
    public var values: some AsyncSequence<Value, Never> & Sendable {
        FlagUpdates(makeQueue: { FlagChangeQueue(untyped?.core, [ordinal]) }) { queue, last in
            while !Task.isCancelled {
                // Cleared before the read, so that a change after the read isn't missed.
                let isInvalidated = queue?.clear() ?? false
                let value = value
                let encoded = try? value.encoded
                let old = last
                last = .some(encoded)
                // Values without an encoded form can't be compared, so each invalidation counts.
                guard let old, encoded == nil ? !isInvalidated : encoded == old else { return value }
                guard let queue else { return nil }
                await queue.wait()
            }
            return nil
        }
    }

    /// The changes of the flag, from the start of the iteration: `for await change in loader.$allowsSSON.changes`.
    ///
    /// A consumer that keeps up sees every commit that changes the flag's value. A commit is one write or refresh of a
    /// provider, or one change of the default or of the chain. A consumer that falls behind sees several commits as one
    /// change, from the value that it saw last to the newest. So the old value of each change is the new value of the
    /// one before, the newest value is never lost, and memory is bounded even if the sequence isn't read. A commit that
    /// doesn't change the flag's value doesn't appear. Each iterator is independent of the others. The sequence doesn't
    /// end by itself, unless the flag has no loader; cancel its task.
    ///
    /// Values that a test sets with `withFlags` belong to its task and are not changes.
    public var changes: some AsyncSequence<FlagChange<Value>, Never> & Sendable {
        FlagUpdates(makeQueue: { FlagChangeQueue(untyped?.core, [ordinal]) }) { queue, _ in
            await queue?.next().map { FlagChange($0) { $0.value.as(Value.self) } }
        }
    }
}

extension FlagGroup {
    /// The changes of the flags in this collection and in the collections inside it, from the start of the iteration.
    ///
    /// Those of one flag are the same as in ``FlagHandle/changes``. Changes of different flags have the order in which the
    /// flags changed first.
    public var changes: some AsyncSequence<FlagChange<EncodedFlagValue>, Never> & Sendable {
        FlagUpdates(changesIn: changeQueue)
    }

    /// Returns a queue that observes the flags from now on, or `nil` if there is no loader.
    package func changeQueue() -> FlagChangeQueue? {
        FlagChangeQueue(core, ordinal < 0 ? nil : allFlags.map(\.ordinal))
    }
}

/// A sequence whose iterators take their elements from a queue of their own.
struct FlagUpdates<Element: Sendable>: AsyncSequence, Sendable {
    /// Returns a queue that observes the flags already, or `nil` if there is no loader.
    let makeQueue: @Sendable () -> FlagChangeQueue?
    /// Waits for the next element. The iterator keeps what the closure leaves in `last`, which is `nil` at first.
    let next: @Sendable (FlagChangeQueue?, _ last: inout EncodedFlagValue??) async -> Element?

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(updates: self, queue: makeQueue()) }

    struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        /// Keeps the loader's data alive.
        let updates: FlagUpdates
        let queue: FlagChangeQueue?
        var last: EncodedFlagValue??

        mutating func next(isolation actor: isolated (any Actor)?) async -> Element? {
            await updates.next(queue, &last)
        }
    }
}

extension FlagUpdates<FlagChange<EncodedFlagValue>> {
    init(changesIn makeQueue: @escaping @Sendable () -> FlagChangeQueue?) {
        self.init(makeQueue: makeQueue) { queue, _ in
            await queue?.next().map { FlagChange($0) { $0.encoded ?? .null } }
        }
    }
}
