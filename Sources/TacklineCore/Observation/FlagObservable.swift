import Observation
import Synchronization

/// The observable object of one flag for the Observation framework.
///
/// A slot gets one when its loader first takes part in Observation. It is never freed, so a read needs no reference to
/// it.
final class FlagObservable: Observable, Sendable {
    private let registrar = ObservationRegistrar()

    /// The property that Observation tracks in place of the flag's value.
    private var value: Void { () }

    /// Registers a read with the tracking scope of the thread, if there is one.
    func registerRead() { registrar.access(self, keyPath: \.value) }

    /// Notifies observers of a change. It runs their closures, so the caller must hold no lock.
    func notifyChange() {
        registrar.willSet(self, keyPath: \.value)
        registrar.didSet(self, keyPath: \.value)
    }
}

extension FlagSlot {
    /// Calls a closure with the slot's observable, unless its loaders never took part in Observation.
    @inline(__always)
    fileprivate func withObservable(_ body: (FlagObservable) -> Void) {
        let address = observableAddress.load(ordering: .acquiring)
        guard let pointer = UnsafeRawPointer(bitPattern: address) else { return }
        // The address of an object that `beginObserving` retained and that is never released.
        unsafe Unmanaged<FlagObservable>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
    }

    @usableFromInline
    func registerRead() { withObservable { $0.registerRead() } }

    /// Registers reads with Observation from now on, until the generation ends.
    fileprivate func beginObserving(generation: UInt32) {
        if observableAddress.load(ordering: .acquiring) == 0 {
            let new = unsafe Unmanaged.passRetained(FlagObservable())
            let address = UInt(bitPattern: unsafe new.toOpaque())
            let (isStored, _) = observableAddress.compareExchange(
                expected: 0, desired: address, ordering: .acquiringAndReleasing)
            if !isStored { unsafe new.release() }
        }
        setObserved(generation: generation)
        // The next read then calls the loader, which records that the flag is observed.
        invalidate(generation: generation)
    }
}

/// The flags of a loader that were read while reads are registered. It notifies Observation when their values change.
final class ObservedFlags: Sendable {
    private let weak: WeakCore
    private let slots: [Unmanaged<FlagSlot>]
    private let queue = InvalidatedFlagQueue()
    /// The flags that were read.
    private let seen = Mutex([Int: Seen]())
    /// Whether a task is about to process the queue.
    private let isScheduled = Atomic<Bool>(false)

    private struct Seen {
        /// The last value. It is `nil` before the flag is inspected, if encoding the value throws, and if a reader has
        /// another one.
        var value: EncodedFlagValue?
        var invalidations: UInt64 = 0
        /// The number of invalidations before the last inspection.
        var inspected: UInt64 = 0

        var needsInspection: Bool { inspected != invalidations }
    }

    private struct WeakCore: Sendable { weak var core: LoaderCore? }

    init(_ core: LoaderCore) {
        weak = WeakCore(core: core)
        slots = core.slots
    }

    private var core: LoaderCore? { weak.core }

    /// Notifies Observation of the invalidated flags whose values differ. It runs closures of observers, so the caller
    /// must hold no lock.
    func notifyChanges() {
        guard let core else { return }
        while let item = queue.removeFirst() {
            guard seen.withLock({ $0[item.ordinal] != nil }) else { continue }
            if inspect(item.ordinal, of: core) { notifyChange(of: item.ordinal) }
        }
    }

    private func notifyChange(of ordinal: Int) {
        slots[ordinal]._withUnsafeGuaranteedRef { slot in slot.withObservable { $0.notifyChange() } }
    }

    /// Inspects a flag and returns whether its value differs from the last one or can't be compared.
    @discardableResult
    private func inspect(_ ordinal: Int, of core: LoaderCore) -> Bool {
        let invalidations = seen.withLock { $0[ordinal]?.invalidations ?? 0 }
        let value = FlagScope.withoutScope { core.inspectedValue(of: ordinal).value }
        let old = seen.withLock { seen -> Seen? in
            // Another thread may have inspected the flag after a later change.
            guard let old = seen[ordinal], old.inspected <= invalidations else { return nil }
            seen[ordinal]?.value = value
            seen[ordinal]?.inspected = invalidations
            return old
        }
        guard let old else { return false }
        return value == nil || old.value != value
    }
}

extension ObservedFlags: FlagReadListener {
    func flagWasRead(_ ordinal: Int, value: ErasedFlagValue?) {
        let (isNew, needsInspection) = seen.withLock { seen in
            if let known = seen[ordinal] { return (false, known.needsInspection) }
            // Inserted before the flag is inspected, so that a change meanwhile is noticed.
            seen[ordinal] = Seen()
            return (true, false)
        }
        guard let core else { return }
        if isNew { inspect(ordinal, of: core) }
        guard needsInspection, let value else { return }
        // The flag may be changed back to the last value before it is inspected. The reader has to be notified then,
        // too.
        let encoded = core.declarations[ordinal].encode(value)
        let replaced = seen.withLock { seen -> Seen? in
            guard let known = seen[ordinal], known.needsInspection, known.value != encoded else { return nil }
            seen[ordinal]?.value = nil
            return known
        }
        // Its value is released here, outside the lock, which reads take.
        withExtendedLifetime(replaced) {}
    }

    func flagsWereWritten() { notifyChanges() }

    func loaderWasDeallocated() {
        // Observation releases an observer when it is notified. No further change would do that.
        for ordinal in slots.indices { notifyChange(of: ordinal) }
    }
}

extension ObservedFlags: InvalidationListener, ResumableConsumer {
    func flagWasInvalidated(_ ordinal: Int, pending: inout PendingResumptions) {
        seen.withLock { $0[ordinal]?.invalidations += 1 }
        queue.append(InvalidatedFlagQueue.Item(loader: 0, ordinal: ordinal), pending: &pending)
        if !isScheduled.exchange(true, ordering: .acquiringAndReleasing) { pending.add(self) }
    }

    func resume() {
        Task.detached { [self] in
            isScheduled.store(false, ordering: .releasing)
            notifyChanges()
        }
    }
}

extension LoaderCore {
    /// Notifies Observation of a flag whose value is the same, so that a control which shows another value is drawn again.
    /// It runs closures of observers, so the caller must hold no lock.
    package func notifyObservation(ofUnchanged ordinal: Int) {
        slots[ordinal]._withUnsafeGuaranteedRef { slot in slot.withObservable { $0.notifyChange() } }
    }

    /// Registers reads with Observation from now on, for as long as the loader exists. Further calls do nothing.
    package func beginObserving() {
        let observed = ObservedFlags(self)
        let isFirst = readListener.withLock { listener in
            guard listener == nil else { return false }
            listener = observed
            return true
        }
        guard isFirst else { return }
        tracker.add(observed, for: nil)
        for slot in slots { slot._withUnsafeGuaranteedRef { $0.beginObserving(generation: generation) } }
    }
}
