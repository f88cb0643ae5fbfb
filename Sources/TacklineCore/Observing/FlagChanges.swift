/// The changes of one flag, from when the iteration begins: `for await change in loader.$allowsSSON.changes`.
///
/// Every commit that makes the flag's value another one appears, in the order of the commits, once for each consumer. A
/// commit is one write or one refresh of a provider, or one change of the default or of the chain. What does not change
/// the value (a provider further down, the same value again) does not appear. Each change's old value is the new value
/// of the one before. The iteration never ends by itself; cancel its task.
///
/// **When changes are merged.** A consumer that has not read 1,024 changes (``limit(_:)`` changes that) gets them merged
/// into one, from the oldest value to the newest, whose ``FlagChange/mergedCount`` says so. Several commits may also come
/// as one change, which then counts as one: of computed flags and flags behind providers that cannot tell changes, which
/// are looked at when a consumer wakes; of commits that replace a whole object around the flag's value; of chain and
/// default, when other threads change those meanwhile; and when 131,072 commits wait because no thread got round to
/// looking at them. Memory is bounded by these two numbers even if nobody reads. The newest value is never lost.
///
/// Values that tests set with `withFlags` belong to their task and are no changes.
public struct FlagChanges<Value: FlagValue>: AsyncSequence, Sendable {
    /// A change.
    public typealias Element = FlagChange<Value>
    /// It never fails.
    public typealias Failure = Never

    let handle: FlagHandle<Value>
    var limit = 1024

    /// Returns the same changes with another bound on how many wait for a slow consumer before they are merged.
    public func limit(_ count: Int) -> FlagChanges {
        var changes = self
        changes.limit = count
        return changes
    }

    /// Begins to follow the flag: every change from here on will be handed out.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(iterator: FlagChangeIterator(subscription()))
    }

    func subscription() -> FlagChangeSubscription? {
        guard let loaded = handle.owner as? LoadedFlags, let declaration = handle.declaration else { return nil }
        let buffer = FlagChangeBuffer(limit: limit)
        let subscription = FlagChangeSubscription(buffer: buffer)
        let interest: FlagChangeQueue.Interest = declaration.isComputed ? .any : .flag(handle.ordinal)
        subscription.follow(loaded, [handle.ordinal], interest: interest, place: .flag(handle.ordinal))
        return subscription
    }

    /// Hands the changes of one consumer out.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var iterator: FlagChangeIterator

        /// Waits for the next change; `nil` once the task is cancelled, or if the flag has no loader.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> FlagChange<Value>? {
            while let change = await iterator.next() {
                if let change = FlagChange<Value>(change) { return change }
            }
            return nil
        }
    }
}

extension FlagHandle {
    /// The changes of the flag. Each consumer gets all of them.
    public var changes: FlagChanges<Value> { FlagChanges(handle: self) }
}
