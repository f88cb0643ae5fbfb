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
        // No other thread does so, because a slot has one loader at a time, which begins once.
        if observableAddress.load(ordering: .acquiring) == 0 {
            let new = unsafe Unmanaged.passRetained(FlagObservable()).toOpaque()
            observableAddress.store(UInt(bitPattern: new), ordering: .releasing)
        }
        setObserved(generation: generation)
        // The next read then calls the loader, which records that the flag is observed.
        invalidate(generation: generation)
    }
}

/// The flags of a loader that were read while reads are registered. A task notifies Observation of their changes.
final class ObservedFlags: Sendable {
    let queue = FlagChangeQueue()
    private let task: Task<Void, Never>

    init(_ core: LoaderCore) {
        queue.observe(core, [])
        task = Task.detached { [queue] in
            while let change = await queue.next() { change.flag.core.notifyObservation(of: change.flag.ordinal) }
        }
    }

    deinit { task.cancel() }
}

extension LoaderCore {
    /// Notifies Observation of a flag, whether its value has changed or a control that shows another one is to be drawn
    /// again. It runs closures of observers, so the caller must hold no lock.
    package func notifyObservation(of ordinal: Int) { slots[ordinal]._withUnsafeGuaranteedRef { $0.notifyChange() } }

    /// Registers reads with Observation from now on, for as long as the loader exists. Further calls do nothing.
    package func beginObserving() {
        let isFirst = tracker.observed.withLock { observed in
            guard observed == nil else { return false }
            observed = ObservedFlags(self)
            return true
        }
        guard isFirst else { return }
        for slot in slots { slot._withUnsafeGuaranteedRef { $0.beginObserving(generation: generation) } }
    }

    /// Ends the registration of reads, since the loader is being deallocated.
    func endObserving() {
        guard tracker.observed.withLock({ $0 != nil }) else { return }
        // Observation releases an observer when it is notified. No further change would do that.
        for ordinal in ordinals { notifyObservation(of: ordinal) }
    }
}
