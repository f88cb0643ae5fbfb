#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif
import Synchronization

// Foundation: `Date` says since when a value is held.

/// A value that a flag keeps until a new session begins, or for as long as its loader lives (``FlagUpdatePolicy``).
package final class FlagHold: Sendable {
    package let value: ErasedFlagValue
    /// `nil` where a hand-written `encode(to:)` throws.
    package let encoded: EncodedFlagValue?
    /// Where the value came from when it was fixed.
    package let source: FlagSource
    package let details: FlagResolutionDetails?
    package let since = Date()
    /// The period in which it was fixed: it holds in this one only.
    let period: UInt64

    init(
        _ value: ErasedFlagValue, encoded: EncodedFlagValue?, source: FlagSource, details: FlagResolutionDetails?,
        period: UInt64
    ) {
        self.value = value
        self.encoded = encoded
        self.source = source
        self.details = details
        self.period = period
    }
}

/// What a loader holds. Safe from any thread.
package final class FlagHolds: Sendable {
    /// The period counters, apart from what is held: those who end a period may hold locks, and values may own anything.
    package let periods = FlagHoldPeriods()
    private let held = Mutex<[Int: FlagHold]>([:])

    /// Returns what is held of a flag in the present period.
    package func hold(of declaration: FlagDeclaration, _ ordinal: Int) -> FlagHold? {
        guard declaration.updatePolicy != .live else { return nil }
        let period = periods.current(declaration.updatePolicy)
        guard let hold = held.withLock({ $0[ordinal] }) else { return nil }
        return hold.period == period ? hold : nil
    }

    /// Fixes a value, unless the flag is held already.
    ///
    /// - Returns: Whether something is held now; `false` if the period of the new hold is over.
    package func fix(_ new: FlagHold, of declaration: FlagDeclaration, _ ordinal: Int) -> Bool {
        let (isHeld, replaced) = held.withLock { held -> (Bool, FlagHold?) in
            let period = periods.current(declaration.updatePolicy)
            if let known = held[ordinal], known.period == period { return (true, nil) }
            guard new.period == period else { return (false, nil) }
            return (true, held.updateValue(new, forKey: ordinal))
        }
        // Let go outside of the lock: a value may own an object whose end reads flags.
        withExtendedLifetime(replaced) {}
        return isHeld
    }

    /// Removes the hold of a flag; its next read fixes it again.
    package func release(_ ordinal: Int) {
        let released = held.withLock { $0.removeValue(forKey: ordinal) }
        withExtendedLifetime(released) {}
    }
}

/// Counts the periods for which flags are held.
package final class FlagHoldPeriods: Sendable {
    private let sessions = Atomic<UInt64>(0)
    private let launches = Atomic<UInt64>(0)

    /// The number of the present period.
    package func current(_ policy: FlagUpdatePolicy) -> UInt64 {
        policy == .session ? sessions.load(ordering: .acquiring) : launches.load(ordering: .acquiring)
    }

    package func beginSession() { sessions.add(1, ordering: .acquiringAndReleasing) }

    /// Lets every flag be fixed anew.
    package func beginAll() {
        beginSession()
        launches.add(1, ordering: .acquiringAndReleasing)
    }
}
