import Synchronization

/// A queue of the flags that were invalidated, and the last value that its consumer saw of each.
///
/// Sequences, closures and Observation take their changes from it. No values are queued: when a flag is taken from the
/// queue, it is inspected, and its value is compared with the last one. A flag is in the queue at most once, so a
/// consumer that falls behind needs no memory, and gets the newest value.
///
/// The loaders hold the invalidated flags only, and not the queue with its values: invalidating releases nothing.
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
        /// The number of the loader's changes before the value was inspected.
        fileprivate let version: UInt64
    }

    private struct Loader: Sendable {
        weak var core: LoaderCore?
        /// The last values by ordinal.
        var seen: [Int: Seen] = [:]
    }

    private let invalidated = InvalidatedFlags()
    /// The loaders by their trackers. Who waits for changes keeps their data alive.
    private let loaders = Mutex([ObjectIdentifier: Loader]())

    package init() {}

    /// Creates a queue that observes a loader, or `nil` if there is none.
    convenience init?(_ core: LoaderCore?, _ ordinals: [Int]?) {
        guard let core else { return nil }
        self.init()
        observe(core, ordinals)
    }

    deinit { for loader in loaders.withLock({ $0 }).values { loader.core?.tracker.remove(invalidated) } }

    // MARK: Loaders

    /// Begins to observe a loader, unless it is observed already. Changes before this call are not returned.
    ///
    /// - Parameter ordinals: The flags to observe, or `nil` for all.
    package func observe(_ core: LoaderCore, _ ordinals: [Int]? = nil) {
        let (id, observed) = (ObjectIdentifier(core.tracker), ordinals ?? Array(core.ordinals))
        let isNew = loaders.withLock { loaders in
            guard loaders[id] == nil else { return false }
            loaders[id] = Loader(core: core)
            for ordinal in observed { invalidated.insert(ordinal, of: core) }
            core.tracker.add(invalidated)
            return true
        }
        if isNew { for ordinal in observed { inspect(ordinal, of: core) } }
    }

    /// Stops observing a loader.
    package func stopObserving(_ core: LoaderCore) {
        let removed = loaders.withLock { loaders in
            core.tracker.remove(invalidated)
            invalidated.remove(ObjectIdentifier(core.tracker))
            return loaders.removeValue(forKey: ObjectIdentifier(core.tracker))
        }
        // Its values are released here, outside the lock, because that may run foreign code.
        withExtendedLifetime(removed) {}
    }

    /// Observes a flag of an observed loader from its first read on.
    ///
    /// - Parameter value: The value that the reader is given, or `nil` before the flag is resolved.
    func flagIsRead(_ ordinal: Int, of core: LoaderCore, value: ErasedFlagValue?) {
        let id = ObjectIdentifier(core.tracker)
        guard let known = loaders.withLock({ $0[id]?.seen[ordinal] }) else {
            invalidated.insert(ordinal, of: core)
            inspect(ordinal, of: core)
            return
        }
        // The flag may be changed back to the last value before it is inspected. Its reader has to be notified.
        guard let value, core.declarations[ordinal].encode(value) != known.encoded else { return }
        loaders.withLock { $0[id]?.seen[ordinal]?.encoded = nil }
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
        while let flag = invalidated.removeFirst() {
            guard let core = loaders.withLock({ $0[flag.loader]?.core }) else { continue }
            if let change = inspect(flag.ordinal, of: core) { return change }
        }
        return nil
    }

    /// Waits until a flag is in the queue or the task is cancelled.
    package func wait() async { await invalidated.wait() }

    /// Removes all flags from the queue and returns whether there were any. Read them after it.
    @discardableResult
    package func clear() -> Bool { invalidated.removeAll() }

    package var isEmpty: Bool { invalidated.isEmpty }

    /// Makes a flag's value outside of every scope the last one, unless a later one was inspected already.
    ///
    /// - Returns: The change from the last value, or `nil` if there was none or both are the same.
    @discardableResult
    private func inspect(_ ordinal: Int, of core: LoaderCore) -> Change? {
        let declaration = core.declarations[ordinal]
        let version = core.tracker.changeCount
        let step = FlagScope.withoutScope { core.inspect(ordinal) }
        let value = step.value ?? declaration.defaultValue
        let new = Seen(value: value, encoded: declaration.encode(value), version: version)
        let old = loaders.withLock { loaders -> Seen? in
            let old = loaders[ObjectIdentifier(core.tracker)]?.seen[ordinal]
            if let old, old.version > version { return nil }
            loaders[ObjectIdentifier(core.tracker)]?.seen[ordinal] = new
            return old
        }
        guard let old, new.encoded == nil || old.encoded != new.encoded else { return nil }
        return Change(flag: AnyFlagHandle(core: core, ordinal: ordinal), old: old, new: new, source: step.source)
    }
}
