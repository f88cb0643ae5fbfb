import Synchronization

/// The receiver of the notices of a loader's providers. It invalidates the affected flags and notifies the consumers of
/// their values.
///
/// Flags are invalidated under the lock of the provider, chain, default or pinned value that changes. So a thread that
/// sees the change finds the flags invalidated, and none of its reads returns an older value. Therefore the tracker
/// only counts and enqueues, and releases nothing that could run foreign code.
package final class FlagChangeTracker: Sendable {
    private let index: FlagIndex
    /// The slots by ordinal. They are never freed, so no references are counted.
    private let slots: [Unmanaged<FlagSlot>]
    private let generation: UInt32
    /// The computed flags. The flags that they read may have changed with any invalidation.
    private let computed: [Int]
    private let pins: PinnedFlagValues
    private let count = Atomic<UInt64>(0)
    private let queues = Mutex([QueuedFlags]())
    /// The flags that were read since reads are registered with Observation, or `nil` while they are not.
    let observed = Mutex<ObservedFlags?>(nil)

    init(
        index: FlagIndex, slots: [Unmanaged<FlagSlot>], generation: UInt32, computed: [Int], pins: PinnedFlagValues
    ) {
        (self.index, self.slots, self.generation, self.computed) = (index, slots, generation, computed)
        self.pins = pins
    }

    /// The number of changes so far: notices of providers, and changes of the chain, of defaults and of pinned values.
    ///
    /// A change is counted before any read can see it.
    package var changeCount: UInt64 { count.load(ordering: .acquiring) }

    /// Returns the number of invalidations of a flag.
    ///
    /// If the number is the same before and after the providers are asked, they would answer the same again, unless the
    /// flag is computed or a provider doesn't notify observers.
    package func version(of ordinal: Int) -> UInt32 {
        slots[ordinal]._withUnsafeGuaranteedRef { $0.invalidationCount }
    }

    // MARK: Invalidating

    /// Makes the next read of each flag resolve it again, though no value has changed.
    func resolveAgain() {
        for slot in slots { slot._withUnsafeGuaranteedRef { $0.invalidate(generation: generation) } }
    }

    /// Invalidates the flags that a notice affects. Another subject ends all pinned values.
    func receive(_ notice: FlagProviderNotice, pending: inout PendingResumptions) {
        switch notice {
        case .reset: invalidate(slots.indices, pending: &pending)
        case .subjectChanged: pins.endSession(andLaunch: true) { invalidate(slots.indices, pending: &pending) }
        case .changed(let changes):
            invalidate(pending: &pending) { body in
                for change in changes { index.forEachOrdinal(affectedBy: change, body) }
            }
        }
    }

    /// Invalidates flags under the lock of whatever changes.
    func invalidate(_ ordinals: some Collection<Int>, pending: inout PendingResumptions) {
        invalidate(pending: &pending) { ordinals.forEach($0) }
    }

    /// Invalidates flags and resumes the tasks that wait. The caller must hold no lock.
    func invalidate(_ ordinals: some Collection<Int>) {
        var pending = PendingResumptions()
        invalidate(ordinals, pending: &pending)
        pending.resume()
    }

    private func invalidate(pending: inout PendingResumptions, _ forEachOrdinal: ((Int) -> Void) -> Void) {
        count.add(1, ordering: .acquiringAndReleasing)
        // A queue is added under this lock before its consumer reads for the first time. So either the flag is added to it
        // here, or that read finds the flag invalidated.
        queues.withLock { queues in
            var isAnyAffected = false
            forEachOrdinal { ordinal in
                isAnyAffected = true
                slots[ordinal]._withUnsafeGuaranteedRef { $0.invalidate(generation: generation) }
                append(ordinal, to: queues, pending: &pending)
            }
            for ordinal in computed where isAnyAffected { append(ordinal, to: queues, pending: &pending) }
        }
    }

    @inline(never) private func append(_ ordinal: Int, to queues: [QueuedFlags], pending: inout PendingResumptions) {
        for queue in queues { queue.append(ordinal, of: self, pending: &pending) }
    }

    // MARK: Queues

    /// Notifies Observation of the changes that a call has made, at once and on the current thread.
    func notifyObservation() {
        guard let queue = observed.withLock({ $0?.queue }) else { return }
        while let change = queue.nextWithoutWaiting() { change.flag.core.notifyObservation(of: change.flag.ordinal) }
    }

    func add(_ queue: QueuedFlags) { queues.withLock { $0.append(queue) } }

    /// Removes a queue. The caller holds it, so it isn't deallocated under the lock.
    func remove(_ queue: QueuedFlags) { queues.withLock { queues in queues.removeAll { $0 === queue } } }
}
