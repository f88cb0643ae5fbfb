/// The changes of all flags of a loader, a group or a manager, from when the iteration begins.
///
/// Every commit that makes a flag's value another one appears, in the order of the commits, once for each consumer; see
/// ``FlagChanges`` for what a commit is and when changes are merged. A consumer that has not read 1,024 changes
/// (``limit(_:)`` changes that) gets one for each flag instead, from its oldest value to its newest. Of several
/// collections of a manager, each keeps its own order. The iteration never ends by itself; cancel its task.
public struct FlagReferenceChanges: AsyncSequence, Sendable {
    /// A change.
    public typealias Element = FlagReferenceChange
    /// It never fails.
    public typealias Failure = Never

    /// Adds the consumer to what it is for.
    let begin: @Sendable (_ limit: Int) -> FlagChangeSubscription?
    var limit = 1024

    init(_ begin: @escaping @Sendable (_ limit: Int) -> FlagChangeSubscription?) {
        self.begin = begin
    }

    /// Returns the same changes with another bound on how many wait for a slow consumer before they are merged.
    public func limit(_ count: Int) -> FlagReferenceChanges {
        var changes = self
        changes.limit = count
        return changes
    }

    /// Begins to follow the flags: every change from here on will be handed out.
    public func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(iterator: FlagChangeIterator(begin(limit)))
    }

    /// Hands the changes of one consumer out.
    public struct AsyncIterator: AsyncIteratorProtocol {
        var iterator: FlagChangeIterator

        /// Waits for the next change; `nil` once the task is cancelled, or if there is no loader.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> FlagReferenceChange? {
            await iterator.next().map { FlagReferenceChange($0) }
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
        FlagReferenceChanges { [self] limit -> FlagChangeSubscription? in
            guard let loaded = owner as? LoadedFlags else { return nil }
            let ordinals = loaded.ordinals(inGroup: ordinal)
            let isInside: @Sendable (TrackedFlagChange) -> Bool = { ordinals.contains($0.ordinal) }
            let buffer = FlagChangeBuffer(limit: limit, isIncluded: ordinal < 0 ? nil : isInside)
            let subscription = FlagChangeSubscription(buffer: buffer)
            subscription.follow(loaded, ordinals)
            return subscription
        }
    }
}

extension LoadedFlags {
    /// The flags in a nested collection and the collections inside it; -1 is the root.
    fileprivate func ordinals(inGroup group: Int) -> Set<Int> {
        guard group >= 0 else { return Set(flags.indices) }
        var groups: Set<Int> = [group]
        // Outer collections come before what is in them.
        for (number, candidate) in index.groups.enumerated() where groups.contains(candidate.parent) {
            groups.insert(number)
        }
        return Set(flags.indices.filter { groups.contains(index.entries[$0].group) })
    }
}

extension FlagChangeSubscription {
    /// Takes the changes of some flags of a loader too.
    func follow(_ loaded: LoadedFlags, _ ordinals: Set<Int>) {
        follow(loaded, ordinals.sorted(), interest: .any, place: .all)
    }

    /// Takes the changes of all flags of a loader too.
    func followAll(_ loaded: LoadedFlags) {
        follow(loaded, Set(loaded.flags.indices))
    }
}
