import Synchronization
public import TacklineCore

extension LocalFile {
    /// Does what the schedule says about an event. It waits for nothing unless the program ends.
    func handle(_ event: LocalFileSchedule.Event) {
        for effect in schedule.withLock({ $0.handle(event) }) {
            switch effect {
            case .start(let timer, let delay):
                surroundings.timer(delay) { [weak self] in self?.handle(.timerWentOff(timer)) }
            case .write: writeSoon()
            case .writeBeforeTheEnd: writeForNobody()
            case .read:
                // The status keeps what went wrong.
                surroundings.timer(.zero) { [weak self] in try? self?.reload() }
            }
        }
    }

    private func writeSoon() {
        guard let suspension = surroundings.suspension else {
            surroundings.timer(.zero) { [weak self] in self?.writeForNobody() }
            return
        }
        // Asked for now, so that the process is not suspended before the write has begun. The write asks for itself.
        suspension("Writing feature flags") { [weak self] isExpired in if !isExpired { self?.writeForNobody() } }
    }

    /// Writes what was gathered, and reports what goes wrong, since there is no caller.
    private func writeForNobody() {
        do throws(FlagProviderError) {
            try flush()
        } catch {
            // It is written when the app is back.
            if error.code == .suspending { return }
            report(.unwrittenFile, error)
        }
    }
}

extension FlagIssue.Code {
    /// Values that were to be written later could not be written to a file. They are in force, and in memory only.
    public static let unwrittenFile = FlagIssue.Code("unwritten-file")
}
