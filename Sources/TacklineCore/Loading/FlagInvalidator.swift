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
    /// Keeps what happened for those who follow changes.
    let queue = FlagChangeQueue()

    init(index: FlagIndex, flags: [FlagConstruction.FlagRecord]) {
        self.index = index
        slots = flags.map { (Unmanaged.passUnretained($0.slot), $0.life) }
    }

    /// How many notices came. A notice is counted before any read can see what it tells.
    var changeCount: UInt64 { count.load(ordering: .acquiring) }

    /// - Parameters:
    ///   - link: The number of the provider's link in the chain.
    ///   - wakes: Takes those who wait for changes.
    func receive(_ notice: FlagProviderNotice, fromLink link: UInt64, waking wakes: inout FlagWakes) {
        count.add(1, ordering: .acquiringAndReleasing)
        var affected: [Int]?
        switch notice {
        case .reset:
            for ordinal in slots.indices { invalidateSlot(ordinal) }
        case .changed(let changes):
            let ordinals =
                changes.count == 1 ? index.ordinals(affectedBy: changes[0]) : changes.flatMap(index.ordinals)
            for ordinal in ordinals { invalidateSlot(ordinal) }
            guard !ordinals.isEmpty else { return }
            affected = ordinals
        }
        if queue.hasListeners { queue.add(.notice(link: link, notice), ordinals: affected, waking: &wakes) }
    }

    func invalidateAll() {
        var wakes = FlagWakes()
        invalidateAll(waking: &wakes)
        wakes.wake()
    }

    func invalidateAll(waking wakes: inout FlagWakes) {
        count.add(1, ordering: .acquiringAndReleasing)
        for ordinal in slots.indices { invalidateSlot(ordinal) }
        if queue.hasListeners { queue.add(.everything, ordinals: nil, waking: &wakes) }
    }

    func invalidate(_ ordinal: Int) {
        invalidate([ordinal])
    }

    func invalidate(_ ordinals: [Int]) {
        count.add(1, ordering: .acquiringAndReleasing)
        for ordinal in ordinals { invalidateSlot(ordinal) }
        guard queue.hasListeners else { return }
        var wakes = FlagWakes()
        for ordinal in ordinals { queue.add(.flag(ordinal), ordinals: [ordinal], waking: &wakes) }
        wakes.wake()
    }

    private func invalidateSlot(_ ordinal: Int) {
        let (slot, life) = slots[ordinal]
        slot._withUnsafeGuaranteedRef { $0.invalidate(life: life) }
    }
}
