import Synchronization
public import TacklineCore

extension LocalFile {
    /// Performs the effects of an event. It doesn't wait, unless the program is terminating.
    func handle(_ event: LocalFileSchedule.Event) {
        for effect in schedule.withLock({ $0.handle(event) }) {
            switch effect {
            case .start(let timer, let delay):
                surroundings.timer(delay) { [weak self] in self?.handle(.timerWentOff(timer)) }
            case .write: writeSoon()
            case .writeBeforeTheEnd: writeForNobody()
            case .read:
                // A failure is kept in the status.
                surroundings.timer(.zero) { [weak self] in try? self?.reload() }
            }
        }
    }

    private func writeSoon() {
        guard let suspension = surroundings.suspension else {
            surroundings.timer(.zero) { [weak self] in self?.writeForNobody() }
            return
        }
        // Requested now, so that the process isn't suspended before the write begins. The write makes its own request.
        suspension("Writing feature flags") { [weak self] isExpired in if !isExpired { self?.writeForNobody() } }
    }

    /// Writes the gathered changes and reports errors, because there is no caller.
    private func writeForNobody() {
        do throws(FlagError) {
            try flush()
        } catch {
            // The changes are written when the app returns to the foreground.
            if error.code == .suspending { return }
            report(.unwrittenFile, error)
        }
    }
}

extension FlagError.Code {
    /// Deferred values could not be written to a file. They are in force, but only in memory.
    public static let unwrittenFile = FlagError.Code("unwritten-file")
}
