import Synchronization

/// A consumer of the changes of some flags. It keeps the last value that it saw of each flag, and a queue of the flags
/// that were invalidated since.
///
/// No values are queued. When ``next()`` takes a flag from the queue, it inspects the flag and compares the value with
/// the last one.
package final class FlagChangeConsumer: Sendable {
    /// A change without the flag's type.
    struct Change {
        let flag: AnyFlagHandle
        let old: Seen
        let new: Seen
        let source: FlagSource
    }

    struct Seen {
        let value: ErasedFlagValue
        /// The form by which values are compared, or `nil` if encoding the value throws.
        let encoded: EncodedFlagValue?
    }

    private struct Loader {
        let core: LoaderCore
        let listener: QueueListener
        /// The only flag that the listener is notified of, or `nil` for all.
        let listenedOrdinal: Int?
        /// The last values, by ordinal.
        var seen: [Int: Seen]
    }

    private let queue = InvalidatedFlagQueue()
    /// The loaders by the numbers in the queue.
    private let loaders = Mutex([Int: Loader]())
    private let lastNumber = Atomic<Int>(0)

    package init() {}

    /// Creates a consumer of one flag; `nil` if there is none.
    convenience init?(of flag: AnyFlagHandle?) {
        guard let flag else { return nil }
        self.init()
        observe(flag.core, [flag.ordinal])
    }

    deinit {
        for loader in loaders.withLock({ Array($0.values) }) {
            loader.core.tracker.remove(loader.listener, for: loader.listenedOrdinal)
        }
    }

    // MARK: Loaders

    /// Begins to observe a loader, unless it is observed already. Changes before this call are not returned.
    ///
    /// - Parameter ordinals: The flags to observe, or `nil` for all.
    package func observe(_ core: LoaderCore, _ ordinals: Set<Int>? = nil) {
        let number = lastNumber.add(1, ordering: .relaxed).newValue
        let observed = ordinals.map { $0.sorted() } ?? Array(core.ordinals)
        let computed = observed.filter { core.declarations[$0].isComputed }
        let listener = QueueListener(queue, loader: number, observed: ordinals, computed: computed)
        let listenedOrdinal = observed.count == 1 && computed.isEmpty ? observed[0] : nil
        core.tracker.add(listener, for: listenedOrdinal)
        let before = core.tracker.changeCount
        let seen = observed.map {
            ($0, FlagChangeConsumer.inspect(AnyFlagHandle(core: core, ordinal: $0)).seen)
        }
        let loader = Loader(
            core: core, listener: listener, listenedOrdinal: listenedOrdinal,
            seen: Dictionary(uniqueKeysWithValues: seen))
        let isNew = loaders.withLock { loaders in
            let isNew = !loaders.values.contains { $0.core === core }
            if isNew { loaders[number] = loader }
            return isNew
        }
        guard isNew else { return core.tracker.remove(listener, for: listenedOrdinal) }
        guard core.tracker.changeCount != before else { return }
        // A flag that was invalidated while it was inspected may have been taken from the queue.
        var pending = PendingResumptions()
        for ordinal in observed { listener.flagWasInvalidated(ordinal, pending: &pending) }
        pending.resume()
    }

    /// Stops observing a loader.
    package func stopObserving(_ core: LoaderCore) {
        let removed = loaders.withLock { loaders in
            loaders.first { $0.value.core === core }.flatMap { loaders.removeValue(forKey: $0.key) }
        }
        if let removed { core.tracker.remove(removed.listener, for: removed.listenedOrdinal) }
    }

    // MARK: Changes

    /// Waits for the next change. Only one task at a time may call it.
    ///
    /// - Returns: `nil` when the task is cancelled.
    func next() async -> Change? {
        while !Task.isCancelled {
            queue.signal.clear()
            if let change = nextInQueue() { return change }
            await queue.signal.wait()
        }
        return nil
    }

    /// Waits until a flag is invalidated or the task is cancelled.
    package func wait() async { await queue.signal.wait() }

    /// Clears the signal, so that the next call of ``wait()`` waits for later invalidations. Look for changes after it.
    ///
    /// - Returns: Whether a flag was invalidated since the last call.
    @discardableResult
    package func clear() -> Bool { queue.signal.clear() }

    /// Whether a flag is in the queue.
    package var hasInvalidatedFlags: Bool { !queue.isEmpty }

    /// Returns the next change without waiting, or `nil` if there is none.
    ///
    /// It runs code of providers and values, so the caller must hold no lock. Call it from one thread at a time.
    package func nextWithoutWaiting() -> UntypedFlagChange? { nextInQueue().map { UntypedFlagChange($0) } }

    private func nextInQueue() -> Change? {
        // A writer that never pauses may overtake each inspection. After 100 of them, a change is returned although its
        // order is uncertain.
        var attempts = 100
        while let item = queue.removeFirst() {
            guard let core = loaders.withLock({ $0[item.loader]?.core }) else { continue }
            let flag = AnyFlagHandle(core: core, ordinal: item.ordinal)
            let (new, source) = FlagChangeConsumer.inspect(flag)
            if attempts > 0, queue.isOvertaken(item) {
                attempts -= 1
                continue
            }
            let old = loaders.withLock { $0[item.loader]?.seen.updateValue(new, forKey: item.ordinal) }
            // Values without an encoded form can't be compared, so each invalidation counts as a change.
            guard let old, new.encoded == nil || old.encoded != new.encoded else { continue }
            return Change(flag: flag, old: old, new: new, source: source)
        }
        return nil
    }

    /// Returns the value of a flag outside of every scope, and its source.
    private static func inspect(_ flag: AnyFlagHandle) -> (seen: Seen, source: FlagSource) {
        let step = FlagScope.withoutScope { flag.core.inspect(flag.ordinal) }
        let value = step.value ?? flag.declaration.defaultValue
        return (Seen(value: value, encoded: flag.declaration.encode(value)), step.source)
    }
}

// MARK: - The queue

/// The flags that one consumer has not inspected since they were invalidated, in the order of their last invalidations.
///
/// The queue holds no values, so its size is bounded by the number of flags, and adding to it runs no foreign code.
/// Call the methods from any thread.
final class InvalidatedFlagQueue: Sendable {
    /// A flag of one of the consumer's loaders.
    struct Item: Hashable, Sendable {
        /// The consumer's number for the loader.
        let loader: Int
        let ordinal: Int
    }

    private struct State {
        /// The invalidations in their order. One that is not the last of its flag is ignored.
        var items: [(item: Item, number: UInt64)] = []
        var head = 0
        /// The number of the last invalidation of each flag in the queue.
        var last: [Item: UInt64] = [:]
        var count: UInt64 = 0

        mutating func append(_ item: Item) {
            count += 1
            last[item] = count
            items.append((item, count))
            guard items.count > 2 * last.count + 32 else { return }
            items = items[head...].filter { last[$0.item] == $0.number }
            head = 0
        }

        mutating func first() -> Item? {
            while head < items.count {
                let first = items[head]
                if last[first.item] == first.number { return first.item }
                head += 1
            }
            items.removeAll(keepingCapacity: true)
            head = 0
            return nil
        }
    }

    /// Raised by each invalidation.
    let signal = ConsumerSignal()
    private let state = Mutex(State())

    func append(_ item: Item, pending: inout PendingResumptions) {
        state.withLock { $0.append(item) }
        signal.raise(pending: &pending)
    }

    /// Removes and returns the first flag, or returns `nil` if the queue is empty.
    func removeFirst() -> Item? {
        state.withLock { state in
            guard let item = state.first() else { return nil }
            state.last[item] = nil
            return item
        }
    }

    var isEmpty: Bool { state.withLock { $0.last.isEmpty } }

    /// Returns whether a removed flag was invalidated again after another flag that is still in the queue.
    ///
    /// The value that was read may then be newer than the other flag's change. It is left for its own place in the
    /// queue, so that changes of different flags keep their order.
    func isOvertaken(_ item: Item) -> Bool {
        state.withLock { state in state.last[item] != nil && state.first() != item }
    }
}

/// The listener that adds the invalidated flags of one loader to a queue.
private final class QueueListener: InvalidationListener {
    private let queue: InvalidatedFlagQueue
    private let loader: Int
    /// The flags that the consumer observes, or `nil` for all.
    private let observed: Set<Int>?
    /// The computed flags among them. The flags that they read may have changed with any invalidation.
    private let computed: [Int]

    init(_ queue: InvalidatedFlagQueue, loader: Int, observed: Set<Int>?, computed: [Int]) {
        self.queue = queue
        self.loader = loader
        self.observed = observed
        self.computed = computed
    }

    func flagWasInvalidated(_ ordinal: Int, pending: inout PendingResumptions) {
        if observed?.contains(ordinal) ?? true {
            queue.append(InvalidatedFlagQueue.Item(loader: loader, ordinal: ordinal), pending: &pending)
        }
        for other in computed where other != ordinal {
            queue.append(InvalidatedFlagQueue.Item(loader: loader, ordinal: other), pending: &pending)
        }
    }
}

/// A signal that resumes waiting tasks, which then look for changes. Resuming them without a change is harmless.
///
/// A signal that is raised while no task waits is kept until it is cleared.
final class ConsumerSignal: ResumableConsumer {
    private struct State {
        var isRaised = false
        /// Resolved when the signal is raised. There is more than one waiting task only if copies of an iterator are
        /// used by several.
        var next: FlagPromise<Void>?
    }

    private let state = Mutex(State())

    /// Raises the signal and doesn't resume a waiting task.
    ///
    /// - Parameter pending: Receives the signal if a task waits and no other thread is about to resume it.
    func raise(pending: inout PendingResumptions) {
        let isAwaited = state.withLock { state in
            defer { state.isRaised = true }
            return !state.isRaised && state.next != nil
        }
        if isAwaited { pending.add(self) }
    }

    /// Resumes the waiting tasks.
    func resume() {
        let next = state.withLock { state in
            defer { state.next = nil }
            return state.next
        }
        next?.resolve(())
    }

    /// Clears the signal. Call it before you look for changes, so that a later change isn't missed.
    ///
    /// - Returns: Whether the signal was raised.
    @discardableResult
    func clear() -> Bool {
        state.withLock { state in
            defer { state.isRaised = false }
            return state.isRaised
        }
    }

    /// Waits until the signal is raised or the task is cancelled.
    func wait() async {
        let next = state.withLock { state -> FlagPromise<Void>? in
            guard !state.isRaised else { return nil }
            let next = state.next ?? FlagPromise()
            state.next = next
            return next
        }
        _ = await next?.wait()
    }
}
