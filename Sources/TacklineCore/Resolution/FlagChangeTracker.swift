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
    private let pins: PinnedFlagValues
    private let count = Atomic<UInt64>(0)
    private let listeners = Mutex([InvalidatedFlags]())
    /// The listener of reads, or `nil` while reads are not registered with Observation.
    let readListener = Mutex<(any FlagReadListener)?>(nil)

    init(index: FlagIndex, slots: [Unmanaged<FlagSlot>], generation: UInt32, pins: PinnedFlagValues) {
        (self.index, self.slots, self.generation, self.pins) = (index, slots, generation, pins)
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

    /// Invalidates the flags that a notice affects. Another subject ends all pinned values.
    func receive(_ notice: FlagProviderNotice, pending: inout PendingResumptions) {
        switch notice {
        case .reset: invalidateAll(pending: &pending)
        case .subjectChanged: pins.endSession(andLaunch: true) { invalidateAll(pending: &pending) }
        case .changed(let changes):
            invalidate(pending: &pending) { body in
                for change in changes { index.forEachOrdinal(affectedBy: change, body) }
            }
        }
    }

    package func invalidateAll(pending: inout PendingResumptions) { invalidate(slots.indices, pending: &pending) }

    package func invalidate(_ ordinal: Int) {
        var pending = PendingResumptions()
        invalidate(CollectionOfOne(ordinal), pending: &pending)
        pending.resume()
    }

    package func invalidate(_ ordinals: some Collection<Int>, pending: inout PendingResumptions) {
        invalidate(pending: &pending) { ordinals.forEach($0) }
    }

    private func invalidate(pending: inout PendingResumptions, _ forEachOrdinal: ((Int) -> Void) -> Void) {
        count.add(1, ordering: .acquiringAndReleasing)
        // A listener is added under this lock before it reads for the first time. So either it is notified here, or its
        // read finds the flag invalidated.
        listeners.withLock { listeners in
            forEachOrdinal { ordinal in
                slots[ordinal]._withUnsafeGuaranteedRef { $0.invalidate(generation: generation) }
                for listener in listeners {
                    listener.flagWasInvalidated(ordinal, of: ObjectIdentifier(self), pending: &pending)
                }
            }
        }
    }

    // MARK: Listeners

    /// Notifies Observation of the changes that a call has made, at once and on the current thread.
    func notifyObservation() { readListener.withLock { $0 }?.flagsWereWritten() }

    func add(_ listener: InvalidatedFlags) { listeners.withLock { $0.append(listener) } }

    /// Removes a listener. The caller holds it, so it isn't deallocated under the lock.
    func remove(_ listener: InvalidatedFlags) {
        listeners.withLock { listeners in listeners.removeAll { $0 === listener } }
    }
}

/// A listener that is notified of reads while they are registered with Observation.
package protocol FlagReadListener: AnyObject, Sendable {
    /// Records that a flag without a cached value was read.
    ///
    /// - Parameter value: The value that the read returns, or `nil` before the flag is resolved.
    func flagWasRead(_ ordinal: Int, of core: LoaderCore, value: ErasedFlagValue?)
    /// Notifies Observation, on the current thread, of the changes that a call has made.
    func flagsWereWritten()
    /// Notifies Observation that no further changes follow.
    func loaderWasDeallocated()
}
