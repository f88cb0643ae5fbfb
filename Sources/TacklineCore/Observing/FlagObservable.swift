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
    func valueIsRead() { registrar.access(self, keyPath: \.value) }

    /// Tells those who have read the value. Runs their closures, so nothing may be locked.
    func valueDidChange() {
        registrar.willSet(self, keyPath: \.value)
        registrar.didSet(self, keyPath: \.value)
    }
}

extension FlagSlot {
    /// Does something with what Observation knows of the flag; nothing if its loaders never took part in it.
    @inline(__always)
    fileprivate func withObservable(_ body: (FlagObservable) -> Void) {
        let address = observableAddress.load(ordering: .acquiring)
        guard let pointer = UnsafeRawPointer(bitPattern: address) else { return }
        // Set once by `beginObserving`, which keeps the object for good.
        unsafe Unmanaged<FlagObservable>.fromOpaque(pointer)._withUnsafeGuaranteedRef(body)
    }

    /// Registers a read of an observed slot.
    @usableFromInline
    func registerRead() { withObservable { $0.valueIsRead() } }

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

/// Follows the flags of a loader that were read while reads are registered, and tells Observation which of them have
/// another value.
final class ObservedFlags: Sendable {
    private let core: FlagOwnerReference
    private let slots: [FlagSlot]
    private let marks = FlagMarks()
    /// What was seen last of each flag that was read. `nil` before the first look, and where there is no neutral form.
    private let seen = Mutex([Int: EncodedFlagValue?]())
    /// Whether a task is about to look at what is marked.
    private let isScheduled = Atomic<Bool>(false)

    init(_ core: LoaderCore) {
        self.core = FlagOwnerReference(core)
        slots = core.declared.flags.map { $0.slot.takeUnretainedValue() }
    }

    /// Tells Observation which marked flags have another value. Runs closures of observers, so nothing may be locked.
    func tellChanges() {
        guard let core = core.owner?.core else { return }
        while let place = marks.take() {
            guard seen.withLock({ $0[place.ordinal] != nil }) else { continue }
            if look(at: place.ordinal, of: core) { slots[place.ordinal].withObservable { $0.valueDidChange() } }
        }
    }

    /// Looks at a flag. Returns whether its value is another one than at the last look, or cannot be compared.
    @discardableResult
    private func look(at ordinal: Int, of core: LoaderCore) -> Bool {
        let value = FlagScope.withoutScope { core.encodedResolution(of: ordinal).value }
        return seen.withLock { seen in
            let old = seen.updateValue(value, forKey: ordinal)
            return value == nil || old != .some(value)
        }
    }
}

extension ObservedFlags: FlagReadListener {
    func flagWasRead(_ ordinal: Int) {
        let isNew = seen.withLock { seen in
            guard seen[ordinal] == nil else { return false }
            // Noted before the first look, so that a change during the look is told.
            seen[ordinal] = .some(nil)
            return true
        }
        if isNew, let core = core.owner?.core { look(at: ordinal, of: core) }
    }

    func flagsWereWritten() { tellChanges() }

    func ownerEnded() {
        // There will be no change any more: those who wait are let go.
        for slot in slots { slot.withObservable { $0.valueDidChange() } }
    }
}

extension ObservedFlags: FlagListener, FlagWaking {
    func mark(_ ordinal: Int, waking wakes: inout FlagWakes) {
        marks.add(FlagMarks.Place(source: 0, ordinal: ordinal), waking: &wakes)
        if !isScheduled.exchange(true, ordering: .acquiringAndReleasing) { wakes.add(self) }
    }

    func wake() {
        Task.detached { [self] in
            isScheduled.store(false, ordering: .releasing)
            tellChanges()
        }
    }
}

extension LoaderCore {
    /// Begins to register reads with Observation, for as long as the loader lives. Once is enough.
    package func beginObserving() {
        let observed = ObservedFlags(self)
        let isFirst = readListener.withLock { listener in
            guard listener == nil else { return false }
            listener = observed
            return true
        }
        guard isFirst else { return }
        board.add(observed, for: nil)
        for flag in declared.flags { flag.slot.takeUnretainedValue().beginObserving(life: flag.life) }
    }
}

extension FlagsLoader {
    /// Begins to register reads with Observation because a view reads the loader, unless the mode forbids it.
    package func beginObservingForView() { if observationMode != .untracked { core.beginObserving() } }
}
