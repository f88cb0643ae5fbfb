import Synchronization

/// Gathers notices that some user defaults have changed, so that many of them are looked at once.
///
/// The system sends one for each change of any default, also of those that are no flags.
final class DefaultsGathering: Sendable {
    /// Runs a closure later, on a thread of its choice.
    typealias Timer = @Sendable (_ delay: Duration, _ action: @escaping @Sendable () -> Void) -> Void

    /// How long notices are gathered: too short for people, and long enough for what code sets one after the other.
    static let interval = Duration.milliseconds(20)

    private let timer: Timer
    private let look: @Sendable () -> Void
    private let isArranged = Atomic<Bool>(false)

    init(timer: @escaping Timer, look: @escaping @Sendable () -> Void) {
        self.timer = timer
        self.look = look
    }

    /// Has the values looked at soon.
    func add() {
        guard !isArranged.exchange(true, ordering: .acquiringAndReleasing) else { return }
        timer(DefaultsGathering.interval) { [weak self] in
            guard let self else { return }
            // Before the look, so that what changes during it is looked at again.
            isArranged.store(false, ordering: .sequentiallyConsistent)
            look()
        }
    }
}
