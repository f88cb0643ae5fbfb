import TacklineCore
import TacklineFiles

/// The state machine that decides when to write gathered changes and when to read an unreadable file again. It uses no
/// clock and makes no system calls.
///
/// Gathered changes are written after their delay, or immediately when the app goes to the background or terminates. If
/// that fails, they are written again when the app returns or the device is unlocked. A file that is unreadable because
/// the device is locked is read when the device is unlocked. Because extensions get no notification of that, the file
/// is also read after one second, two, four, and so on, up to a minute.
struct LocalFileSchedule: Sendable {
    enum Timer: Sendable, Hashable {
        case write, read
    }

    enum Event: Sendable, Hashable {
        /// A change is in memory and must be written within a time.
        case gathered(within: Duration)
        /// Gathered changes were written, either all or only some of them.
        case wrote(everything: Bool)
        /// The file was read, or could not be read because it is protected.
        case read(isProtected: Bool)
        case timerWentOff(Timer)
        case signal(FlagAppLifecycle.Signal)
    }

    enum Effect: Sendable, Hashable {
        case start(Timer, after: Duration)
        /// Write soon, on a thread that may block.
        case write
        /// Write before the call returns, because the program is terminating.
        case writeBeforeTheEnd
        /// Read soon, on a thread that may block.
        case read
    }

    private var hasGathered = false
    private var isInBackground = false
    private var isProtected = false
    private var isWriteArranged = false
    private var isReadArranged = false
    /// The number of timed readings since the file became protected or a signal reset the delay.
    private var tries = 0

    /// The longest time between two readings of a protected file.
    static let longestWait = Duration.seconds(60)

    mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .gathered(let delay):
            hasGathered = true
            // In the background, the process may be suspended at any time.
            if isInBackground { return [.write] }
            guard !isWriteArranged else { return [] }
            isWriteArranged = true
            return [.start(.write, after: delay)]
        case .wrote(let everything):
            if everything { hasGathered = false }
            return []
        case .read(let isProtected):
            self.isProtected = isProtected
            guard isProtected else {
                tries = 0
                return []
            }
            guard !isReadArranged else { return [] }
            isReadArranged = true
            tries += 1
            return [.start(.read, after: min(.seconds(1 << min(tries - 1, 6)), Self.longestWait))]
        case .timerWentOff(.write):
            isWriteArranged = false
            return hasGathered ? [.write] : []
        case .timerWentOff(.read):
            isReadArranged = false
            return isProtected ? [.read] : []
        case .signal(let signal):
            return handle(signal)
        }
    }

    private mutating func handle(_ signal: FlagAppLifecycle.Signal) -> [Effect] {
        switch signal {
        case .didEnterBackground:
            isInBackground = true
            return hasGathered ? [.write] : []
        case .willTerminate:
            return hasGathered ? [.writeBeforeTheEnd] : []
        case .willEnterForeground, .protectedDataDidBecomeAvailable:
            if signal == .willEnterForeground { isInBackground = false }
            tries = 0
            return (isProtected ? [.read] : []) + (hasGathered ? [.write] : [])
        }
    }
}
