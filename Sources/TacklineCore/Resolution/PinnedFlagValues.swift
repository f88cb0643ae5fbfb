#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Synchronization

/// A value that a flag keeps until a new session begins, or for as long as its loader exists (``FlagUpdatePolicy``).
package struct PinnedFlagValue: Sendable {
    package let value: ErasedFlagValue
    /// The source of the value at the time when it was pinned.
    let source: FlagSource
    let evaluation: FlagEvaluation?
    /// Whether the value was made of that of a secret flag.
    let isSecret: Bool
    /// The number of the session or launch that the value is pinned for.
    let session: UInt64
    let since = Date()
}

/// The pinned values of a loader. Call the methods from any thread.
package final class PinnedFlagValues: Sendable {
    /// The numbers of the current session and launch.
    ///
    /// A number is advanced and the flags are invalidated under one lock, so a thread that saw the new session never
    /// reads a value of an earlier one. This lock is not that of the values: it is taken under the locks of providers,
    /// where no value may be released.
    private let numbers = Mutex((session: 0 as UInt64, launch: 0 as UInt64))
    private let values = Mutex([Int: PinnedFlagValue]())

    /// Returns the value that is pinned for the current session, or `nil`.
    package func value(of declaration: FlagDeclaration, _ ordinal: Int) -> PinnedFlagValue? {
        guard declaration.updatePolicy != .live else { return nil }
        // The session is read under the lock, so a flag that is pinned in two consecutive sessions never seems
        // unpinned.
        return values.withLock { values in
            guard let pinned = values[ordinal] else { return nil }
            return pinned.session == session(for: declaration.updatePolicy) ? pinned : nil
        }
    }

    /// Pins a value, unless the flag is pinned already.
    ///
    /// - Returns: Whether the flag is pinned now. It isn't if the session of the new value is over.
    func pin(_ new: PinnedFlagValue, of declaration: FlagDeclaration, _ ordinal: Int) -> Bool {
        // Released outside the lock, because a value may own an object whose deinitializer reads flags.
        let replaced = values.withLock { values -> PinnedFlagValue?? in
            let session = session(for: declaration.updatePolicy)
            if values[ordinal]?.session == session { return .some(nil) }
            return new.session == session ? .some(values.updateValue(new, forKey: ordinal)) : nil
        }
        return replaced != nil
    }

    /// Removes the pinned value of a flag. The next read pins it again.
    ///
    /// - Parameter invalidate: Invalidates the flag, under the lock.
    func remove(_ ordinal: Int, invalidate: () -> Void) {
        let removed = values.withLock { values in
            defer { invalidate() }
            return values.removeValue(forKey: ordinal)
        }
        withExtendedLifetime(removed) {}
    }

    // MARK: Sessions

    func session(for policy: FlagUpdatePolicy) -> UInt64 {
        numbers.withLock { policy == .session ? $0.session : $0.launch }
    }

    /// Ends the values that are pinned for a session and, because the subject has changed, those for a launch.
    ///
    /// - Parameter invalidate: Invalidates their flags, under the lock.
    func endSession(andLaunch: Bool = false, invalidate: () -> Void) {
        numbers.withLock {
            $0.session += 1
            if andLaunch { $0.launch += 1 }
            invalidate()
        }
    }
}
