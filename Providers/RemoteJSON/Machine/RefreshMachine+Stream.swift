#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore

// Foundation: `URL` is where the stream is.

/// What a connection of the stream brought.
enum StreamNews: Sendable {
    /// It is open.
    case opened
    /// Something of it was read: what the next connection has to know, and whether an event was complete.
    case progress(StreamMemory, hasEvent: Bool)
    /// It failed or ended.
    case lost(reason: String, retryAfter: Duration?)
    /// The server wants no more connections.
    case over
}

/// What outlives one connection of a stream.
struct StreamMemory: Sendable, Equatable {
    var lastEventID: String?
    /// What the server asked for.
    var retryMilliseconds: Int64?

    /// How long to wait before the first further attempt.
    func retry(_ configuration: RemoteJSONStreamConfiguration) -> Duration {
        guard let retryMilliseconds else { return configuration.initialRetry }
        let asked = Duration.milliseconds(retryMilliseconds)
        return min(max(asked, configuration.retryRange.lowerBound), configuration.retryRange.upperBound)
    }
}

/// The connection to the stream, as far as there is one.
struct StreamConnection: Sendable {
    enum State: Sendable, Equatable {
        /// To be opened when it may be, but not before an instant.
        case closed(until: Duration)
        case begun(Int)
        case open(Int, since: Duration)
        /// The server wants no more.
        case over
    }

    var state = State.closed(until: .zero)
    var memory = StreamMemory()
    /// How many connections in a row did not last.
    var failures = 0
    /// Since when there is none though the machine wants one.
    var lostAt: Duration?

    /// The number of the present connection.
    var number: Int? {
        switch state {
        case .begun(let number), .open(let number, _): number
        case .closed, .over: nil
        }
    }

    /// Begins anew, as at a start.
    mutating func reset() {
        state = .closed(until: .zero)
        failures = 0
        lostAt = nil
    }
}

extension RefreshMachine {
    /// When to connect; `nil` while there is a connection, or there is to be none.
    var connectionDue: Duration? {
        guard streamURL != nil, cache == .read, case .closed(let until) = connection.state else { return nil }
        guard !schedule.isFinal else { return nil }
        // Silence and trouble are those of a host, whichever of its URLs answered so.
        guard streamURL?.host() == url.host() else { return until }
        if case .passing? = schedule.trouble { return nil }
        return schedule.silence.map { max(until, $0.spreadUntil) } ?? until
    }

    /// How long the stream is away.
    private var absence: Duration { connection.lostAt.map { now - $0 } ?? .zero }

    /// Has the stream opened again after the server of the documents has failed, and answers.
    mutating func returnToStream() {
        guard case .closed(let until) = connection.state else { return }
        let longest = rules.pollInterval.map { $0 * 3 } ?? rules.retryTimes.longest
        connection.state = .closed(until: max(until, now + min(absence, longest) * moment.random))
    }

    /// Opens the stream when it is due, and closes it when it may not be open.
    mutating func followStream() {
        guard isAwake, !schedule.isFinal else { return disconnect() }
        guard let streamURL, let due = connectionDue, due <= now else { return }
        let number = newNumber()
        connection.state = .begun(number)
        emit(.connect(number, streamURL, connection.memory))
    }

    /// Closes the stream, to be opened again at once when it may be.
    mutating func disconnect() {
        guard let number = connection.number else { return }
        connection.state = .closed(until: now)
        connection.lostAt = nil
        emit(.disconnect(number))
    }

    /// Turns to the stream that a document names; `nil` for none.
    mutating func follow(_ url: URL?) {
        guard url != streamURL else { return }
        disconnect()
        connection = StreamConnection()
        streamURL = url
    }

    mutating func takeNews(_ news: StreamNews, _ number: Int) {
        guard connection.number == number else { return ignore("news came from a stream that was closed") }
        switch news {
        case .opened:
            guard case .begun = connection.state else { return ignore("a stream was opened that is open") }
            connection.state = .open(number, since: now)
            // What changed while nobody listened has to be asked for, though not by all listeners at once; after long the
            // next poll does.
            let isLong = rules.pollInterval.map { absence >= $0 } ?? false
            if !isLong { schedule.trigger(at: now + spread) }
            connection.lostAt = nil
        case .progress(let memory, let hasEvent):
            connection.memory = memory
            if hasEvent { schedule.trigger(at: now + rules.stream.debounce + spread) }
        case .lost(let reason, let retryAfter):
            emit(.warn("the stream was lost: \(reason)"))
            lose(retryAfter)
        case .over:
            connection.state = .over
            emit(.warn("the server ended the stream for good; polling goes on"))
        }
    }

    private var spread: Duration { rules.stream.spread * moment.random }

    private mutating func lose(_ retryAfter: Duration?) {
        var openTime = Duration.zero
        if case .open(_, let since) = connection.state { openTime = now - since }
        connection.lostAt = connection.lostAt ?? now
        connection.failures = openTime >= rules.stream.resetAfter ? 1 : connection.failures + 1
        let retry = connection.memory.retry(rules.stream)
        let delay = Backoff.delay(
            afterFailures: connection.failures, base: retry, limit: max(rules.stream.maximumRetry, retry),
            random: moment.random)
        // A server that goes down loses all its listeners in the same moment.
        connection.state = .closed(until: now + max(delay, retryAfter ?? .zero) + spread)
    }
}
