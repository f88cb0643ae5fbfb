import Dispatch
import Synchronization

/// Work that must not be in progress while the process is suspended.
///
/// If a process is suspended while it holds the lock of a shared file (such as one of an App Group), the system
/// terminates it with the code 0xdead10cc. So the system is asked to keep the process running during the work. It
/// either agrees, or reports that the process is about to be suspended. While the work is in progress, it may report
/// that the time is up.
package final class ExpiringWork: Sendable {
    /// A function that asks the system to keep the process running while it calls a block, such as
    /// `performExpiringActivity` of `ProcessInfo` on most Apple platforms.
    ///
    /// The system calls the block with `false` and keeps the process running until the block returns, or calls it with
    /// `true` if there is no time. When the time is up, it also calls the block with `true` on another thread, and
    /// suspends the process when that call returns.
    package typealias System =
        @Sendable (_ reason: String, _ block: @escaping @Sendable (_ isExpired: Bool) -> Void) -> Void

    private enum State {
        /// The system has not answered yet.
        case asked
        /// The process keeps running during the work.
        case granted
        /// The time is up, but the work has not finished.
        case expired
        /// The work has finished or was refused, so the system doesn't have to wait.
        case over
    }

    private let state = Mutex(State.asked)
    private let answer = DispatchSemaphore(value: 0)
    private let end = DispatchGroup()

    private init() { end.enter() }

    /// Performs work while the process is kept from being suspended.
    ///
    /// - Parameters:
    ///   - system: The function that asks the system, or `nil` if nothing suspends the process.
    ///   - timeLimit: The longest time to wait for the system's answer.
    ///   - refusal: The error to throw if there is no time or no answer within the limit.
    ///   - body: The work. It checks ``mayGoOn`` and releases its locks if that is `false`.
    /// - Throws: `refusal`, or the error of the work.
    package static func perform<Result, Failure: Error>(
        _ system: System?, timeLimit: Duration, orThrow refusal: Failure,
        _ body: (ExpiringWork?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard let system else { return try body(nil) }
        let work = ExpiringWork()
        system("Writing feature flags") { isExpired in work.answered(isExpired: isExpired) }
        _ = work.answer.wait(timeout: .now() + timeLimit.timeInterval)
        defer { work.finish() }
        guard work.mayGoOn else { throw refusal }
        return try body(work)
    }

    /// Whether the work may continue.
    package var mayGoOn: Bool {
        state.withLock { state in
            if case .granted = state { true } else { false }
        }
    }

    /// Handles a call of the block by the system.
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
        // The process is suspended when this returns, so it waits until the lock is released.
        if isUnderWay { end.wait() }
    }

    private func finish() {
        state.withLock { $0 = .over }
        end.leave()
    }
}
