import Synchronization
import TacklineCore
import TacklineFiles

/// The state of a watched file that is missing, perhaps only while an editor saves it.
///
/// Some editors save by renaming the file away and creating a new one, or by emptying it first. So the provider treats
/// the file as missing only if it is still missing after a grace period. This type uses no clock.
struct LocalFileAbsence: Sendable {
    /// The grace period for an editor.
    static let grace = Duration.milliseconds(100)

    private var number = 0
    private var isWaiting = false

    /// Records that the file is missing.
    ///
    /// - Returns: The number to pass to ``graceIsOver(_:)`` after the grace period, or `nil` if a period is already
    ///   running.
    mutating func begin() -> Int? {
        guard !isWaiting else { return nil }
        isWaiting = true
        number += 1
        return number
    }

    /// Records that the file exists.
    mutating func end() { isWaiting = false }

    /// Records that a grace period is over.
    ///
    /// - Returns: Whether the file was missing during the whole period.
    mutating func graceIsOver(_ number: Int) -> Bool {
        guard isWaiting, number == self.number else { return false }
        isWaiting = false
        return true
    }
}

extension LocalFile {
    /// Reads the file after a possible change. If the file is missing, it is read after the grace period; if it can't
    /// be read, the failure is reported after the grace period.
    func noticeChange() {
        if isFile, LocalPath.isAbsent(path), version.withLock({ $0.bytes != nil }) {
            guard let number = absence.withLock({ $0.begin() }) else { return }
            surroundings.timer(LocalFileAbsence.grace) { [weak self] in
                // A failure is kept in the status.
                if let self, absence.withLock({ $0.graceIsOver(number) }) { try? reload() }
            }
            return
        }
        absence.withLock { $0.end() }
        do throws(FlagError) {
            try readAgain()
            // Clears the reported failure, so that the next one is reported.
            reportFailure()
        } catch {
            surroundings.timer(LocalFileAbsence.grace) { [weak self] in self?.reportFailure() }
        }
    }
}
