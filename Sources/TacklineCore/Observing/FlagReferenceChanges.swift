import Synchronization

/// The value of one of several flags became another one: what loaders, groups and managers announce.
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
    /// A change.
    public typealias Element = FlagReferenceChange
    /// It never fails.
    public typealias Failure = Never

    /// Makes a consumer and adds it to what it follows; `nil` if there is no loader.
    let begin: @Sendable () -> FlagsFollower?

    /// Begins to follow the flags: every change from here on will be seen.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(follower: begin()) }

    /// Begins to follow the flags for somebody who also looks without waiting; `nil` if there is no loader.
    package func makeFollower() -> FlagsFollower? { begin() }

    /// Hands the changes of one consumer out.
    public struct AsyncIterator: AsyncIteratorProtocol, Sendable {
        let follower: FlagsFollower?

        /// Waits for the next change; `nil` once the task is cancelled, or if there is no loader.
        public mutating func next(isolation actor: isolated (any Actor)?) async -> FlagReferenceChange? {
            await follower?.next()
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
            follower.follow(core, ordinal < 0 ? nil : core.ordinals(inGroup: ordinal))
            return follower
        }
    }
}

extension LoaderCore {
    /// The flags in a nested collection and the collections inside it.
    fileprivate func ordinals(inGroup group: Int) -> Set<Int> {
        var groups: Set<Int> = [group]
        // Outer collections come before what is in them.
        for (number, candidate) in index.groups.enumerated() where groups.contains(candidate.parent) {
            groups.insert(number)
        }
        return Set(flags.indices.filter { groups.contains(index.entries[$0].group) })
    }
}

/// A consumer of the changes of many flags: what it saw last of each, and which ones it has to look at again.
///
/// Nothing is recorded of what happens in between. A marked flag is read when its change is handed out, and compared with
/// what was seen last.
package final class FlagsFollower: Sendable {
    private struct Source {
        let core: LoaderCore
        let listener: FlagMarksListener
        /// What was seen last, by ordinal; `nil` where there is no neutral form. Empty until the first look is over.
        var seen: [EncodedFlagValue?] = []
        /// The flags that were marked before the first look was over.
        var early: [Int] = []
    }

    private let marks = FlagMarks()
    /// By the number that marks carry.
    private let sources = Mutex<[Int: Source]>([:])
    private let lastNumber = Atomic<Int>(0)

    package init() {}

    deinit {
        for source in sources.withLock({ $0.values.map { $0 } }) { source.core.board.remove(source.listener, for: nil) }
    }

    // MARK: What it follows

    /// Follows a loader too; once is enough. What happened before this call is not told.
    ///
    /// - Parameter ordinals: The flags to follow; `nil` for all.
    package func follow(_ core: LoaderCore, _ ordinals: Set<Int>? = nil) {
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        let computed = core.flags.indices.filter {
            core.flags[$0].declaration.isComputed && ordinals?.contains($0) ?? true
        }
        let listener = FlagMarksListener(marks, source: number, followed: ordinals, computed: computed)
        let isNew = sources.withLock { sources in
            guard !sources.values.contains(where: { $0.core === core }) else { return false }
            sources[number] = Source(core: core, listener: listener)
            return true
        }
        guard isNew else { return }
        // Added before the first look, so that a change after the look is told.
        core.board.add(listener, for: nil)
        let seen = core.flags.indices.map { ordinal in
            ordinals?.contains(ordinal) ?? true ? FlagsFollower.look(at: ordinal, of: core).value : nil
        }
        let early = sources.withLock { sources in
            sources[number]?.seen = seen
            return sources[number]?.early ?? []
        }
        var wakes = FlagWakes()
        for ordinal in early { listener.mark(ordinal, waking: &wakes) }
        wakes.wake()
    }

    /// Stops following a loader.
    package func leave(_ core: LoaderCore) {
        let left = sources.withLock { sources -> Source? in
            guard let number = sources.first(where: { $0.value.core === core })?.key else { return nil }
            return sources.removeValue(forKey: number)
        }
        if let left { core.board.remove(left.listener, for: nil) }
    }

    // MARK: What it hands out

    /// Waits for a change. For one task at a time.
    ///
    /// - Returns: `nil` once the task is cancelled.
    package func next() async -> FlagReferenceChange? {
        while !Task.isCancelled {
            marks.signal.clear()
            if let change = nextIfMarked() { return change }
            await marks.signal.wait()
        }
        return nil
    }

    /// Waits until a flag is marked, or the task is cancelled. For one task at a time.
    package func wait() async {
        await marks.signal.wait()
    }

    /// Forgets that something was marked, so that the next wait is for what comes from now on. Look for changes after it.
    package func clear() {
        marks.signal.clear()
    }

    /// Whether a flag waits to be looked at.
    package var hasMarks: Bool { !marks.isEmpty }

    /// Returns the next change that is there already. It runs code of providers and flags' types, so call it outside of
    /// every lock, from one thread at a time.
    package func nextIfMarked() -> FlagReferenceChange? {
        // A writer that never pauses may overtake each look; then order yields to progress.
        var patience = 100
        while let place = marks.take() {
            guard let core = core(of: place) else { continue }
            let (new, origin) = FlagsFollower.look(at: place.ordinal, of: core)
            if patience > 0, marks.isOvertaken(place) {
                patience -= 1
                continue
            }
            let old = sources.withLock { sources -> EncodedFlagValue?? in
                defer { sources[place.source]?.seen[place.ordinal] = new }
                return sources[place.source]?.seen[place.ordinal]
            }
            // Values that have no neutral form cannot be compared, so each mark counts.
            guard let old, new == nil || old != new else { continue }
            return FlagReferenceChange(
                flag: FlagReference(core: core, ordinal: place.ordinal), old: old ?? .null, new: new ?? .null,
                source: origin)
        }
        return nil
    }

    /// The loader of a place; `nil` if it was left, or if the first look at it is not over.
    private func core(of place: FlagMarks.Place) -> LoaderCore? {
        sources.withLock { sources in
            guard let source = sources[place.source] else { return nil }
            if source.seen.isEmpty {
                sources[place.source]?.early.append(place.ordinal)
                return nil
            }
            return source.core
        }
    }

    /// The value that everybody sees, whose task this is does not matter.
    private static func look(at ordinal: Int, of core: LoaderCore) -> (value: EncodedFlagValue?, source: FlagSource) {
        FlagScope.withoutScope { core.encodedResolution(of: ordinal) }
    }
}
