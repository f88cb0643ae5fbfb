import Synchronization

/// Takes a loader's notices from its providers: marks the flags concerned, so that their next read asks again.
///
/// It runs under the locks of providers, so it only bumps counters, and it holds nothing whose end could run anybody
/// else's code.
final class FlagInvalidator: Sendable {
    private let index: FlagIndex
    private let slots: [(slot: any FlagSlotProtocol, life: UInt32)]
    private let count = Atomic<UInt64>(0)

    init(index: FlagIndex, slots: [(slot: any FlagSlotProtocol, life: UInt32)]) {
        self.index = index
        self.slots = slots
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
                for ordinal in index.ordinals(affectedBy: change) {
                    slots[ordinal].slot.invalidate(life: slots[ordinal].life)
                }
            }
        }
    }

    func invalidateAll() {
        count.add(1, ordering: .acquiringAndReleasing)
        for (slot, life) in slots { slot.invalidate(life: life) }
    }

    func invalidate(_ ordinal: Int) {
        count.add(1, ordering: .acquiringAndReleasing)
        slots[ordinal].slot.invalidate(life: slots[ordinal].life)
    }
}
