import Synchronization

/// The flags that one consumer has not inspected since they were invalidated, in the order of their invalidations.
///
/// It holds no values, so adding to it runs no foreign code, also under the locks of providers. Call the methods from any
/// thread.
final class InvalidatedFlags: Sendable {
    /// A flag of one of the consumer's loaders.
    struct Flag: Hashable, Sendable {
        /// The loader's tracker.
        let loader: ObjectIdentifier
        let ordinal: Int
    }

    private struct State {
        /// The flags that the consumer observes, and whether each is in the queue.
        var isQueued: [Flag: Bool] = [:]
        /// The computed flags among them. The flags that they read may have changed with any invalidation.
        var computed: [Flag] = []
        var queue: ArraySlice<Flag> = []
        /// Resolved when a flag is added to the empty queue. Only copies of an iterator make several tasks wait.
        var addition: FlagPromise<Void>?

        mutating func append(_ flag: Flag) {
            guard isQueued[flag] == false else { return }
            isQueued[flag] = true
            queue.append(flag)
        }

        mutating func removeFirst() -> Flag? {
            guard let flag = queue.popFirst() else { return nil }
            if isQueued[flag] != nil { isQueued[flag] = false }
            return flag
        }
    }

    private let state = Mutex(State())

    var isEmpty: Bool { state.withLock { $0.queue.isEmpty } }

    func insert(_ ordinal: Int, of core: LoaderCore) {
        let flag = Flag(loader: ObjectIdentifier(core.tracker), ordinal: ordinal)
        state.withLock { state in
            guard state.isQueued[flag] == nil else { return }
            state.isQueued[flag] = false
            if core.declarations[ordinal].isComputed { state.computed.append(flag) }
        }
    }

    func remove(_ loader: ObjectIdentifier) {
        state.withLock { state in
            state.isQueued = state.isQueued.filter { $0.key.loader != loader }
            state.computed.removeAll { $0.loader == loader }
        }
    }

    /// Adds a flag that may have another value, and the tasks that wait for it to those that are resumed later.
    func flagWasInvalidated(_ ordinal: Int, of loader: ObjectIdentifier, pending: inout PendingResumptions) {
        let addition = state.withLock { state -> FlagPromise<Void>? in
            state.append(Flag(loader: loader, ordinal: ordinal))
            for flag in state.computed where flag.loader == loader { state.append(flag) }
            return state.queue.isEmpty ? nil : state.addition.take()
        }
        if let addition { pending.add(addition) }
    }

    func removeFirst() -> Flag? { state.withLock { $0.removeFirst() } }

    func removeAll() -> Bool {
        state.withLock { state in
            guard state.removeFirst() != nil else { return false }
            while state.removeFirst() != nil {}
            return true
        }
    }

    func wait() async {
        let addition = state.withLock { state -> FlagPromise<Void>? in
            guard state.queue.isEmpty else { return nil }
            state.addition = state.addition ?? FlagPromise()
            return state.addition
        }
        _ = await addition?.wait()
    }
}
