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

    /// The server wants to hear nothing.
    struct Silence: Sendable, Equatable {
        /// Not even if somebody asks for it.
        var until: Duration
        /// Later by a random part: what is asked by itself waits until then, so that not all clients come back at once.
        var spreadUntil: Duration
    }

    private let retryTimes: RemoteJSONRetryTimes
    private(set) var trouble: Trouble?
    /// When to ask next; `nil` for never. In trouble nothing is asked before by itself.
    private(set) var nextPoll: Duration?
    var silence: Silence?
    /// When an event of the stream wants the document to be fetched.
    private(set) var triggeredAt: Duration?
    /// When the application wants it, trouble or not.
    private(set) var wishedAt: Duration?

    /// Starts with a request at once.
    init(now: Duration, retryTimes: RemoteJSONRetryTimes = RemoteJSONRetryTimes()) {
        self.retryTimes = retryTimes
        nextPoll = now
    }

    /// Whether the server refused for good: nothing is asked for by itself until the application wants it.
    private(set) var isFinal = false

    /// How many attempts have failed since the last success.
    var attempt: Int {
        switch trouble {
        case nil: 0
        case .passing(let attempt), .misconfigured(_, let attempt): attempt
        }
    }

    /// When the next request is due by itself; `nil` for never.
    var due: Duration? {
        guard !isFinal else { return nil }
        let own = trouble == nil ? earlier(nextPoll, triggeredAt) : nextPoll
        guard let earliest = earlier(own, wishedAt) else { return nil }
        return silence.map { max($0.spreadUntil, earliest) } ?? earliest
    }

    private func earlier(_ left: Duration?, _ right: Duration?) -> Duration? {
        guard let left, let right else { return left ?? right }
        return min(left, right)
    }

    /// - Parameters:
    ///   - interval: `nil` without polling.
    ///   - random: From 0 to 1, for the jitter of a tenth.
    mutating func succeeded(at now: Duration, interval: Duration?, random: Double) {
        trouble = nil
        isFinal = false
        silence = nil
        nextPoll = interval.map { now + $0 * 9 / 10 + $0 / 5 * random }
    }

    /// - Parameters:
    ///   - retryAfter: What the server asked for.
    ///   - spread: Over how long the clients of a server that asked for silence come back.
    mutating func failed(at now: Duration, retryAfter: Duration?, spread: Duration, random: Double) {
        let attempt = if case .passing(let attempt)? = trouble { attempt + 1 } else { 1 }
        trouble = .passing(attempt: attempt)
        isFinal = false
        nextPoll =
            now
            + Backoff.delay(afterFailures: attempt, base: retryTimes.first, limit: retryTimes.longest, random: random)
        silence = nil
        if let retryAfter { forbid(until: now + retryAfter, spread: spread, random: random) }
    }

    /// The server was reached, but what it sent is of no use: a repetition would bring the same, so it is asked when it
    /// would have been anyway.
    ///
    /// - Parameter interval: As in ``succeeded(at:interval:random:)``; without polling the longest wait after failures
    ///   takes its place, since somebody still waits for a document.
    mutating func rejected(at now: Duration, interval: Duration?, random: Double) {
        succeeded(at: now, interval: interval ?? retryTimes.longest, random: random)
    }

    /// - Parameter isFinal: Whether it is not tried again by itself, until ``pardon()``.
    mutating func misconfigured(status: Int, at now: Duration, isFinal: Bool = false) {
        self.isFinal = isFinal
        let attempt = if case .misconfigured(_, let attempt)? = trouble { attempt + 1 } else { 1 }
        trouble = .misconfigured(status: status, attempt: attempt)
        silence = nil
        nextPoll =
            now
            + Backoff.doubled(retryTimes.firstAfterRefusal, times: attempt - 1, limit: retryTimes.longestAfterRefusal)
    }

    /// Tries again what the server refused for good.
    mutating func pardon() { isFinal = false }

    /// Obeys what the server asked for, now or in an earlier run.
    mutating func forbid(until instant: Duration, spread: Duration, random: Double) {
        let until = max(silence?.until ?? instant, instant)
        silence = Silence(until: until, spreadUntil: until + spread * min(max(random, 0), 1))
    }

    /// Wants a request at an instant, or earlier if one is due then, but not while there is trouble.
    mutating func trigger(at instant: Duration) {
        triggeredAt = min(triggeredAt ?? instant, instant)
    }

    /// Wants a request at an instant, whatever has failed before.
    mutating func wish(at instant: Duration) {
        wishedAt = min(wishedAt ?? instant, instant)
    }

    /// Notes that a request begins: what was wanted until now is granted by it.
    mutating func began(at now: Duration) {
        if let triggeredAt, triggeredAt <= now { self.triggeredAt = nil }
        if let wishedAt, wishedAt <= now { self.wishedAt = nil }
    }
}

/// How long to wait after failures in a row.
enum Backoff {
    /// Half of a time that doubles with each failure, and a random part of the other half ("equal jitter": M. Brooker,
    /// *Exponential Backoff And Jitter*, AWS Architecture Blog, 2015).
    ///
    /// - Parameters:
    ///   - failures: Counted from 1.
    ///   - random: From 0 to 1.
    static func delay(afterFailures failures: Int, base: Duration, limit: Duration, random: Double) -> Duration {
        let whole = doubled(base, times: failures - 1, limit: limit)
        return whole / 2 + whole / 2 * min(max(random, 0), 1)
    }

    /// Doubles `base` `times` times, up to `limit`.
    static func doubled(_ base: Duration, times: Int, limit: Duration) -> Duration {
        min(limit, base * (1 << min(max(times, 0), 20)))
    }
}
