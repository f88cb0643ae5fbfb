/// When to ask the server next.
///
/// Instants are those of the provider's clock. Nothing here looks at a clock or draws a number by itself.
struct RefreshSchedule: Sendable, Equatable {
    /// Why the last attempts failed.
    enum Trouble: Sendable, Equatable {
        /// The network or the server; tried again soon.
        case passing(attempt: Int)
        /// The address or the authorization; somebody has to correct something.
        case misconfigured(status: Int, attempt: Int)
    }

    private let retryTimes: RemoteJSONRetryTimes
    private(set) var trouble: Trouble?
    /// When to ask next; `nil` for never.
    private(set) var nextPoll: Duration?
    /// Before this the server wants to hear nothing, not even when somebody asks for it.
    private(set) var notBefore: Duration?
    /// When an event of the stream wants the document to be fetched.
    private(set) var triggeredAt: Duration?

    /// Starts with a request at once.
    init(now: Duration, retryTimes: RemoteJSONRetryTimes = RemoteJSONRetryTimes()) {
        self.retryTimes = retryTimes
        nextPoll = now
    }

    /// How many attempts have failed since the last success.
    var attempt: Int {
        switch trouble {
        case nil: 0
        case .passing(let attempt), .misconfigured(_, let attempt): attempt
        }
    }

    /// When the next request is due by itself; `nil` for never.
    var due: Duration? {
        guard let earliest = [nextPoll, triggeredAt].compactMap({ $0 }).min() else { return nil }
        return notBefore.map { max($0, earliest) } ?? earliest
    }

    /// - Parameters:
    ///   - interval: `nil` without polling.
    ///   - random: From 0 to 1, for the jitter of a tenth.
    mutating func succeeded(at now: Duration, interval: Duration?, random: Double) {
        trouble = nil
        notBefore = nil
        nextPoll = interval.map { now + $0 * 9 / 10 + $0 / 5 * random }
    }

    /// - Parameter retryAfter: What the server asked for.
    mutating func failed(at now: Duration, retryAfter: Duration?, random: Double) {
        let attempt = if case .passing(let attempt)? = trouble { attempt + 1 } else { 1 }
        trouble = .passing(attempt: attempt)
        let delay = Backoff.delay(
            afterFailures: attempt, base: retryTimes.first, limit: retryTimes.longest, random: random)
        nextPoll = now + max(delay, retryAfter ?? .zero)
        notBefore = retryAfter.map { now + $0 }
    }

    /// The server was reached, but what it sent is of no use: a repetition would bring the same, so it is asked when it
    /// would have been anyway.
    ///
    /// - Parameter interval: As in ``succeeded(at:interval:random:)``; without polling the longest wait after failures
    ///   takes its place, since somebody still waits for a document.
    mutating func rejected(at now: Duration, interval: Duration?, random: Double) {
        succeeded(at: now, interval: interval ?? retryTimes.longest, random: random)
    }

    mutating func misconfigured(status: Int, at now: Duration) {
        let attempt = if case .misconfigured(_, let attempt)? = trouble { attempt + 1 } else { 1 }
        trouble = .misconfigured(status: status, attempt: attempt)
        notBefore = nil
        nextPoll =
            now
            + Backoff.doubled(retryTimes.firstAfterRefusal, times: attempt - 1, limit: retryTimes.longestAfterRefusal)
    }

    /// Obeys what the server asked for in an earlier run.
    mutating func forbid(until instant: Duration) {
        notBefore = max(notBefore ?? instant, instant)
    }

    /// Wants a request at an instant, or earlier if one is due then.
    mutating func trigger(at instant: Duration) {
        triggeredAt = min(triggeredAt ?? instant, instant)
    }

    /// Notes that a request begins: what was wanted until now is granted by it.
    mutating func began(at now: Duration) {
        if let triggeredAt, triggeredAt <= now { self.triggeredAt = nil }
    }
}
