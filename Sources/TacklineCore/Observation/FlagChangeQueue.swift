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
        /// The number of the flag's invalidations before the value was inspected.
        fileprivate let version: UInt64
    }

    private struct State {
        var loaders: [ObjectIdentifier: Loader] = [:]
        var seen: [InvalidatedFlags.Flag: Seen] = [:]
    }

    private struct Loader: Sendable {
        weak var core: LoaderCore?
        /// The same data, or `nil` if it holds the queue.
        let held: LoaderCore?
        /// The only flag whose invalidations are listened to, or `nil` for all.
        let ordinal: Int?
    }

    private let invalidated = InvalidatedFlags()
    private let state = Mutex(State())

    package init() {}

    /// Creates a queue for one flag; `nil` if there is none.
    convenience init?(of flag: AnyFlagHandle?) {
        guard let flag else { return nil }
        self.init()
        observe(flag.core, [flag.ordinal])
    }

    deinit {
        for loader in state.withLock({ $0.loaders }).values {
            loader.core?.tracker.remove(invalidated, for: loader.ordinal)
        }
    }

    // MARK: Loaders

    /// Begins to observe a loader, unless it is observed already. Changes before this call are not returned.
    ///
    /// - Parameters:
    ///   - ordinals: The flags to observe, or `nil` for all.
    ///   - isHeld: Whether the queue keeps the loader's data alive.
    package func observe(_ core: LoaderCore, _ ordinals: [Int]? = nil, isHeld: Bool = true) {
        let id = ObjectIdentifier(core.tracker)
        let observed = ordinals ?? Array(core.ordinals)
        let single = observed.count == 1 && !core.declarations[observed[0]].isComputed ? observed[0] : nil
        let isNew = state.withLock { state in
            guard state.loaders[id] == nil else { return false }
            state.loaders[id] = Loader(core: core, held: isHeld ? core : nil, ordinal: single)
            for ordinal in observed {
                invalidated.insert(flag(ordinal, of: core), core.declarations[ordinal].isComputed)
            }
            core.tracker.add(invalidated, for: single)
            return true
        }
        guard isNew else { return }
        for ordinal in observed { inspect(ordinal, of: core, version: 0) }
    }

    /// Stops observing a loader.
    package func stopObserving(_ core: LoaderCore) {
        let id = ObjectIdentifier(core.tracker)
        let removed = state.withLock { state in
            let (loader, seen) = (state.loaders.removeValue(forKey: id), state.seen)
            state.seen = seen.filter { $0.key.loader != id }
            invalidated.remove(id)
            if let loader { core.tracker.remove(invalidated, for: loader.ordinal) }
            return (loader, seen)
        }
        // Values are released here, outside the lock, because that may run foreign code.
        withExtendedLifetime(removed) {}
    }

    private func flag(_ ordinal: Int, of core: LoaderCore) -> InvalidatedFlags.Flag {
        InvalidatedFlags.Flag(loader: ObjectIdentifier(core.tracker), ordinal: ordinal)
    }

    /// Observes a flag of an observed loader from its first read on.
    ///
    /// - Parameter value: The value that the reader is given, or `nil` before the flag is resolved.
    func flagIsRead(_ ordinal: Int, of core: LoaderCore, value: ErasedFlagValue?) {
        let (flag, declaration) = (flag(ordinal, of: core), core.declarations[ordinal])
        let known = state.withLock { state -> Seen? in
            if let known = state.seen[flag] { return known }
            invalidated.insert(flag, declaration.isComputed)
            state.seen[flag] = Seen(value: declaration.defaultValue, encoded: nil, version: 0)
            return nil
        }
        if known == nil {
            let encoded = FlagScope.withoutScope { core.inspectedValue(of: ordinal).value }
            // If the flag was invalidated meanwhile, other readers may have another value.
            setEncoded(encoded, of: flag, ifInvalidated: false)
        } else if let value, let known, isInvalidated(flag, since: known), declaration.encode(value) != known.encoded {
            // The flag may be changed back to the last value before it is inspected. Its reader has to be notified.
            setEncoded(nil, of: flag, ifInvalidated: true)
        }
    }

    private func setEncoded(_ encoded: EncodedFlagValue?, of flag: InvalidatedFlags.Flag, ifInvalidated expected: Bool)
    {
        let replaced = state.withLock { state -> Seen? in
            guard let known = state.seen[flag], isInvalidated(flag, since: known) == expected else { return nil }
            state.seen[flag]?.encoded = encoded
            return known
        }
        // Its value is released here, outside the lock.
        withExtendedLifetime(replaced) {}
    }

    private func isInvalidated(_ flag: InvalidatedFlags.Flag, since seen: Seen) -> Bool {
        invalidated.version(of: flag) != seen.version
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
        while let (flag, version) = invalidated.removeFirst() {
            guard let core = state.withLock({ $0.loaders[flag.loader]?.core }) else { continue }
            if let change = inspect(flag.ordinal, of: core, version: version) { return change }
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
    private func inspect(_ ordinal: Int, of core: LoaderCore, version: UInt64) -> Change? {
        let (flag, declaration) = (flag(ordinal, of: core), core.declarations[ordinal])
        let step = FlagScope.withoutScope { core.inspect(ordinal) }
        let value = step.value ?? declaration.defaultValue
        let new = Seen(value: value, encoded: declaration.encode(value), version: version)
        let old = state.withLock { state -> Seen? in
            let old = state.seen[flag]
            guard old.map({ $0.version <= version }) ?? (state.loaders[flag.loader] != nil) else { return nil }
            state.seen[flag] = new
            return old
        }
        guard let old, new.encoded == nil || old.encoded != new.encoded else { return nil }
        let handle = AnyFlagHandle(core: core, ordinal: ordinal)
        return Change(flag: handle, old: old, new: new, source: step.source)
    }
}

/// The flags that one consumer has not inspected since they were invalidated, in the order of their invalidations.
///
/// It holds no values, so adding to it runs no foreign code. Call the methods from any thread.
private final class InvalidatedFlags: InvalidationListener {
    /// A flag of one of the consumer's loaders.
    struct Flag: Hashable, Sendable {
        /// The loader's tracker.
        let loader: ObjectIdentifier
        let ordinal: Int
    }

    private struct Mark {
        var version: UInt64 = 0
        var isQueued = false
    }

    private struct State {
        /// The flags that the consumer observes.
        var marks: [Flag: Mark] = [:]
        /// The computed flags among them. The flags that they read may have changed with any invalidation.
        var computed: [Flag] = []
        var queue: [Flag] = []
        /// The first flags of the queue, in reverse.
        var first: [Flag] = []
        /// Resolved when a flag is added to the empty queue. Only copies of an iterator make several tasks wait.
        var addition: FlagPromise<Void>?

        var isEmpty: Bool { queue.isEmpty && first.isEmpty }

        mutating func append(_ flag: Flag) {
            guard var mark = marks[flag] else { return }
            mark.version += 1
            if !mark.isQueued { queue.append(flag) }
            mark.isQueued = true
            marks[flag] = mark
        }

        mutating func removeFirst() -> Flag? {
            if first.isEmpty {
                first = queue.reversed()
                queue = []
            }
            return first.popLast()
        }
    }

    private let state = Mutex(State())

    func insert(_ flag: Flag, _ isComputed: Bool) {
        state.withLock { state in
            guard state.marks[flag] == nil else { return }
            state.marks[flag] = Mark()
            if isComputed { state.computed.append(flag) }
        }
    }

    func remove(_ loader: ObjectIdentifier) {
        state.withLock { state in
            state.marks = state.marks.filter { $0.key.loader != loader }
            state.computed.removeAll { $0.loader == loader }
        }
    }

    /// The number of a flag's invalidations.
    func version(of flag: Flag) -> UInt64 { state.withLock { $0.marks[flag]?.version ?? 0 } }

    var isEmpty: Bool { state.withLock { $0.isEmpty } }

    func flagWasInvalidated(_ ordinal: Int, of loader: ObjectIdentifier, pending: inout PendingResumptions) {
        let invalidated = Flag(loader: loader, ordinal: ordinal)
        let addition = state.withLock { state -> FlagPromise<Void>? in
            state.append(invalidated)
            for flag in state.computed where flag.loader == loader && flag != invalidated { state.append(flag) }
            guard !state.isEmpty else { return nil }
            defer { state.addition = nil }
            return state.addition
        }
        if let addition { pending.add(addition) }
    }

    /// Removes and returns the first flag with its number of invalidations, or returns `nil` if the queue is empty.
    func removeFirst() -> (Flag, version: UInt64)? {
        state.withLock { state in
            while let flag = state.removeFirst() {
                guard let mark = state.marks[flag], mark.isQueued else { continue }
                state.marks[flag]?.isQueued = false
                return (flag, mark.version)
            }
            return nil
        }
    }

    func removeAll() -> Bool {
        state.withLock { state in
            let isEmpty = state.isEmpty
            while let flag = state.removeFirst() { state.marks[flag]?.isQueued = false }
            return !isEmpty
        }
    }

    /// Waits until the queue isn't empty or the task is cancelled.
    func wait() async {
        let addition = state.withLock { state -> FlagPromise<Void>? in
            guard state.isEmpty else { return nil }
            let addition = state.addition ?? FlagPromise()
            state.addition = addition
            return addition
        }
        _ = await addition?.wait()
    }
}
