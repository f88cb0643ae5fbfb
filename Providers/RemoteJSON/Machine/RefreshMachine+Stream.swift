import Foundation
import TacklineCore

// Foundation: `URL` is the address of the stream.

/// An event of a stream's connection.
enum StreamNews: Sendable {
    /// The connection is open.
    case opened
    /// Bytes were read. The memory is for the next connection; `hasEvent` is whether an event that announces a change
    /// was complete.
    case progress(StreamMemory, hasEvent: Bool)
    /// The connection failed or ended.
    case lost(reason: String, retryAfter: Duration?)
    /// The server wants no more connections.
    case over
}

/// The data that outlives one connection of a stream.
struct StreamMemory: Sendable, Equatable {
    var lastEventID: String?
    /// The wait that the server asked for, in milliseconds.
    var retryMilliseconds: Int64?

    /// Returns the wait before the first further attempt.
    func retry(_ configuration: RemoteJSONStreamConfiguration) -> Duration {
        guard let retryMilliseconds else { return configuration.initialRetry }
        let asked = Duration.milliseconds(retryMilliseconds)
        return min(max(asked, configuration.retryRange.lowerBound), configuration.retryRange.upperBound)
    }
}

/// The state of the connection to the stream.
struct StreamConnection: Sendable {
    enum State: Sendable, Equatable {
        /// There is no connection. It is opened when that is allowed, but not before an instant.
        case closed(until: Duration)
        case begun(Int)
        case open(Int, since: Duration)
        /// The server wants no more connections.
        case over
    }

    var state = State.closed(until: .zero)
    var memory = StreamMemory()
    /// The number of connections in a row that did not last.
    var failures = 0
    /// The time since which the machine lacks a connection that it wants.
    var lostAt: Duration?
    /// The time before which the server wants no connection.
    var notBefore = Duration.zero
    private var returns = NetworkReturns()

    /// The number of the current connection.
    var number: Int? {
        switch state {
        case .begun(let number), .open(let number, _): number
        case .closed, .over: nil
        }
    }

    /// Resets the connection as at a start.
    mutating func reset() {
        state = .closed(until: .zero)
        failures = 0
        lostAt = nil
    }

    /// Ends the wait for a lost connection, which is then opened soon.
    ///
    /// - Returns: `false` if none was lost.
    mutating func networkReturned(at now: Duration) -> Bool {
        guard case .closed(let until) = state, lostAt != nil else { return false }
        guard let instant = returns.attempt(at: now, before: until) else { return true }
        state = .closed(until: max(instant, notBefore))
        failures = 0
        return true
    }
}

/// A change that events of the stream have announced and that no answer has shown yet.
struct Announcement: Sendable, Equatable {
    /// The time for which further events belong to the same announcement, so that many events don't multiply requests.
    static let memory = Duration.seconds(120)

    /// The time of the first event.
    let firstAt: Duration
    /// The number of repeated requests.
    var repetitions = 0
}

extension RefreshMachine {
    /// The time of the next connection; `nil` while there is a connection or none is wanted.
    var connectionDue: Duration? {
        guard streamURL != nil, cache == .read, case .closed(let until) = connection.state else { return nil }
        guard !schedule.isFinal else { return nil }
        // Silence and failures concern a host, whichever of its URLs they came from.
        guard streamURL?.host() == url.host() else { return until }
        if case .passing? = schedule.trouble { return nil }
        return schedule.silence.map { max(until, $0.spreadUntil) } ?? until
    }

    /// Whether requests or the stream have failed, so that a return of the network matters.
    var lacksNetwork: Bool { schedule.trouble != nil || connection.lostAt != nil }

    /// The time for which the stream has been lost.
    private var absence: Duration { connection.lostAt.map { now - $0 } ?? .zero }

    /// Schedules the stream to be opened again after the document server has recovered.
    mutating func returnToStream() {
        guard case .closed(let until) = connection.state else { return }
        let longest = rules.pollInterval.map { $0 * 3 } ?? rules.retryTimes.longest
        connection.state = .closed(until: max(until, now + min(absence, longest) * moment.random))
    }

    /// Opens the stream when it is due, and closes it when it must not be open.
    mutating func followStream() {
        guard isAwake, !schedule.isFinal else { return disconnect() }
        guard let streamURL, let due = connectionDue, due <= now else { return }
        let number = newNumber()
        connection.state = .begun(number)
        emit(.connect(number, streamURL, connection.memory))
    }

    /// Closes the stream, which is opened again as soon as it may be.
    mutating func disconnect() {
        guard let number = connection.number else { return }
        connection.state = .closed(until: now)
        connection.lostAt = nil
        emit(.disconnect(number))
    }

    /// Changes to the stream that a document names; `nil` for none.
    mutating func follow(_ url: URL?) {
        guard url != streamURL else { return }
        disconnect()
        connection = StreamConnection()
        streamURL = url
    }

    mutating func takeNews(_ news: StreamNews, _ number: Int) {
        guard connection.number == number else { return ignore("an event came from a stream that was closed") }
        switch news {
        case .opened:
            guard case .begun = connection.state else { return ignore("a stream was opened that is open") }
            connection.state = .open(number, since: now)
            // Changes without a connection have to be requested, but not by all clients at once. After a long absence
            // the next poll does so.
            let isLong = rules.pollInterval.map { absence >= $0 } ?? false
            if !isLong { schedule.trigger(at: now + spread) }
            connection.lostAt = nil
        case .progress(let memory, let hasEvent):
            connection.memory = memory
            guard hasEvent else { return }
            if announcement.map({ now - $0.firstAt >= Announcement.memory }) ?? true {
                announcement = Announcement(firstAt: now)
            }
            schedule.trigger(at: now + rules.stream.debounce + spread)
        case .lost(let reason, let retryAfter):
            emit(.warn("the stream was lost: \(reason)"))
            lose(retryAfter)
        case .over:
            connection.state = .over
            emit(.warn("the server ended the stream for good; polling goes on"))
        }
    }

    private var spread: Duration { rules.stream.spread * moment.random }

    /// Repeats the request if an event announced a change and the answer has no newer document, since an intermediate
    /// cache may lag behind the server that sent the event.
    mutating func judgeAnnouncement(_ result: FetchResult, of request: Request) {
        guard var announcement, let sentAt = request.sentAt, sentAt >= announcement.firstAt else { return }
        switch result {
        case .document(let document, _)
        where document === documents.newest?.document
            && document.contentChecksum != request.current?.contentChecksum:
            self.announcement = nil
        case .document, .unchanged, .rejected(_, _, isOlder: true):
            guard let wait = rules.stream.lagWaits.dropFirst(announcement.repetitions).first else { return }
            announcement.repetitions += 1
            self.announcement = announcement
            schedule.trigger(at: now + wait / 2 + wait / 2 * moment.random)
        case .rejected, .failed, .misconfigured: break
        }
    }

    private mutating func lose(_ retryAfter: Duration?) {
        var openTime = Duration.zero
        if case .open(_, let since) = connection.state { openTime = now - since }
        connection.lostAt = connection.lostAt ?? now
        connection.failures = openTime >= rules.stream.resetAfter ? 1 : connection.failures + 1
        let retry = connection.memory.retry(rules.stream)
        let delay = Backoff.delay(
            afterFailures: connection.failures, base: retry, limit: max(rules.stream.maximumRetry, retry),
            random: moment.random)
        // A server that stops loses all its clients at the same moment, so they spread.
        let until = now + max(delay, retryAfter ?? .zero) + spread
        connection.state = .closed(until: until)
        connection.notBefore = retryAfter == nil ? .zero : until
    }
}
