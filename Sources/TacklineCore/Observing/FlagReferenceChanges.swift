import Synchronization

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
    fileprivate init(_ change: FlagsFollower.Change) {
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

/// A consumer of the changes of some flags: what it saw last of each, and which ones it has to look at again.
///
/// Nothing is recorded of what happens in between. A marked flag is read when its change is handed out, and compared with
/// what was seen last.
package final class FlagsFollower: Sendable {
    /// A change, without the flag's type.
    struct Change {
        let flag: FlagReference
        let old: Seen
        let new: Seen
        let source: FlagSource
    }

    struct Seen {
        let value: ErasedFlagValue
        /// What values are compared by; `nil` where a hand-written `encode(to:)` throws.
        let encoded: EncodedFlagValue?
    }

    private struct Source {
        let core: LoaderCore
        let listener: FlagMarksListener
        /// The flag for which the board tells the listener; `nil` for all.
        let place: Int?
        /// What was seen last, by ordinal.
        var seen: [Int: Seen]
    }

    private let marks = FlagMarks()
    /// By the number that marks carry.
    private let sources = Mutex<[Int: Source]>([:])
    private let lastNumber = Atomic<Int>(0)

    package init() {}

    /// Follows one flag; `nil` if there is none.
    convenience init?(of flag: FlagReference?) {
        guard let flag else { return nil }
        self.init()
        follow(flag.core, [flag.ordinal])
    }

    deinit {
        for source in sources.withLock({ Array($0.values) }) {
            source.core.board.remove(source.listener, for: source.place)
        }
    }

    // MARK: What it follows

    /// Follows a loader too; once is enough. What happened before this call is not told.
    ///
    /// - Parameter ordinals: The flags to follow; `nil` for all.
    package func follow(_ core: LoaderCore, _ ordinals: Set<Int>? = nil) {
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        let followed = ordinals.map { $0.sorted() } ?? Array(core.ordinals)
        let computed = followed.filter { core.declaration(of: $0).isComputed }
        let listener = FlagMarksListener(marks, source: number, followed: ordinals, computed: computed)
        let place = followed.count == 1 && computed.isEmpty ? followed[0] : nil
        core.board.add(listener, for: place)
        let before = core.board.changeCount
        let looks = followed.map { ($0, FlagsFollower.look(at: FlagReference(core: core, ordinal: $0)).0) }
        let source = Source(
            core: core, listener: listener, place: place, seen: Dictionary(uniqueKeysWithValues: looks))
        let isNew = sources.withLock { sources in
            guard !sources.values.contains(where: { $0.core === core }) else { return false }
            sources[number] = source
            return true
        }
        guard isNew else { return core.board.remove(listener, for: place) }
        guard core.board.changeCount != before else { return }
        // The mark of a change during the look may have been passed over.
        var wakes = FlagWakes()
        for ordinal in followed { listener.mark(ordinal, waking: &wakes) }
        wakes.wake()
    }

    /// Stops following a loader.
    package func leave(_ core: LoaderCore) {
        let left = sources.withLock { sources -> Source? in
            guard let number = sources.first(where: { $0.value.core === core })?.key else { return nil }
            return sources.removeValue(forKey: number)
        }
        if let left { core.board.remove(left.listener, for: left.place) }
    }

    // MARK: What it hands out

    /// Waits for a change. For one task at a time.
    ///
    /// - Returns: `nil` once the task is cancelled.
    func next() async -> Change? {
        while !Task.isCancelled {
            marks.signal.clear()
            if let change = nextMarked() { return change }
            await marks.signal.wait()
        }
        return nil
    }

    /// Waits until a flag is marked, or the task is cancelled. For one task at a time.
    package func wait() async { await marks.signal.wait() }

    /// Forgets that something was marked, so that the next wait is for what comes from now on. Look for changes after it.
    ///
    /// - Returns: Whether something was marked.
    @discardableResult
    package func clear() -> Bool { marks.signal.clear() }

    /// Whether a flag waits to be looked at.
    package var hasMarks: Bool { !marks.isEmpty }

    /// Returns the next change that is there already. It runs code of providers and flags' types, so call it outside of
    /// every lock, from one thread at a time.
    package func nextIfMarked() -> FlagReferenceChange? { nextMarked().map { FlagReferenceChange($0) } }

    private func nextMarked() -> Change? {
        // A writer that never pauses may overtake each look; then order yields to progress.
        var patience = 100
        while let place = marks.take() {
            guard let core = sources.withLock({ $0[place.source]?.core }) else { continue }
            let flag = FlagReference(core: core, ordinal: place.ordinal)
            let (new, source) = FlagsFollower.look(at: flag)
            if patience > 0, marks.isOvertaken(place) {
                patience -= 1
                continue
            }
            let old = sources.withLock { $0[place.source]?.seen.updateValue(new, forKey: place.ordinal) }
            // Values that have no neutral form cannot be compared, so each mark counts.
            guard let old, new.encoded == nil || old.encoded != new.encoded else { continue }
            return Change(flag: flag, old: old, new: new, source: source)
        }
        return nil
    }

    /// Returns the value that is in force outside of every scope, and where it comes from.
    private static func look(at flag: FlagReference) -> (Seen, FlagSource) {
        let found = FlagScope.withoutScope { flag.finding() }
        return (Seen(value: found.value, encoded: flag.declaration.encode(found.value)), found.step.source)
    }
}
