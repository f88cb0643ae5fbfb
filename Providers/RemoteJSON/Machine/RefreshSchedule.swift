/// The time of the next request.
///
/// Instants are those of the provider's clock. The schedule reads no clock and draws no random number.
struct RefreshSchedule: Sendable, Equatable {
    /// The reason why the last attempts failed.
    enum Trouble: Sendable, Equatable {
        /// The network or the server failed. The request is repeated soon.
        case passing(attempt: Int)
        /// The server refused the URL or the authorization, which needs a correction.
        case misconfigured(status: Int, attempt: Int)
    }

    /// A time in which the server wants no requests.
    struct Silence: Sendable, Equatable {
        /// The end for requests of the application.
        var until: Duration
        /// The end for the machine's own requests, later by a random part so that not all clients return at once.
        var spreadUntil: Duration
    }

    private let retryTimes: RemoteJSONRetryTimes
    private(set) var trouble: Trouble?
    /// The time of the next poll; `nil` for never. While there is trouble, the machine sends no request by itself
    /// before it.
    private(set) var nextPoll: Duration?
    var silence: Silence?
    /// The time at which an event of the stream requests the document.
    private(set) var triggeredAt: Duration?
    /// The time at which the application requests the document, regardless of trouble.
    private(set) var wishedAt: Duration?

    private var returns = NetworkReturns()

    /// Makes a schedule whose first request is due at once.
    init(now: Duration, retryTimes: RemoteJSONRetryTimes = RemoteJSONRetryTimes()) {
        self.retryTimes = retryTimes
        nextPoll = now
    }

    /// Whether the server refused with a final status. The machine then sends no request by itself until the
    /// application wants it.
    private(set) var isFinal = false

    /// The number of failed attempts since the last success.
    var attempt: Int {
        switch trouble {
        case nil: 0
        case .passing(let attempt), .misconfigured(_, let attempt): attempt
        }
    }

    /// The time at which the next request is due; `nil` for never.
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

    /// Records a success.
    ///
    /// - Parameters:
    ///   - interval: The time between polls; `nil` without polling.
    ///   - random: A number from 0 to 1, which varies the interval by up to a tenth.
    mutating func succeeded(at now: Duration, interval: Duration?, random: Double) {
        trouble = nil
        isFinal = false
        silence = nil
        nextPoll = interval.map { now + $0 * 9 / 10 + $0 / 5 * random }
    }

    /// Records a failure of the network or the server.
    ///
    /// - Parameters:
    ///   - retryAfter: The wait that the server asked for.
    ///   - spread: The time over which the clients return after the silence that a server asked for.
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

    /// Records an answer that can't be used. A repetition would bring the same answer, so the next request is at the
    /// usual time.
    ///
    /// - Parameter interval: The time between polls. Without polling the longest wait after failures replaces it, since
    ///   a document is still needed.
    mutating func rejected(at now: Duration, interval: Duration?, random: Double) {
        succeeded(at: now, interval: interval ?? retryTimes.longest, random: random)
    }

    /// Records a refusal.
    ///
    /// - Parameter isFinal: Whether the machine sends no request by itself until ``pardon()``.
    mutating func misconfigured(status: Int, at now: Duration, isFinal: Bool = false) {
        self.isFinal = isFinal
        let attempt = if case .misconfigured(_, let attempt)? = trouble { attempt + 1 } else { 1 }
        trouble = .misconfigured(status: status, attempt: attempt)
        silence = nil
        nextPoll =
            now
            + Backoff.doubled(retryTimes.firstAfterRefusal, times: attempt - 1, limit: retryTimes.longestAfterRefusal)
    }

    /// Ends the waits after failures of the network, with a request soon.
    ///
    /// - Returns: `false` if there was no failure that the network could have caused.
    mutating func networkReturned(at now: Duration) -> Bool {
        guard case .passing? = trouble, let poll = nextPoll else { return false }
        guard let instant = returns.attempt(at: now, before: poll) else { return true }
        trouble = .passing(attempt: 0)
        nextPoll = instant
        return true
    }

    /// Allows requests again after a final refusal.
    mutating func pardon() { isFinal = false }

    /// Records a silence that the server asked for, now or in an earlier run.
    mutating func forbid(until instant: Duration, spread: Duration, random: Double) {
        let until = max(silence?.until ?? instant, instant)
        silence = Silence(until: until, spreadUntil: until + spread * min(max(random, 0), 1))
    }

    /// Schedules a request at an instant, or earlier if one is due then, but not while there is trouble.
    mutating func trigger(at instant: Duration) {
        triggeredAt = min(triggeredAt ?? instant, instant)
    }

    /// Schedules a request at an instant, regardless of trouble.
    mutating func wish(at instant: Duration) {
        wishedAt = min(wishedAt ?? instant, instant)
    }

    /// Records the start of a request, which satisfies all requests scheduled until now.
    mutating func began(at now: Duration) {
        if let triggeredAt, triggeredAt <= now { self.triggeredAt = nil }
        if let wishedAt, wishedAt <= now { self.wishedAt = nil }
    }
}

/// The attempts that follow returns of the network.
///
/// The first notices of a network come before it can be used, and others are superfluous. An attempt is therefore delayed
/// by half a second, and made at most once in five seconds.
struct NetworkReturns: Sendable, Equatable {
    private var last: Duration?

    /// Returns the time of the attempt after a notice, or `nil` if the planned attempt comes before it.
    mutating func attempt(at now: Duration, before planned: Duration) -> Duration? {
        let instant = max(now + .milliseconds(500), last.map { $0 + .seconds(5) } ?? .zero)
        guard instant < planned else { return nil }
        last = instant
        return instant
    }
}

/// The wait after failures in a row.
enum Backoff {
    /// Returns half of a time that doubles with each failure, plus a random part of the other half ("equal jitter": M.
    /// Brooker, *Exponential Backoff And Jitter*, AWS Architecture Blog, 2015).
    ///
    /// - Parameters:
    ///   - failures: The number of failures, counted from 1.
    ///   - random: A number from 0 to 1.
    static func delay(afterFailures failures: Int, base: Duration, limit: Duration, random: Double) -> Duration {
        let whole = doubled(base, times: failures - 1, limit: limit)
        return whole / 2 + whole / 2 * min(max(random, 0), 1)
    }

    /// Doubles `base` `times` times, up to `limit`.
    static func doubled(_ base: Duration, times: Int, limit: Duration) -> Duration {
        min(limit, base * (1 << min(max(times, 0), 20)))
    }
}
