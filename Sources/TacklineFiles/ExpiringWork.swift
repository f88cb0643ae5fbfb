import Dispatch
import Synchronization

/// Work that must not be in progress while the process is suspended.
///
/// If a process is suspended while it holds the lock of a shared file (such as one of an App Group), the system
/// terminates it with the code 0xdead10cc. So the system is asked to keep the process running during the work. It
/// either agrees, or reports that the process is about to be suspended, which it may also do during the work.
package final class ExpiringWork: Sendable {
    /// A function that asks the system to keep the process running while it calls a block, such as
    /// `performExpiringActivity` of `ProcessInfo` on most Apple platforms.
    ///
    /// The system calls the block with `false` and keeps the process running until the block returns, or calls it with
    /// `true` if there is no time. When the time is up, it also calls the block with `true` on another thread, and
    /// suspends the process when that call returns.
    package typealias System =
        @Sendable (_ reason: String, _ block: @escaping @Sendable (_ isExpired: Bool) -> Void) -> Void

    /// Whether the work was granted and its time is not up, or `nil` until the system answers.
    private let isGranted = Mutex<Bool?>(nil)
    private let answer = DispatchSemaphore(value: 0)
    private let end = DispatchGroup()

    private init() { end.enter() }

    /// Performs work while the process is kept from being suspended.
    ///
    /// - Parameters:
    ///   - system: The function that asks the system, or `nil` if nothing suspends the process.
    ///   - timeLimit: The longest time to wait for the system's answer.
    ///   - body: The work. It checks ``mayGoOn`` and releases its locks if that is `false`.
    /// - Throws: ``FileFailure/suspending`` if there is no time or no answer within the limit, or the error of the work.
    package static func perform<Result>(
        _ system: System?, timeLimit: Duration, _ body: (ExpiringWork?) throws -> Result
    ) throws -> Result {
        guard let system else { return try body(nil) }
        let work = ExpiringWork()
        system("Writing feature flags") { isExpired in
            let wasGranted = work.isGranted.withLock { isGranted in
                defer { isGranted = isGranted != false && !isExpired }
                return isGranted ?? !isExpired
            }
            work.answer.signal()
            // The process is suspended when this returns, so it waits until the lock is released.
            if wasGranted { work.end.wait() }
        }
        _ = work.answer.wait(timeout: .now() + timeLimit / .seconds(1))
        defer { work.end.leave() }
        guard work.mayGoOn else { throw FileFailure.suspending }
        return try body(work)
    }

    /// Whether the work may continue.
    package var mayGoOn: Bool { isGranted.withLock { $0 == true } }
}
