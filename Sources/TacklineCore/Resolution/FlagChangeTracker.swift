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
    private let count = Atomic<UInt64>(0)
    private let listenerCount = Atomic<Int>(0)
    /// The listeners of each flag, by ordinal, and of all flags, by -1.
    private let listeners = Mutex([Int: [any InvalidationListener]]())

    package init(index: FlagIndex, slots: [Unmanaged<FlagSlot>], generation: UInt32) {
        self.index = index
        self.slots = slots
        self.generation = generation
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

    /// Invalidates the flags that a notice affects.
    func receive(_ notice: CompactNotice, pending: inout PendingResumptions) {
        switch notice {
        case .reset, .subjectChanged:
            invalidateAll(pending: &pending)
        case .one(let change):
            count.add(1, ordering: .acquiringAndReleasing)
            index.forEachOrdinal(affectedBy: change) { invalidate($0, pending: &pending) }
        case .several(let changes):
            count.add(1, ordering: .acquiringAndReleasing)
            for change in changes {
                index.forEachOrdinal(affectedBy: change) { invalidate($0, pending: &pending) }
            }
        }
    }

    package func invalidateAll(pending: inout PendingResumptions) {
        invalidate(slots.indices, pending: &pending)
    }

    package func invalidate(_ ordinal: Int) {
        var pending = PendingResumptions()
        invalidate(CollectionOfOne(ordinal), pending: &pending)
        pending.resume()
    }

    package func invalidate(_ ordinals: some Collection<Int>, pending: inout PendingResumptions) {
        count.add(1, ordering: .acquiringAndReleasing)
        for ordinal in ordinals { invalidate(ordinal, pending: &pending) }
    }

    private func invalidate(_ ordinal: Int, pending: inout PendingResumptions) {
        slots[ordinal]._withUnsafeGuaranteedRef { $0.invalidate(generation: generation) }
        // A listener is counted before it reads for the first time, and a slot is invalidated before the count is
        // loaded. The fences on both sides ensure that either the listener is seen here or its read sees the
        // invalidation.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        guard listenerCount.load(ordering: .relaxed) > 0 else { return }
        let id = ObjectIdentifier(self)
        listeners.withLock { listeners in
            for key in [-1, ordinal] {
                guard let concerned = listeners[key] else { continue }
                for listener in concerned { listener.flagWasInvalidated(ordinal, of: id, pending: &pending) }
            }
        }
    }

    // MARK: Listeners

    /// Adds a listener.
    ///
    /// - Parameter ordinal: The only flag that the listener is notified of, or `nil` for all flags.
    package func add(_ listener: any InvalidationListener, for ordinal: Int?) {
        listeners.withLock { $0[ordinal ?? -1, default: []].append(listener) }
        listenerCount.add(1, ordering: .relaxed)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
    }

    /// Removes a listener that was added for the same flag.
    package func remove(_ listener: any InvalidationListener, for ordinal: Int?) {
        listenerCount.subtract(1, ordering: .relaxed)
        // The caller holds the listener, so it isn't deallocated under the lock.
        listeners.withLock { listeners in
            listeners[ordinal ?? -1]?.removeAll { $0 === listener }
            if listeners[ordinal ?? -1]?.isEmpty == true { listeners[ordinal ?? -1] = nil }
        }
    }
}

/// A listener that is notified when flags are invalidated.
///
/// It is called under the locks of providers. So it only records flags. It asks no provider, and releases nothing whose
/// deinitializer could run foreign code.
package protocol InvalidationListener: AnyObject, Sendable {
    /// Records that a flag may have another value.
    ///
    /// - Parameters:
    ///   - loader: The tracker of the flag's loader.
    ///   - pending: Receives the tasks that wait for the flag, which are resumed after the locks are released.
    func flagWasInvalidated(_ ordinal: Int, of loader: ObjectIdentifier, pending: inout PendingResumptions)
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
