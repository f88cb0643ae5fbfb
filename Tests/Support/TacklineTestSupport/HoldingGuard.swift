import Synchronization
package import TacklineCore

/// A guard that holds back all values of some flags until they are released.
package final class HoldingGuard: FlagValueGuard {
    private let held: Mutex<Set<FlagKeyPath>>
    private let observers = FlagProviderStore()

    package init(_ keys: FlagKeyPath...) { held = Mutex(Set(keys)) }

    package func reasonToHoldBack(
        _ value: EncodedFlagValue, for key: FlagKeyPath, from provider: String
    ) -> String? {
        held.withLock { $0.contains(key) } ? "it is held back" : nil
    }

    package func admit(_ value: EncodedFlagValue, for key: FlagKeyPath, from provider: String) -> String? {
        reasonToHoldBack(value, for: key, from: provider)
    }

    package func holdsBackValues(of provider: String) -> Bool { held.withLock { !$0.isEmpty } }

    package func release(_ key: FlagKeyPath) throws(FlagError) {
        held.withLock { _ = $0.remove(key) }
        observers.announceReset()
    }

    package func observe(_ observer: FlagProviderObserver) { observers.observe(observer) }
}
