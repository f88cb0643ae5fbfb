import Synchronization
package import TacklineCore

/// A provider in memory that records the durability of each write.
package final class DurabilityRecorder: WritableFlagProvider {
    package let name = "recorder"
    private let store = FlagProviderStore()
    private let recorded = Mutex<[FlagWriteDurability]>([])

    package init() {}

    /// The durability of each write, in the order of the writes.
    package var durabilities: [FlagWriteDurability] { recorded.withLock { $0 } }

    package var document: FlagDocument? { store.document }

    package func value(for key: FlagKeyPath) -> EncodedFlagValue? { store.value(for: key) }

    package func observe(_ observer: FlagProviderObserver) -> Bool { store.observe(observer) }

    package func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath) {
        setValue(value, for: key, durability: .stored)
    }

    package func setValue(_ value: EncodedFlagValue?, for key: FlagKeyPath, durability: FlagWriteDurability) {
        recorded.withLock { $0.append(durability) }
        store.setValue(value, for: key)
    }
}
