import Foundation
import TacklineCore

// Foundation: `URL` is the address of the stream.

extension Refresher {
    /// The longest pause of the stream, comments included, before it counts as lost.
    private static let longestPause = Duration.seconds(90)

    private enum Step: Sendable {
        /// Wait until an instant, or until the promise is resolved.
        case wait(Duration?, FlagPromise<Void>)
        /// Connect, and close the connection when the promise is resolved.
        case connect(URL, lastEventID: String?, FlagPromise<Void>)
    }

    /// Reads the stream whenever there is one to read, until the run ends or the task is cancelled.
    func followStream(_ number: Int) async {
        while !Task.isCancelled, let step = streamStep(number) {
            switch step {
            case .wait(let instant, let wake): await clock.wait(until: instant, or: wake)
            case .connect(let url, let id, let closing):
                let end = await withTaskGroup(of: StreamEnd?.self) { group in
                    group.addTask { await self.read(url, id, closing) }
                    group.addTask {
                        _ = await closing.wait()
                        return nil
                    }
                    defer { group.cancelAll() }
                    return await group.next() ?? nil
                }
                if let end { lose(end, closing) }
            }
        }
    }

    private func streamStep(_ number: Int) -> Step? {
        change { state, effects in
            guard state.isRunning, state.run == number else { return nil }
            let idle = Step.wait(nil, state.wake)
            guard let url = state.streamURL, state.closing == nil, !state.stream.isOver, !state.schedule.isFinal,
                !state.isSuspended, !state.isOffline
            else { return idle }
            // While requests fail, the stream would too.
            if case .passing? = state.schedule.trouble { return idle }
            let due = state.schedule.afterSilence(state.stream.due)
            guard due <= effects.now else { return .wait(due, state.wake) }
            let closing = FlagPromise<Void>()
            state.closing = closing
            return .connect(url, lastEventID: state.lastEventID, closing)
        }
    }

    /// Closes the stream, which is opened again as soon as it may be.
    func closeStream(_ state: inout State, _ effects: inout Effects) {
        guard let closing = state.closing else { return }
        (state.closing, effects.closing) = (nil, closing)
        state.stream.closed(at: effects.now)
    }

    /// Changes to the stream that a document names; `nil` for none.
    func follow(_ url: URL?, _ state: inout State, _ effects: inout Effects) {
        guard url != state.streamURL else { return }
        closeStream(&state, &effects)
        (state.stream, state.lastEventID, state.streamURL) = (StreamSchedule(), nil, url)
    }

    // MARK: One connection

    private enum StreamEnd: Sendable {
        /// The server wants no more connections.
        case over
        case lost(reason: String, retryAfter: Duration?)
    }

    /// Reads a connection until it ends or the task is cancelled.
    private func read(_ url: URL, _ lastEventID: String?, _ connection: FlagPromise<Void>) async -> StreamEnd {
        var secrets = Secrets(url, configuration)
        do {
            var headers = try await fetcher.headers(to: url, accepting: "text/event-stream", &secrets)
            // The field is from the specification of event streams (WHATWG HTML, 9.2.2).
            headers["Cache-Control"] = "no-cache"
            headers["Last-Event-ID"] = lastEventID
            var request = HTTPTransportRequest(url: url, headers: headers)
            request.maximumWaitingBytes = ServerSentEventParser.maximumEventBytes * 2
            return try await clock.limit(AnswerProgress.Limits(pause: Self.longestPause)) {
                [self, request, secrets] progress in
                let response = try await transport.response(
                    to: request, allowsOtherOrigins: configuration.allowsRedirectsToOtherOrigins, progress)
                guard response.status != 204 else { return .over }
                let type = (response.header("Content-Type") ?? "").prefix { $0 != ";" }.lowercased()
                guard response.status == 200, type.filter({ $0 != " " }) == "text/event-stream" else {
                    let reason = "status \(response.status) and type \(type), where events are expected"
                    let wait = RetryAfter.parse(response.header, now: configuration.wallClock())
                    return .lost(reason: secrets.hidden(in: reason), retryAfter: wait)
                }
                open(connection)
                var parser = ServerSentEventParser(lastEventID: lastEventID)
                for try await chunk in response.body {
                    progress.note()
                    take(try parser.consume(chunk), parser, connection)
                }
                return .lost(reason: "the server closed it", retryAfter: nil)
            }
        } catch {
            return .lost(reason: secrets.hidden(in: "\(error)"), retryAfter: nil)
        }
    }

    private func open(_ connection: FlagPromise<Void>) {
        change { state, effects in
            guard state.closing === connection else { return }
            let absence = state.stream.opened(at: effects.now)
            // Changes without a connection have to be requested, but not by all clients at once. After a long absence the
            // next poll does so.
            if let interval = configuration.effectivePollInterval, absence >= interval { return }
            state.schedule.trigger(at: effects.now + StreamSchedule.spread * effects.random)
            wake(&state, &effects)
        }
    }

    private func take(_ events: [ServerSentEvent], _ parser: ServerSentEventParser, _ connection: FlagPromise<Void>) {
        let announced = events.map { ($0, configuration.dialect.items($0)) }
        change { state, effects in
            guard state.closing === connection else { return }
            state.lastEventID = parser.lastEventID
            if let retry = parser.retryMilliseconds {
                state.streamRetry = min(max(.milliseconds(retry), .milliseconds(100)), .seconds(60))
            }
            for (event, items) in announced where items == nil && !event.keepsAlive {
                state.news.append(.note("an event of the stream announces nothing known: \(event.data.prefix(100))"))
            }
            guard let items = announced.last(where: { $0.1 != nil })?.1 else { return }
            state.items = items
            state.schedule.trigger(
                at: effects.now + StreamSchedule.debounce + StreamSchedule.spread * effects.random)
            wake(&state, &effects)
        }
    }

    private func lose(_ end: StreamEnd, _ connection: FlagPromise<Void>) {
        change { state, effects in
            guard state.closing === connection else { return }
            state.closing = nil
            switch end {
            case .over:
                state.stream.over()
                state.news.append(.note("the server ended the stream for good; polling goes on"))
            case .lost(let reason, let retryAfter):
                state.stream.lost(
                    at: effects.now, retry: state.streamRetry, retryAfter: retryAfter, random: effects.random)
                state.news.append(.note("the stream was lost: \(reason)"))
            }
        }
    }
}
