/// The times of the next request and of the next connection to the stream.
///
/// Instants are those of the provider's clock. The schedule reads no clock and draws no random number, so that
/// `Tests/Simulation` can run it for a million clients. A `random` is from 0 to 1.
struct RefreshSchedule: Sendable {
    /// The reason why the last attempts failed.
    enum Trouble: Sendable {
        /// The network or the server failed. The request is repeated soon.
        case passing
        /// The server refused the URL or the authorization, which needs a correction.
        case refused
    }

    /// The connections to the stream.
    struct Stream: Sendable {
        /// The time before which there is no connection; `nil` if the server wants no more connections.
        fileprivate(set) var due: Duration? = .zero
        /// The time since which the stream is open, and the time since which a connection is lacking.
        fileprivate var openSince, lostAt: Duration?
        fileprivate var failures = 0
        /// The time before which the server wants no connection.
        fileprivate var notBefore = Duration.zero
    }

    /// Whether the provider refreshes on its own while it is neither suspended nor offline.
    var isRunning = false
    var isSuspended = false
    var isOffline = false
    private(set) var trouble: Trouble?
    /// The number of attempts with this trouble.
    private var attempt = 0
    private(set) var stream = Stream()
    private let interval: Duration?
    /// The time of the next request; `nil` for never.
    private var next: Duration?
    /// The end of the time in which the server wants no requests.
    private(set) var silentUntil: Duration?
    /// The same for the provider's own requests, later by a random part, so that not all clients return at once.
    private var spreadUntil = Duration.zero

    /// Creates a schedule whose first request is due at once.
    ///
    /// - Parameter interval: The time between polls; `nil` without polling.
    init(now: Duration, interval: Duration?) { (next, self.interval) = (now, interval) }

    private var mayAsk: Bool { isRunning && !isSuspended && !isOffline }

    /// The time at which the next request is due; `nil` for never.
    var due: Duration? { mayAsk ? next.map(afterSilence) : nil }

    /// The time at which the next connection is due; `nil` for never. While requests fail, a connection would too.
    var connectionDue: Duration? { mayAsk && trouble == nil ? stream.due.map(afterSilence) : nil }

    private func afterSilence(_ instant: Duration) -> Duration {
        silentUntil == nil ? instant : max(instant, spreadUntil)
    }

    // MARK: Requests

    /// Schedules a request, regardless of trouble.
    mutating func request(at instant: Duration) { next = min(next ?? instant, instant) }

    /// Schedules a request, unless the server has refused for good.
    mutating func requestUnlessRefused(at instant: Duration) {
        if trouble != .refused || next != nil { request(at: instant) }
    }

    /// Schedules a request for an event of the stream; during trouble only if none is scheduled, which serves it, too.
    mutating func trigger(at instant: Duration) { if trouble == nil || next == nil { request(at: instant) } }

    /// Restarts for another document of the same server, with a request at once; the waits that the server asked for stay.
    mutating func restart(at now: Duration) { (trouble, next) = (nil, now) }

    /// Records the start of a request, which satisfies all requests that were scheduled.
    mutating func began() { next = nil }

    /// Records an answer. The next request is at the usual time, varied by up to a tenth. After trouble, the clients of a
    /// stream return over a time as long as it was lacking.
    ///
    /// - Parameter isRejected: Whether the document was rejected, which is then requested again even without polling.
    mutating func answered(at now: Duration, isRejected: Bool = false, random: Double) {
        if trouble != nil, let lostAt = stream.lostAt, let due = stream.due {
            stream.due = max(due, now + min(now - lostAt, interval.map { $0 * 3 } ?? Backoff.longest) * random)
        }
        (trouble, silentUntil) = (nil, nil)
        if let wait = interval ?? (isRejected ? Backoff.longest : nil) {
            request(at: now + wait * 9 / 10 + wait / 5 * random)
        }
    }

    /// Records a failure of the network or the server.
    mutating func failed(at now: Duration, retryAfter: Duration?, random: Double) {
        attempt = trouble == .passing ? attempt + 1 : 1
        (trouble, silentUntil) = (.passing, nil)
        next = now + Backoff.delay(afterFailures: attempt, random: random)
        if let retryAfter { beSilent(for: retryAfter, at: now, random: random) }
    }

    /// Records a refusal.
    ///
    /// - Parameter isFinal: Whether no request is sent until the application asks for one.
    mutating func refused(at now: Duration, isFinal: Bool) {
        attempt = trouble == .refused ? attempt + 1 : 1
        (trouble, silentUntil) = (.refused, nil)
        let wait = Backoff.doubled(.seconds(15 * 60), times: attempt - 1, limit: .seconds(4 * 3600))
        next = isFinal ? nil : now + wait
    }

    /// Records that the server wants no requests for a time, by an answer now or in an earlier run. The provider's own
    /// requests are spread over a time that is as long again.
    mutating func beSilent(for time: Duration, at now: Duration, random: Double) {
        silentUntil = max(silentUntil ?? .zero, now + time)
        spreadUntil = max(spreadUntil, now + time + time * random)
    }

    /// Ends the waits after failures of the network. The first notices of a network come before it can be used, so the next
    /// attempt is half a second later.
    mutating func networkReturned(at now: Duration) {
        let instant = now + .milliseconds(500)
        if trouble == .passing {
            attempt = 0
            request(at: instant)
        }
        if stream.lostAt != nil, let due = stream.due, instant < due {
            (stream.due, stream.failures) = (max(instant, stream.notBefore), 0)
        }
    }

    // MARK: The stream

    /// The wait for further events before the document is fetched, and the time over which the clients of a server
    /// spread: each waits a random part of it after an event, after a connection, and before it connects again.
    private static let (debounce, spread) = (Duration.milliseconds(100), Duration.seconds(5))

    /// Records an event that announces a change.
    mutating func announced(at now: Duration, random: Double) {
        trigger(at: now + Self.debounce + Self.spread * random)
    }

    /// Records that the stream is open. The changes before that have to be requested; after a long absence the next poll
    /// does so, since all clients may have lost the stream.
    mutating func opened(at now: Duration, random: Double) {
        let absence = stream.lostAt.map { now - $0 } ?? .zero
        (stream.openSince, stream.lostAt) = (now, nil)
        if interval.map({ absence < $0 }) ?? true { trigger(at: now + Self.spread * random) }
    }

    /// Records the end of a connection, or of an attempt. The waits double, as long as no connection lasts a minute.
    ///
    /// - Parameters:
    ///   - retry: The first wait.
    ///   - retryAfter: The wait that the server asked for instead of a connection.
    mutating func lost(at now: Duration, retry: Duration, retryAfter: Duration?, random: Double) {
        stream.failures = stream.openSince.map { now - $0 >= .seconds(60) } ?? false ? 1 : stream.failures + 1
        (stream.openSince, stream.lostAt) = (nil, stream.lostAt ?? now)
        let delay = Backoff.delay(
            afterFailures: stream.failures, first: retry, limit: .seconds(60), random: random)
        let due = now + max(delay, retryAfter ?? .zero) + Self.spread * random
        (stream.due, stream.notBefore) = (due, retryAfter == nil ? .zero : due)
    }

    /// Restarts with a connection due at once, or for another user of the same stream after the wait that its server wants.
    mutating func forgetStream(isSame: Bool = false) {
        let due = isSame ? stream.notBefore : .zero
        stream = Stream(due: due, notBefore: due)
    }

    /// Records that the server wants no more connections.
    mutating func streamEnded() { stream.due = nil }

    /// Records that the connection was closed on purpose. It may be opened again at once.
    mutating func closed(at now: Duration) { (stream.due, stream.openSince, stream.lostAt) = (now, nil, nil) }
}

/// The wait after failures in a row.
enum Backoff {
    static let longest = Duration.seconds(300)

    /// Returns half of a time that doubles with each failure, plus a random part of the other half ("equal jitter": M.
    /// Brooker, *Exponential Backoff And Jitter*, AWS Architecture Blog, 2015).
    static func delay(
        afterFailures failures: Int, first: Duration = .seconds(2), limit: Duration = longest, random: Double
    ) -> Duration {
        let whole = doubled(first, times: failures - 1, limit: limit)
        return whole / 2 + whole / 2 * random
    }

    /// Doubles a time `times` times, up to `limit`.
    static func doubled(_ time: Duration, times: Int, limit: Duration) -> Duration {
        min(limit, time * (1 << min(max(times, 0), 20)))
    }
}
