import Dispatch
import Synchronization
package import TacklineCore

/// A clock whose instants are durations since this value was made, so that clocks of all types are used alike.
package struct RemoteClock: Sendable {
    private let elapsed: @Sendable () -> Duration
    private let sleepUntil: @Sendable (Duration) async throws -> Void

    package init(_ clock: any Clock<Duration>) { self.init(opening: clock) }

    private init<C: Clock>(opening clock: C) where C.Duration == Duration {
        let start = clock.now
        let elapsed: @Sendable () -> Duration = { start.duration(to: clock.now) }
        self.elapsed = elapsed
        #if !canImport(Darwin)
            // The system keeps a cancelled `Task.sleep` in memory until it would have ended.
            if clock is ContinuousClock {
                sleepUntil = { instant in
                    while elapsed() < instant { try await Self.timer(instant - elapsed()) }
                }
                return
            }
        #endif
        sleepUntil = { try await clock.sleep(until: start.advanced(by: $0), tolerance: nil) }
    }

    /// Waits by a timer, which is removed when the task is cancelled.
    private static func timer(_ duration: Duration) async throws {
        let end = FlagPromise<Void>()
        let timer = DispatchSource.makeTimerSource(queue: .global())
        // Dispatch can't count longer times. 1e9 seconds are over 31 years.
        timer.schedule(deadline: .now() + min(max(duration / .seconds(1), 0), 1e9), leeway: .milliseconds(1))
        timer.setEventHandler { end.resolve(()) }
        timer.activate()
        let hasEnded = await end.wait() != nil
        timer.cancel()
        if !hasEnded { throw CancellationError() }
    }

    /// The time since this value was made.
    package var now: Duration { elapsed() }

    /// Waits until an instant; throws as soon as the task is cancelled.
    package func sleep(until instant: Duration) async throws { try await sleepUntil(instant) }

    /// Waits until an instant, or for ever if it is `nil`, but not after a promise is resolved.
    package func wait<Value>(until instant: Duration?, or promise: FlagPromise<Value>) async {
        guard let instant else { return _ = await promise.wait() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { _ = await promise.wait() }
            group.addTask { try? await sleep(until: instant) }
            await group.next()
            group.cancelAll()
        }
    }
}

/// The progress of an answer, which moves the deadline of ``RemoteClock/limit(_:_:)``.
final class AnswerProgress: Sendable {
    private struct State {
        var last: Duration
        var hasHeader = false
    }

    /// The longest wait for the header, the longest pause after it, and the longest time in all; `nil` for any.
    struct Limits: Sendable {
        var header = Duration.seconds(10)
        var pause = Duration.seconds(10)
        var total: Duration?
    }

    private let clock: RemoteClock
    private let start: Duration
    private let limits: Limits
    private let state: Mutex<State>

    fileprivate init(_ clock: RemoteClock, _ limits: Limits) {
        (self.clock, self.limits, start) = (clock, limits, clock.now)
        state = Mutex(State(last: start))
    }

    /// Notes that something has arrived: a redirect, the header of the answer, or a part of its body.
    func note(isHeader: Bool = false) {
        let now = clock.now
        state.withLock { $0 = State(last: now, hasHeader: $0.hasHeader || isHeader) }
    }

    /// The next instant at which a limit may be exceeded, and what to say then.
    fileprivate var deadline: (instant: Duration, reason: String) {
        let state = state.withLock { $0 }
        let own =
            state.hasHeader
            ? (state.last + limits.pause, "nothing arrived for \(limits.pause.roundedText) in the middle of the body")
            : (state.last + limits.header, "the server sent no header within \(limits.header.roundedText)")
        guard let total = limits.total, start + total <= own.0 else { return own }
        return (start + total, "the answer was not complete within \(total.roundedText)")
    }
}

extension RemoteClock {
    /// Runs an operation, and cancels it when an answer exceeds its limits in time.
    ///
    /// The operation has to end when its task is cancelled, because this function waits for it.
    func limit<Value: Sendable>(
        _ limits: AnswerProgress.Limits, _ operation: @escaping @Sendable (AnswerProgress) async throws -> Value
    ) async throws -> Value {
        let progress = AnswerProgress(self, limits)
        return try await withThrowingTaskGroup(of: Value?.self) { group in
            group.addTask { try await operation(progress) }
            group.addTask {
                while true {
                    let (instant, reason) = progress.deadline
                    guard now < instant else { throw HTTPFailure(reason) }
                    try await sleep(until: instant)
                }
            }
            defer { group.cancelAll() }
            while let result = try await group.next() { if let result { return result } }
            throw CancellationError()
        }
    }
}
