import Synchronization

/// A gatherer of change notifications of user defaults, which compares the values once for many notifications.
///
/// The system sends one for each change of any default, including those that are not flags.
final class DefaultsGathering: Sendable {
    /// Runs a closure later, on a thread of its choice.
    typealias Timer = @Sendable (_ delay: Duration, _ action: @escaping @Sendable () -> Void) -> Void

    /// The time during which notifications are gathered: too short for people to notice, and long enough for several
    /// values that code sets in a row.
    static let interval = Duration.milliseconds(20)

    private let timer: Timer
    private let look: @Sendable () -> Void
    private let isArranged = Atomic<Bool>(false)

    init(timer: @escaping Timer, look: @escaping @Sendable () -> Void) {
        self.timer = timer
        self.look = look
    }

    /// Schedules a comparison of the values, unless one is scheduled.
    func add() {
        guard !isArranged.exchange(true, ordering: .acquiringAndReleasing) else { return }
        timer(DefaultsGathering.interval) { [weak self] in
            guard let self else { return }
            // Reset before the comparison, so that changes during it cause another one.
            isArranged.store(false, ordering: .sequentiallyConsistent)
            look()
        }
    }
}
