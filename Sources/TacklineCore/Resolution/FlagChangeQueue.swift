import Synchronization

/// A queue of the flags that were invalidated, and the last value that its consumer saw of each.
///
/// Sequences, closures and Observation take their changes from it. No values are queued: when a flag is taken from the
/// queue, it is inspected, and its value is compared with the last one. A flag is in the queue at most once, so a
/// consumer that falls behind needs no memory, and gets the newest value.
package final class FlagChangeQueue: Sendable {
    /// A change without the flag's type.
    package struct Change: Sendable {
        package let flag: AnyFlagHandle
        package let old: Seen
        package let new: Seen
        package let source: FlagSource
    }

    package struct Seen: Sendable {
        package let value: ErasedFlagValue
        /// The form by which values are compared. If it is `nil`, any other value counts as a change, because this one
        /// can't be encoded or because readers have seen different ones.
        package fileprivate(set) var encoded: EncodedFlagValue?
        /// The number of the loader's changes before the flag was resolved.
        fileprivate let version: UInt64
        /// Whether the value was made of that of a secret flag. It is not known of a value that was read.
        var isSecret = false
    }

    private let flags = QueuedFlags()

    package init() {}

    convenience init?(_ core: LoaderCore?, _ ordinals: [Int]?) {
        guard let core else { return nil }
        self.init()
        observe(core, ordinals)
    }

    deinit { for loader in flags.state.withLock({ $0.loaders }).values { loader.core?.tracker.remove(flags) } }

    // MARK: Loaders

    /// Begins to observe a loader, unless it is observed already. Changes before this call are not returned.
    ///
    /// - Parameter ordinals: The flags to observe, or `nil` for all.
    package func observe(_ core: LoaderCore, _ ordinals: [Int]? = nil) {
        let observed = ordinals ?? Array(core.ordinals)
        let isNew = flags.state.withLock { state in
            guard state.loaders[ObjectIdentifier(core.tracker)] == nil else { return false }
            state.loaders[ObjectIdentifier(core.tracker)] = QueuedFlags.Loader(core: core)
            for ordinal in observed { state.flags[QueuedFlags.Flag(ordinal, of: core.tracker)] = QueuedFlags.Entry() }
            return true
        }
        guard isNew else { return }
        core.tracker.add(flags)
        for ordinal in observed { inspect(ordinal, of: core) }
    }

    package func stopObserving(_ core: LoaderCore) {
        core.tracker.remove(flags)
        let removed = flags.state.withLock { state in
            state.loaders[ObjectIdentifier(core.tracker)] = nil
            return core.ordinals.map { state.flags.removeValue(forKey: QueuedFlags.Flag($0, of: core.tracker)) }
        }
        // The values are released here, outside the lock, because that may run foreign code.
        withExtendedLifetime(removed) {}
    }

    /// Observes a flag of an observed loader from its first read on.
    ///
    /// - Parameters:
    ///   - value: The value that the reader is given.
    ///   - version: The number of the loader's changes before the flag was resolved.
    func flagWasRead(_ ordinal: Int, of core: LoaderCore, _ value: ErasedFlagValue, version: UInt64) {
        let encoded = core.declarations[ordinal].encode(value)
        let addition = flags.state.withLock { state -> FlagPromise<Void>? in
            let flag = QueuedFlags.Flag(ordinal, of: core.tracker)
            if let known = state.flags[flag]?.seen {
                // The flag may be changed back to the last value before it is inspected. Its reader has to be notified.
                if known.encoded != encoded { state.flags[flag]?.seen?.encoded = nil }
                return nil
            }
            state.flags[flag] = QueuedFlags.Entry(seen: Seen(value: value, encoded: encoded, version: version))
            // A change since then was not enqueued, because the flag was not observed.
            return core.tracker.changeCount == version ? nil : state.append(flag)
        }
        addition?.resolve(())
    }

    // MARK: Changes

    /// Waits for the next change. If several tasks wait, each change goes to one of them.
    ///
    /// - Returns: `nil` when the task is cancelled.
    package func next() async -> Change? {
        while !Task.isCancelled {
            if let change = nextWithoutWaiting() { return change }
            await wait()
        }
        return nil
    }

    /// Returns the next change without waiting, or `nil` if there is none.
    ///
    /// It runs code of providers and values, so the caller must hold no lock.
    package func nextWithoutWaiting() -> Change? {
        while let flag = flags.state.withLock({ $0.removeFirst() }) {
            guard let core = flags.state.withLock({ $0.loaders[flag.loader]?.core }) else { continue }
            if let change = inspect(flag.ordinal, of: core) { return change }
        }
        return nil
    }

    /// Waits until a flag is in the queue or the task is cancelled.
    package func wait() async {
        let addition = flags.state.withLock { state -> FlagPromise<Void>? in
            guard state.queue.isEmpty else { return nil }
            state.addition = state.addition ?? FlagPromise()
            return state.addition
        }
        _ = await addition?.wait()
    }

    /// Removes all flags from the queue and returns whether there were any. Read them after it.
    @discardableResult
    package func clear() -> Bool {
        flags.state.withLock { state in
            let isInvalidated = !state.queue.isEmpty
            while state.removeFirst() != nil {}
            return isInvalidated
        }
    }

    package var isEmpty: Bool { flags.state.withLock { $0.queue.isEmpty } }

    /// Makes a flag's value outside of every scope the last one, unless a later one was inspected already.
    ///
    /// - Returns: The change from the last value, or `nil` if there was none or both are the same.
    @discardableResult
    private func inspect(_ ordinal: Int, of core: LoaderCore) -> Change? {
        let declaration = core.declarations[ordinal]
        let version = core.tracker.changeCount
        let step = FlagScope.withoutScope { core.inspect(ordinal) }
        let value = step.value ?? declaration.defaultValue
        let new = Seen(value: value, encoded: declaration.encode(value), version: version, isSecret: step.isSecret)
        let flag = QueuedFlags.Flag(ordinal, of: core.tracker)
        let old = flags.state.withLock { state -> Seen? in
            guard let entry = state.flags[flag], entry.seen.map({ $0.version <= version }) ?? true else { return nil }
            state.flags[flag]?.seen = new
            return entry.seen
        }
        guard let old, new.encoded == nil || old.encoded != new.encoded else { return nil }
        return Change(flag: AnyFlagHandle(core: core, ordinal: ordinal), old: old, new: new, source: step.source)
    }
}

/// The part of a queue that its loaders hold, so that they don't keep the queue of a consumer that is gone.
///
/// Adding a flag to the queue releases nothing and runs no foreign code, also under the locks of providers.
final class QueuedFlags: Sendable {
    fileprivate struct Flag: Hashable, Sendable {
        let loader: ObjectIdentifier
        let ordinal: Int

        init(_ ordinal: Int, of tracker: FlagChangeTracker) {
            (loader, self.ordinal) = (ObjectIdentifier(tracker), ordinal)
        }
    }

    /// A flag that the consumer observes.
    fileprivate struct Entry {
        var isQueued = false
        /// The last value, or `nil` before the flag was inspected.
        var seen: FlagChangeQueue.Seen?
    }

    fileprivate struct Loader {
        /// Held weakly, because a consumer that waits for changes keeps the loader's data alive itself.
        weak var core: LoaderCore?
    }

    fileprivate struct State {
        /// The loaders by their trackers.
        var loaders: [ObjectIdentifier: Loader] = [:]
        var flags: [Flag: Entry] = [:]
        /// The flags that the consumer has not inspected since they were invalidated, in the order of that.
        var queue: ArraySlice<Flag> = []
        /// Resolved when a flag is added to the empty queue. Only copies of an iterator make several tasks wait.
        var addition: FlagPromise<Void>?

        /// Adds a flag if it is observed, and returns the promise to resolve when no lock is held.
        mutating func append(_ flag: Flag) -> FlagPromise<Void>? {
            guard flags[flag]?.isQueued == false else { return nil }
            flags[flag]?.isQueued = true
            queue.append(flag)
            return addition.take()
        }

        mutating func removeFirst() -> Flag? {
            guard let flag = queue.popFirst() else { return nil }
            flags[flag]?.isQueued = false
            return flag
        }
    }

    fileprivate let state = Mutex(State())

    /// Adds a flag that may have another value, and the tasks that wait for it to those that are resumed later.
    func append(_ ordinal: Int, of tracker: FlagChangeTracker, pending: inout PendingResumptions) {
        if let addition = state.withLock({ $0.append(Flag(ordinal, of: tracker)) }) { pending.add(addition) }
    }
}
