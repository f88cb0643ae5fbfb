import Synchronization

/// Counts the periods for which flags are held.
///
/// Apart from what is held, since those who end a period may hold locks, and values may own anything.
final class FlagHoldPeriods: Sendable {
    private let sessions = Atomic<UInt64>(0)
    private let launches = Atomic<UInt64>(0)

    /// The number of the present period.
    func current(_ policy: FlagUpdatePolicy) -> UInt64 {
        policy == .session ? sessions.load(ordering: .acquiring) : launches.load(ordering: .acquiring)
    }

    func beginSession() { sessions.add(1, ordering: .acquiringAndReleasing) }

    /// Lets every flag be fixed anew.
    func beginAll() {
        beginSession()
        launches.add(1, ordering: .acquiringAndReleasing)
    }
}
