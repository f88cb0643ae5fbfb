import Synchronization
package import TacklineCore

/// A guard that holds back the contents of a provider until they are released.
package final class HoldingGuard: FlagContentGuard {
    private let held: Mutex<Set<String>>
    private let observers = FlagProviderStore()

    package init(_ provider: String) { held = Mutex([provider]) }

    package func reasonToHoldBack(
        _ provider: any FingerprintedProvider, id: String, isUse: Bool
    ) -> String? {
        holdsBack(id) ? "it is held back" : nil
    }

    package func holdsBack(_ provider: String) -> Bool { held.withLock { $0.contains(provider) } }

    package func release(_ provider: String?) throws(FlagError) {
        held.withLock { $0 = [] }
        observers.announceReset()
    }

    package func observe(_ observer: FlagProviderObserver) { observers.observe(observer) }
}
