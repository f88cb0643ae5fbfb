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
    /// The slot's observable, which is never released, or `nil` if its loaders never took part in Observation.
    @inline(__always)
    private var observable: Unmanaged<FlagObservable>? {
        let address = observableAddress.load(ordering: .acquiring)
        return unsafe UnsafeRawPointer(bitPattern: address).map { unsafe Unmanaged.fromOpaque($0) }
    }

    @usableFromInline
    func registerRead() { observable?._withUnsafeGuaranteedRef { $0.registerRead() } }

    fileprivate func notifyChange() { observable?._withUnsafeGuaranteedRef { $0.notifyChange() } }

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
private final class ObservedFlags: FlagReadListener {
    private let queue = FlagChangeQueue()
    private let slots: [Unmanaged<FlagSlot>]
    private let task: Task<Void, Never>

    init(_ core: LoaderCore) {
        slots = core.slots
        queue.observe(core, [])
        task = Task.detached { [queue, slots] in
            while let change = await queue.next() {
                slots[change.flag.ordinal]._withUnsafeGuaranteedRef { $0.notifyChange() }
            }
        }
    }

    func flagWasRead(_ ordinal: Int, of core: LoaderCore, value: ErasedFlagValue?) {
        queue.flagIsRead(ordinal, of: core, value: value)
    }

    func flagsWereWritten() {
        while let change = queue.nextWithoutWaiting() {
            slots[change.flag.ordinal]._withUnsafeGuaranteedRef { $0.notifyChange() }
        }
    }

    func loaderWasDeallocated() {
        task.cancel()
        // Observation releases an observer when it is notified. No further change would do that.
        for slot in slots { slot._withUnsafeGuaranteedRef { $0.notifyChange() } }
    }
}

extension LoaderCore {
    /// Notifies Observation of a flag whose value is the same, so that a control which shows another value is drawn again.
    /// It runs closures of observers, so the caller must hold no lock.
    package func notifyObservation(ofUnchanged ordinal: Int) {
        slots[ordinal]._withUnsafeGuaranteedRef { $0.notifyChange() }
    }

    /// Registers reads with Observation from now on, for as long as the loader exists. Further calls do nothing.
    package func beginObserving() {
        let isFirst = tracker.readListener.withLock { listener in
            guard listener == nil else { return false }
            listener = ObservedFlags(self)
            return true
        }
        guard isFirst else { return }
        for slot in slots { slot._withUnsafeGuaranteedRef { $0.beginObserving(generation: generation) } }
    }
}
