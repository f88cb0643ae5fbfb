import Synchronization
import TacklineCore

/// The known keys with their last values, and the observers.
///
/// The values are stored elsewhere and can change at any time, so `FlagProviderStore` can't hold them. A notice
/// contains the values at the time of the notice and is sent under one lock. So the last notice has the last value, in
/// whatever order writers call this type.
final class DefaultsBoard: Sendable {
    private struct State {
        var known: [FlagKeyPath: EncodedFlagValue?] = [:]
        var observers: [WeakObserver] = []
    }

    private struct WeakObserver {
        weak var observer: FlagProviderObserver?
    }

    private let state = Mutex(State())

    /// Adds an observer, which is held weakly.
    func observe(_ observer: FlagProviderObserver) {
        let present = state.withLock { state in
            let present = state.observers.compactMap(\.observer)
            state.observers = (present + [observer]).map { WeakObserver(observer: $0) }
            return present
        }
        // Released outside the lock, because releasing an observer may run foreign code.
        withExtendedLifetime(present) {}
    }

    /// Records a key and its present value, if the key isn't known yet.
    ///
    /// - Returns: Whether the key is new.
    func learn(_ key: FlagKeyPath, _ value: () -> EncodedFlagValue?) -> Bool {
        state.withLock { state in
            guard state.known[key] == nil else { return false }
            state.known[key] = .some(value())
            return true
        }
    }

    /// Returns the current value of a known key, and notifies observers if it differs from the last one.
    ///
    /// A loader caches the value until it is notified. Without the notice, a value that is changed back before the next
    /// comparison would stay cached.
    func read(_ key: FlagKeyPath, _ value: () -> EncodedFlagValue?) -> EncodedFlagValue? {
        let (value, changes, told) = state.withLock {
            state -> (EncodedFlagValue?, [FlagProviderChange], [FlagProviderObserver]) in
            let new = value()
            guard let old = state.known[key], old != new else { return (new, [], []) }
            state.known[key] = .some(new)
            let changes = [FlagProviderChange(key: key, old: old, new: new)]
            let present = state.observers.compactMap(\.observer)
            for observer in present { observer.valuesChanged(changes) }
            return (new, changes, present)
        }
        // The old value is released outside the lock, too.
        withExtendedLifetime((changes, told)) {}
        return value
    }

    /// Compares the values of the known keys and notifies observers of changes.
    ///
    /// - Parameters:
    ///   - key: The key that was written, or `nil` to compare all keys. With a key, only keys with the same first
    ///     component are compared.
    ///   - value: Returns the present value of a key.
    /// - Complexity: O(*n*) in the number of known keys.
    func update(near key: FlagKeyPath? = nil, _ value: (FlagKeyPath) -> EncodedFlagValue?) {
        let first = key?.components.first
        var changes: [FlagProviderChange] = []
        let told = state.withLock { state -> [FlagProviderObserver] in
            for (key, old) in state.known where first == nil || key.components.first == first {
                let new = value(key)
                guard new != old else { continue }
                state.known[key] = .some(new)
                changes.append(FlagProviderChange(key: key, old: old, new: new))
            }
            guard !changes.isEmpty else { return [] }
            changes.sort { $0.key.text < $1.key.text }
            let present = state.observers.compactMap(\.observer)
            for observer in present { observer.valuesChanged(changes) }
            return present
        }
        withExtendedLifetime((changes, told)) {}
    }
}
