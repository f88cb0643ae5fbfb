import Synchronization
public import TacklineCore

/// What a watched file that is not there, or cannot be read, may mean: that an editor is about to write it anew.
///
/// Some editors save by renaming the file away and making a new one, or by emptying it first. So what was seen is believed
/// only if it is still so a moment later. It knows no clock.
struct LocalFileAbsence: Sendable {
    /// How long an editor may take.
    static let grace = Duration.milliseconds(100)

    private var number = 0
    private var isWaiting = false

    /// Notes that there is no file.
    ///
    /// - Returns: The number to come back with after the grace; `nil` if somebody else will.
    mutating func begin() -> Int? {
        guard !isWaiting else { return nil }
        isWaiting = true
        number += 1
        return number
    }

    /// Notes that there is a file.
    mutating func end() { isWaiting = false }

    /// Notes that the grace is over.
    ///
    /// - Returns: Whether there was no file all the time.
    mutating func graceIsOver(_ number: Int) -> Bool {
        guard isWaiting, number == self.number else { return false }
        isWaiting = false
        return true
    }
}

extension LocalFile {
    /// Reads the file since somebody may have changed it. What an editor may be about to mend is left for a moment.
    func noticeChange() {
        if isFile, LocalPath.isAbsent(path), version.withLock({ $0.bytes != nil }) {
            guard let number = absence.withLock({ $0.begin() }) else { return }
            surroundings.timer(LocalFileAbsence.grace) { [weak self] in
                // The status keeps what goes wrong.
                if let self, absence.withLock({ $0.graceIsOver(number) }) { try? reload() }
            }
            return
        }
        absence.withLock { $0.end() }
        do throws(FlagProviderError) {
            try readAgain()
            // There is nothing to report now, so that the next failure is.
            reportFailure()
        } catch {
            surroundings.timer(LocalFileAbsence.grace) { [weak self] in self?.reportFailure() }
        }
    }
}

extension FlagIssue.Code {
    /// A file cannot be read, and none of its values is used, or those that it had before.
    public static let unreadableFile = FlagIssue.Code("unreadable-file")
}
