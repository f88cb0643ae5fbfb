import Synchronization

/// The invalidators of all loaders of the process: what has to be told when a scope begins.
package final class FlagInvalidators: Sendable {
    package static let shared = FlagInvalidators()

    private let invalidators = Mutex<[ObjectIdentifier: FlagInvalidator]>([:])

    func add(_ invalidator: FlagInvalidator) {
        invalidators.withLock { $0[ObjectIdentifier(invalidator)] = invalidator }
    }

    func remove(_ invalidator: FlagInvalidator) {
        invalidators.withLock { $0[ObjectIdentifier(invalidator)] = nil }
    }

    /// Makes the next read of every flag of every loader ask again.
    package func invalidateAll() {
        let all = invalidators.withLock { Array($0.values) }
        for invalidator in all { invalidator.invalidateAll() }
    }
}
