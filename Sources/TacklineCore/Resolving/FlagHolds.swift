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

/// The values that a loader holds. Safe from any thread.
package final class FlagHolds: Sendable {
    /// The period counters, apart from what is held: those who end a period may hold locks, and values may own anything.
    package let periods = FlagHoldPeriods()
    private let held = Mutex([Int: FlagHold]())

    /// Returns what is held of a flag in the present period, or `nil`.
    package func hold(of declaration: FlagDeclaration, _ ordinal: Int) -> FlagHold? {
        guard declaration.updatePolicy != .live else { return nil }
        // In one step: a flag that is held in both of two periods is never seen without a hold.
        return held.withLock { held in
            guard let hold = held[ordinal] else { return nil }
            return hold.period == periods.current(declaration.updatePolicy) ? hold : nil
        }
    }

    /// Fixes a value, unless the flag is held already.
    ///
    /// - Returns: What is held now; `nil` if the period of the new hold is over.
    package func fix(_ new: FlagHold, of declaration: FlagDeclaration, _ ordinal: Int) -> FlagHold? {
        let (present, replaced) = held.withLock { held -> (FlagHold?, FlagHold?) in
            let period = periods.current(declaration.updatePolicy)
            if let known = held[ordinal], known.period == period { return (known, nil) }
            guard new.period == period else { return (nil, nil) }
            return (new, held.updateValue(new, forKey: ordinal))
        }
        // Let go outside of the lock: a value may own an object whose end reads flags.
        withExtendedLifetime(replaced) {}
        return present
    }

    /// Removes the hold of a flag; its next read fixes it again.
    ///
    /// - Parameter mark: Marks the flag, under the lock.
    package func release(_ ordinal: Int, mark: () -> Void) {
        let released = held.withLock { held in
            defer { mark() }
            return held.removeValue(forKey: ordinal)
        }
        withExtendedLifetime(released) {}
    }
}

/// Counts the periods for which flags are held.
///
/// A period begins and its flags are marked in one step: a reader who saw the new period never reads what an earlier one
/// had published.
package final class FlagHoldPeriods: Sendable {
    private let periods = Mutex((session: 0 as UInt64, launch: 0 as UInt64))

    /// The number of the present period.
    package func current(_ policy: FlagUpdatePolicy) -> UInt64 {
        periods.withLock { policy == .session ? $0.session : $0.launch }
    }

    /// Lets the flags that are held for a session be fixed anew.
    ///
    /// - Parameter mark: Marks them, under the lock.
    package func beginSession(mark: () -> Void) {
        periods.withLock {
            $0.session += 1
            mark()
        }
    }

    /// Lets every flag be fixed anew.
    ///
    /// - Parameter mark: Marks all flags, under the lock.
    package func beginAll(mark: () -> Void) {
        periods.withLock {
            $0.session += 1
            $0.launch += 1
            mark()
        }
    }
}
