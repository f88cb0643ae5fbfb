import Observation
import Synchronization

/// What Observation knows of one flag: a property without a value.
///
/// There is one for each slot whose loader ever took part in Observation. It stays as long as the slot, so that a read
/// needs no reference to it.
final class FlagObservable: Observable, Sendable {
    private let registrar = ObservationRegistrar()

    /// Stands for the flag's value.
    private var value: Void { () }

    /// Registers a read with the tracking scope that the thread is in, if it is in one.
    func valueIsRead() {
        registrar.access(self, keyPath: \.value)
    }

    /// Tells those who read the value. Runs their closures, so nothing may be locked.
    func valueDidChange() {
        registrar.willSet(self, keyPath: \.value)
        registrar.didSet(self, keyPath: \.value)
    }
}

extension FlagSlot {
    /// What Observation knows of the flag; `nil` if its loaders never took part in it.
    var observable: FlagObservable? {
        let address = observableAddress.load(ordering: .acquiring)
        guard let pointer = UnsafeRawPointer(bitPattern: address) else { return nil }
        // Set once by `beginObserving`, which keeps the object for good.
        return unsafe Unmanaged<FlagObservable>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Registers a read of an observed slot.
    @usableFromInline
    func registerRead() {
        let address = observableAddress.load(ordering: .acquiring)
        guard let pointer = UnsafeRawPointer(bitPattern: address) else { return }
        unsafe Unmanaged<FlagObservable>.fromOpaque(pointer)._withUnsafeGuaranteedRef { $0.valueIsRead() }
    }

    /// Registers reads with Observation from now on, if the slot is still in the given life. The life's end ends it.
    package func beginObserving(life: UInt32) {
        if observableAddress.load(ordering: .acquiring) == 0 {
            let new = unsafe Unmanaged.passRetained(FlagObservable())
            let address = UInt(bitPattern: unsafe new.toOpaque())
            let (isSet, _) = observableAddress.compareExchange(
                expected: 0, desired: address, ordering: .acquiringAndReleasing)
            if !isSet { unsafe new.release() }
        }
        var current = state.load(ordering: .relaxed)
        while current >> 33 == UInt64(life), current & FlagSlot.observedBit == 0 {
            let (exchanged, original) = state.compareExchange(
                expected: current, desired: current | FlagSlot.observedBit, ordering: .acquiringAndReleasing)
            if exchanged { break }
            current = original
        }
        // The next read asks the owner, who learns that way that the flag is observed.
        invalidate(life: life)
    }
}
