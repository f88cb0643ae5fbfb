/// The time of the next request.
///
/// Instants are those of the provider's clock. The schedule reads no clock and draws no random number, so that
/// `Tests/Simulation` can run it for a million clients.
struct RefreshSchedule: Sendable, Equatable {
    /// The reason why the last attempts failed.
    enum Trouble: Sendable, Equatable {
        /// The network or the server failed. The request is repeated soon.
        case passing(attempt: Int)
        /// The server refused the URL or the authorization, which needs a correction.
        case refused(attempt: Int)
    }

    private(set) var trouble: Trouble?
    /// The time of the next poll; `nil` for never. While there is trouble, no request is sent before it.
    private var nextPoll: Duration?
    /// The time at which an event of the stream requests the document.
    private var triggeredAt: Duration?
    /// The time at which the application requests the document, regardless of trouble.
    private var requestedAt: Duration?
    /// The end of the time in which the server wants no requests.
    private(set) var silentUntil: Duration?
    /// The same for the provider's own requests, later by a random part, so that not all clients return at once.
    private var spreadUntil = Duration.zero
    private var returns = NetworkReturns()
    /// Whether the server refused for good. No request is sent then until the application asks for one.
    private(set) var isFinal = false

    /// Creates a schedule whose first request is due at once.
    init(now: Duration) { nextPoll = now }

    /// The number of failed attempts since the last success.
    var attempt: Int {
        switch trouble {
        case nil: 0
        case .passing(let attempt), .refused(let attempt): attempt
        }
    }

    /// The time at which the next request is due; `nil` for never.
    var due: Duration? {
        guard !isFinal else { return nil }
        let instants = [nextPoll, trouble == nil ? triggeredAt : nil, requestedAt].compactMap(\.self)
        return instants.min().map(afterSilence)
    }

    /// Returns an instant, or the end of the time in which the server wants no requests if that is later.
    func afterSilence(_ instant: Duration) -> Duration { silentUntil == nil ? instant : max(instant, spreadUntil) }

    /// Records a success.
    ///
    /// - Parameters:
    ///   - interval: The time between polls; `nil` without polling.
    ///   - random: A number from 0 to 1, which varies the interval by up to a tenth.
    mutating func succeeded(at now: Duration, interval: Duration?, random: Double) {
        (trouble, isFinal, silentUntil) = (nil, false, nil)
        nextPoll = interval.map { now + $0 * 9 / 10 + $0 / 5 * random }
    }

    /// Records a failure of the network or the server.
    mutating func failed(at now: Duration, retryAfter: Duration?, random: Double) {
        let attempt = if case .passing(let attempt)? = trouble { attempt + 1 } else { 1 }
        (trouble, isFinal, silentUntil) = (.passing(attempt: attempt), false, nil)
        nextPoll = now + Backoff.delay(afterFailures: attempt, random: random)
        if let retryAfter { beSilent(for: retryAfter, at: now, random: random) }
    }

    /// Records a refusal.
    ///
    /// - Parameter isFinal: Whether no request is sent until the application asks for one.
    mutating func refused(at now: Duration, isFinal: Bool) {
        let attempt = if case .refused(let attempt)? = trouble { attempt + 1 } else { 1 }
        (trouble, self.isFinal, silentUntil) = (.refused(attempt: attempt), isFinal, nil)
        nextPoll = now + Backoff.doubled(.seconds(15 * 60), times: attempt - 1, limit: .seconds(4 * 3600))
    }

    /// Records that the server wants no requests for a time, by an answer now or in an earlier run. The provider's own
    /// requests are spread over a time that is as long again.
    mutating func beSilent(for time: Duration, at now: Duration, random: Double) {
        silentUntil = max(silentUntil ?? .zero, now + time)
        spreadUntil = max(spreadUntil, now + time + time * random)
    }

    /// Ends the wait after failures of the network, with a request soon.
    ///
    /// - Returns: `false` if there was no failure that the network could have caused.
    mutating func networkReturned(at now: Duration) -> Bool {
        guard case .passing? = trouble, let poll = nextPoll else { return false }
        guard let instant = returns.attempt(at: now, before: poll) else { return true }
        (trouble, nextPoll) = (.passing(attempt: 0), instant)
        return true
    }

    /// Schedules a request for an event of the stream. It isn't sent while there is trouble.
    mutating func trigger(at instant: Duration) { triggeredAt = min(triggeredAt ?? instant, instant) }

    /// Schedules a request for the application, regardless of trouble, and even after a final refusal.
    mutating func request(at instant: Duration, endsFinalRefusal: Bool = true) {
        requestedAt = min(requestedAt ?? instant, instant)
        if endsFinalRefusal { isFinal = false }
    }

    /// Begins anew for another document of the same server, with a request that is due at once. What the server wants of its
    /// clients stays.
    mutating func restart(at now: Duration) {
        (trouble, isFinal, nextPoll, triggeredAt, requestedAt) = (nil, false, now, nil, nil)
    }

    /// Records the start of a request, which satisfies all requests that were due.
    mutating func began(at now: Duration) {
        if let triggeredAt, triggeredAt <= now { self.triggeredAt = nil }
        if let requestedAt, requestedAt <= now { self.requestedAt = nil }
    }
}

/// The time of the next connection to a stream of events.
struct StreamSchedule: Sendable, Equatable {
    /// The time before which there is no connection.
    private(set) var due = Duration.zero
    /// The time since which the stream is open.
    private(set) var openSince: Duration?
    /// The time since which a connection is lacking.
    private(set) var lostAt: Duration?
    /// Whether the server wants no more connections.
    private(set) var isOver = false
    private var failures = 0
    private var notBefore = Duration.zero
    private var returns = NetworkReturns()

    /// The wait for further events before the document is fetched, and the time over which the clients of a server
    /// spread: each waits a random part of it after an event, after a connection, and before it connects again.
    static let (debounce, spread) = (Duration.milliseconds(100), Duration.seconds(5))

    /// Records that the stream is open.
    ///
    /// - Returns: The time during which there was none.
    mutating func opened(at now: Duration) -> Duration {
        defer { (openSince, lostAt) = (now, nil) }
        return lostAt.map { now - $0 } ?? .zero
    }

    /// Records the end of a connection, or of an attempt. The waits double, as long as no connection lasts a minute.
    ///
    /// - Parameters:
    ///   - retry: The first wait.
    ///   - retryAfter: The wait that the server asked for instead of a connection.
    mutating func lost(at now: Duration, retry: Duration, retryAfter: Duration?, random: Double) {
        failures = openSince.map { now - $0 >= .seconds(60) } ?? false ? 1 : failures + 1
        (openSince, lostAt) = (nil, lostAt ?? now)
        let delay = Backoff.delay(afterFailures: failures, first: retry, random: random)
        due = now + max(delay, retryAfter ?? .zero) + Self.spread * random
        notBefore = retryAfter == nil ? .zero : due
    }

    mutating func over() { (isOver, openSince) = (true, nil) }

    /// Records that the connection was closed on purpose. It may be opened again at once.
    mutating func closed(at now: Duration) { (due, openSince, lostAt) = (now, nil, nil) }

    /// Ends the wait for a lost connection, which is then opened soon.
    ///
    /// - Returns: `false` if none was lost.
    mutating func networkReturned(at now: Duration) -> Bool {
        guard lostAt != nil else { return false }
        guard let instant = returns.attempt(at: now, before: due) else { return true }
        (due, failures) = (max(instant, notBefore), 0)
        return true
    }

    /// Records that requests succeed again. The clients come back over a time as long as the stream was lacking, up to
    /// `limit`.
    mutating func serverReturned(at now: Duration, limit: Duration, random: Double) {
        guard let lostAt else { return }
        due = max(due, now + min(now - lostAt, limit) * random)
    }
}

/// The attempts that follow returns of the network.
///
/// The first notices of a network come before it can be used, and others are superfluous. An attempt is therefore delayed
/// by half a second, and made at most once in five seconds.
private struct NetworkReturns: Sendable, Equatable {
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
    static let longest = Duration.seconds(300)

    /// Returns half of a time that doubles with each failure, plus a random part of the other half ("equal jitter": M.
    /// Brooker, *Exponential Backoff And Jitter*, AWS Architecture Blog, 2015).
    static func delay(afterFailures failures: Int, first: Duration = .seconds(2), random: Double) -> Duration {
        let whole = doubled(first, times: failures - 1, limit: max(longest, first))
        return whole / 2 + whole / 2 * random
    }

    /// Doubles a time `times` times, up to `limit`.
    static func doubled(_ time: Duration, times: Int, limit: Duration) -> Duration {
        min(limit, time * (1 << min(max(times, 0), 20)))
    }
}
