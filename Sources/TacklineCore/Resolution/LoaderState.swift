import Synchronization

/// The defaults of a loader that were changed at run time.
final class ChangedDefaults: Sendable {
    private let changed = Mutex([Int: ErasedFlagValue]())
    /// Spares reads the lock if nothing was changed.
    private let isEmpty = Atomic<Bool>(true)

    /// Changes a default, or removes the change if the value is `nil`.
    ///
    /// - Parameter invalidate: Invalidates the flag, under the lock.
    func set(_ value: ErasedFlagValue?, of ordinal: Int, invalidate: () -> Void) {
        let old = changed.withLock { changed in
            let old = changed[ordinal]
            changed[ordinal] = value
            // A thread that finds the flag invalidated must wait for the lock.
            isEmpty.store(false, ordering: .releasing)
            invalidate()
            isEmpty.store(changed.isEmpty, ordering: .releasing)
            return old
        }
        // Released here, outside the lock, because a value may own an object whose deinitializer reads flags.
        withExtendedLifetime(old) {}
    }

    /// Returns the changed default, or `nil` if the declared one is in force.
    @inline(never) func value(of ordinal: Int) -> ErasedFlagValue? {
        guard !isEmpty.load(ordering: .acquiring) else { return nil }
        return changed.withLock { $0[ordinal] }
    }
}

/// The values of providers that were reported for a flag, such as those that the flag refused, so that each is reported
/// once.
final class ReportedValues: Sendable {
    private struct Place: Hashable {
        let ordinal: Int
        let provider: String
    }

    private let values = Mutex([Place: EncodedFlagValue]())
    private let hasNone = Atomic<Bool>(true)

    var isEmpty: Bool { hasNone.load(ordering: .relaxed) }

    /// Inserts a value, and returns whether it differs from the provider's last one.
    @inline(never) func insert(_ value: EncodedFlagValue, of provider: String, _ ordinal: Int) -> Bool {
        let old = values.withLock { values in
            hasNone.store(false, ordering: .relaxed)
            return values.updateValue(value, forKey: Place(ordinal: ordinal, provider: provider))
        }
        return old != value
    }

    /// Removes a value that is gone, so that it is reported again when it returns.
    @inline(never) func remove(_ provider: String, _ ordinal: Int) {
        guard !isEmpty else { return }
        let old = values.withLock { values in
            defer { hasNone.store(values.isEmpty, ordering: .relaxed) }
            return values.removeValue(forKey: Place(ordinal: ordinal, provider: provider))
        }
        withExtendedLifetime(old) {}
    }

    /// Removes the values of providers that are no longer in the chain, so that a chain which changes often costs no
    /// memory.
    @inline(never) func removeAll(exceptOf ids: [String]) {
        guard !isEmpty else { return }
        let ids = Set(ids)
        values.withLock { values in
            values = values.filter { ids.contains($0.key.provider) }
            hasNone.store(values.isEmpty, ordering: .relaxed)
        }
    }
}
