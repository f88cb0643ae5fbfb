import TacklineFormats

/// Decides when gathered writes are written and an unreadable file is read again. It knows no clock and no system.
///
/// Gathered writes are written after their delay; at once when the app goes to the background or ends, since it may never
/// run again; and again, if that failed, when it comes back or the device is unlocked. A file that is unreadable because
/// the device is locked is read when it is unlocked, which apps are told, and extensions are not: so it is also tried after
/// one second, two, four, and so on, up to a minute.
struct LocalFileSchedule: Sendable {
    enum Timer: Sendable, Hashable {
        case write, read
    }

    enum Event: Sendable, Hashable {
        /// A change is in memory and has to be written within a time.
        case gathered(within: Duration)
        /// What was gathered is in the file, or some of it is not.
        case wrote(everything: Bool)
        /// The file was read, or the reason that it was not.
        case read(isProtected: Bool)
        case timerWentOff(Timer)
        case signal(FlagAppLifecycle.Signal)
    }

    enum Effect: Sendable, Hashable {
        case start(Timer, after: Duration)
        /// Write soon, on a thread that may wait.
        case write
        /// Write before the call returns: the program ends.
        case writeBeforeTheEnd
        /// Read soon, on a thread that may wait.
        case read
    }

    private var hasGathered = false
    private var isInBackground = false
    private var isProtected = false
    private var isWriteArranged = false
    private var isReadArranged = false
    /// How many timed readings were arranged since the file became protected or a signal reset the delay.
    private var tries = 0

    /// The longest time between two readings of a protected file.
    static let longestWait = Duration.seconds(60)

    mutating func handle(_ event: Event) -> [Effect] {
        switch event {
        case .gathered(let delay):
            hasGathered = true
            // In the background nobody knows how long the process will run.
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
