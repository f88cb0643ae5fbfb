import Synchronization

/// Takes the notices of a loader's providers: marks the flags concerned, so that their next read asks again, and tells
/// those who follow them.
///
/// Flags are marked under the lock of whatever changes: a provider, the chain, a default, a hold. So whoever sees the change
/// finds its flags marked, and no read that follows gives what was before. The board therefore only bumps counters, and
/// releases nothing that could run foreign code.
package final class FlagChangeBoard: Sendable {
    private let index: FlagIndex
    /// Slots are never freed, so they need no reference.
    private let slots: [(slot: Unmanaged<FlagSlot>, life: UInt32)]
    private let count = Atomic<UInt64>(0)
    private let listenerCount = Atomic<Int>(0)
    private let listeners = Mutex(Listeners())

    private struct Listeners {
        var ofFlag: [Int: [any FlagListener]] = [:]
        var ofAll: [any FlagListener] = []
    }

    init(index: FlagIndex, flags: [FlagLoadingPlan.Flag]) {
        self.index = index
        slots = flags.map { ($0.slot, $0.life) }
    }

    /// Counts what may have changed values: notices of providers, changes of the chain and of defaults. It is counted
    /// before any read can see what happened.
    package var changeCount: UInt64 { count.load(ordering: .acquiring) }

    // MARK: Marking

    /// Makes an observer for a provider of the chain. Providers hold it weakly, and it keeps the board.
    func makeObserver(_ reporter: FlagIssueReporter) -> FlagProviderObserver {
        FlagProviderObserver(reporter: reporter) { [self] news, wakes in receive(news, waking: &wakes) }
    }

    /// Marks the flags that a provider's news concern.
    ///
    /// - Parameter wakes: Takes the listeners that wait.
    private func receive(_ news: FlagProviderNews, waking wakes: inout FlagWakes) {
        switch news {
        case .reset:
            markAll(waking: &wakes)
        case .one(let change):
            count.add(1, ordering: .acquiringAndReleasing)
            index.forEachOrdinal(affectedBy: change) { mark($0, waking: &wakes) }
        case .several(let changes):
            count.add(1, ordering: .acquiringAndReleasing)
            for change in changes { index.forEachOrdinal(affectedBy: change) { mark($0, waking: &wakes) } }
        }
    }

    func markAll(waking wakes: inout FlagWakes) { mark(slots.indices, waking: &wakes) }

    package func mark(_ ordinal: Int) {
        var wakes = FlagWakes()
        mark(CollectionOfOne(ordinal), waking: &wakes)
        wakes.wake()
    }

    func mark(_ ordinals: some Collection<Int>, waking wakes: inout FlagWakes) {
        count.add(1, ordering: .acquiringAndReleasing)
        for ordinal in ordinals { mark(ordinal, waking: &wakes) }
    }

    private func mark(_ ordinal: Int, waking wakes: inout FlagWakes) {
        invalidate(ordinal)
        // A listener is counted before it reads for the first time, and a slot is invalidated before this is asked. The
        // fences on both sides make sure that either this sees the listener or its read sees the invalidation.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        guard listenerCount.load(ordering: .relaxed) > 0 else { return }
        listeners.withLock { listeners in
            for listener in listeners.ofAll { listener.mark(ordinal, waking: &wakes) }
            guard let concerned = listeners.ofFlag[ordinal] else { return }
            for listener in concerned { listener.mark(ordinal, waking: &wakes) }
        }
    }

    /// Lets the next read of a flag ask again.
    private func invalidate(_ ordinal: Int) {
        let (slot, life) = slots[ordinal]
        slot._withUnsafeGuaranteedRef { $0.invalidate(life: life) }
    }

    // MARK: Listeners

    /// Tells a listener what is marked from now on.
    ///
    /// - Parameter ordinal: The flag that it is for; `nil` for all.
    package func add(_ listener: any FlagListener, for ordinal: Int?) {
        listeners.withLock { listeners in
            if let ordinal {
                listeners.ofFlag[ordinal, default: []].append(listener)
            } else {
                listeners.ofAll.append(listener)
            }
        }
        listenerCount.add(1, ordering: .relaxed)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
    }

    /// Stops telling a listener, who was added for the same flag.
    package func remove(_ listener: any FlagListener, for ordinal: Int?) {
        listenerCount.subtract(1, ordering: .relaxed)
        // The caller holds it, so nothing ends under the lock.
        listeners.withLock { listeners in
            guard let ordinal else { return listeners.ofAll.removeAll { $0 === listener } }
            listeners.ofFlag[ordinal]?.removeAll { $0 === listener }
            if listeners.ofFlag[ordinal]?.isEmpty == true { listeners.ofFlag[ordinal] = nil }
        }
    }

    // MARK: The boards of the process

    private static let boards = Mutex([ObjectIdentifier: FlagChangeBoard]())

    func register() { FlagChangeBoard.boards.withLock { $0[ObjectIdentifier(self)] = self } }
    func unregister() { FlagChangeBoard.boards.withLock { $0[ObjectIdentifier(self)] = nil } }

    /// Lets the next read of every flag of every loader of the process ask again, as when a scope begins. Listeners are told
    /// nothing: what holds for one task is no change.
    package static func invalidateEverything() {
        for board in boards.withLock({ Array($0.values) }) {
            board.count.add(1, ordering: .acquiringAndReleasing)
            for ordinal in board.slots.indices { board.invalidate(ordinal) }
        }
    }
}

/// Is told which flags may have another value now.
///
/// It is told under the locks of providers, so it only takes notes, asks nobody, and holds nothing whose end could run
/// foreign code.
package protocol FlagListener: AnyObject, Sendable {
    /// Notes that a flag may have another value.
    ///
    /// - Parameter wakes: Takes whoever waits for marks, to be woken when the locks are free.
    func mark(_ ordinal: Int, waking wakes: inout FlagWakes)
}
