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
