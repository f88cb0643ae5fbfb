import Synchronization

/// Takes a loader's notices from its providers: marks the flags concerned, so that their next read asks again.
///
/// It runs under the locks of providers, so it only bumps counters, and it holds nothing whose end could run anybody
/// else's code.
final class FlagInvalidator: Sendable {
    private let index: FlagIndex
    /// Slots are never freed, so they need no reference.
    private let slots: [(slot: Unmanaged<FlagSlot>, life: UInt32)]
    private let count = Atomic<UInt64>(0)

    init(index: FlagIndex, flags: [FlagConstruction.FlagRecord]) {
        self.index = index
        slots = flags.map { (Unmanaged.passUnretained($0.slot), $0.life) }
    }

    /// How many notices came. A notice is counted before any read can see what it tells.
    var changeCount: UInt64 { count.load(ordering: .acquiring) }

    func receive(_ notice: FlagProviderNotice) {
        switch notice {
        case .reset:
            invalidateAll()
        case .changed(let changes):
            count.add(1, ordering: .acquiringAndReleasing)
            for change in changes {
                for ordinal in index.ordinals(affectedBy: change) { invalidateSlot(ordinal) }
            }
        }
    }

    func invalidateAll() {
        count.add(1, ordering: .acquiringAndReleasing)
        for ordinal in slots.indices { invalidateSlot(ordinal) }
    }

    func invalidate(_ ordinal: Int) {
        count.add(1, ordering: .acquiringAndReleasing)
        invalidateSlot(ordinal)
    }

    private func invalidateSlot(_ ordinal: Int) {
        let (slot, life) = slots[ordinal]
        slot._withUnsafeGuaranteedRef { $0.invalidate(life: life) }
    }
}
