import Dispatch
import Synchronization

/// Work that must not be under way while the process is suspended.
///
/// A process that is suspended with the lock of a file which it shares with others (an App Group's) is ended by the system,
/// with the code 0xdead10cc. So the system is asked to let the process run meanwhile. It either does, or says that the
/// process is about to be suspended; and while the work is under way, it may say that its time is up.
final class ExpiringWork: Sendable {
    /// Asks the system to let the process run while it calls a block, which `ProcessInfo` does on most of Apple's systems.
    ///
    /// The block is called with `false`, and the process runs until that returns; or with `true`, and there is no time.
    /// It is called with `true` too, on another thread, when the time is up, and the process is suspended when that
    /// returns.
    typealias System = @Sendable (_ reason: String, _ block: @escaping @Sendable (_ isExpired: Bool) -> Void) -> Void

    private enum State {
        /// The system has not answered.
        case asked
        /// The process runs as long as the work does.
        case granted
        /// The time is up, and the work is not over.
        case expired
        /// There is nothing that the system has to wait for.
        case over
    }

    private let state = Mutex(State.asked)
    private let answer = DispatchSemaphore(value: 0)
    private let end = DispatchGroup()

    private init() { end.enter() }

    /// Does something while the process is not suspended.
    ///
    /// - Parameters:
    ///   - system: What suspends processes; `nil` if nothing does.
    ///   - timeLimit: How long to wait for its answer.
    ///   - body: The work. It asks whether it may go on, and lets go of what it holds if it may not.
    /// - Throws: ``LocalFileFailure/suspending`` if there is no time or no answer within the limit, or what
    ///   the work throws.
    static func perform<Result>(
        _ system: System?, timeLimit: Duration, _ body: (ExpiringWork?) throws(LocalFileFailure) -> Result
    ) throws(LocalFileFailure) -> Result {
        guard let system else { return try body(nil) }
        let work = ExpiringWork()
        system("Writing feature flags") { isExpired in work.answered(isExpired: isExpired) }
        _ = work.answer.wait(timeout: .now() + timeLimit.timeInterval)
        defer { work.finish() }
        guard work.mayGoOn else { throw .suspending }
        return try body(work)
    }

    /// Whether there is time left.
    var mayGoOn: Bool {
        state.withLock { state in
            if case .granted = state { true } else { false }
        }
    }

    /// What the system's block does.
    private func answered(isExpired: Bool) {
        let isUnderWay = state.withLock { state in
            switch (state, isExpired) {
            case (.asked, false): state = .granted
            case (.asked, true): state = .over
            case (.granted, true): state = .expired
            case (.granted, false), (.expired, _), (.over, _): break
            }
            if case .over = state { return false } else { return true }
        }
        answer.signal()
        // The process is suspended when this returns; by then the lock is given up.
        if isUnderWay { end.wait() }
    }

    private func finish() {
        state.withLock { $0 = .over }
        end.leave()
    }
}
