import Foundation
import TacklineCore

// Foundation: `URL` is the address of the stream.

/// The life of a refresher: its runs, the pauses in them, its stream, and the waits for values.
extension Refresher {
    package func start() {
        change { state, effects in
            guard let number = begin(&state, effects) else { return }
            state.runner = Task { await keepFresh(number) }
        }
    }

    package func run() async throws {
        guard let number = change({ begin(&$0, $1) }) else {
            throw FlagError(
                "already-running", provider: name, reason: "run() was called while it runs already",
                advice: "Let one task run it, or call start() alone")
        }
        await keepFresh(number)
        throw CancellationError()
    }

    /// Begins a run. Returns its number, or `nil` if there is one already.
    private func begin(_ state: inout State, _ effects: Effects) -> Int? {
        guard !state.isRunning else { return nil }
        if state.hasStopped || state.schedule.isFinal { state.schedule.request(at: effects.now) }
        (state.isRunning, state.hasStopped) = (true, false)
        state.stream.closed(at: effects.now)
        return state.run
    }

    /// Ends a run, or the current one.
    package func stop(_ number: Int? = nil) {
        change { state, effects in
            guard state.isRunning, number == nil || number == state.run else { return }
            (state.isRunning, state.hasStopped) = (false, true)
            state.run += 1
            giveUp("the provider was stopped", &state, &effects)
            state.news.append(.stopped)
            effects.cancel(state.runner)
            state.runner = nil
        }
    }

    /// Sends requests and reads the stream until the run ends or the task is cancelled.
    private func keepFresh(_ number: Int) async {
        let network = NetworkWatch { [weak self] in self?.networkReturned() }
        while !Task.isCancelled, let (instant, wake) = step(number) {
            _ = await clock.wait(until: instant) { await wake.wait() }
        }
        withExtendedLifetime(network) {}
        let work = read { $0.run == number ? [$0.fetches.first?.task, $0.connection?.task] : [] }
        stop(number)
        for task in work { await task?.value }
    }

    /// Does what is due, and returns the time of the next step and a promise that ends the wait for it; `nil` after the end
    /// of the run.
    private func step(_ number: Int) -> (Duration?, FlagPromise<Void>)? {
        change { state, effects in
            guard state.isRunning, state.run == number else { return nil }
            let now = effects.now
            var instants = [age(&state, &effects)]
            if state.mayAsk, state.fetches.isEmpty, let due = state.schedule.due {
                if due <= now { addFetch(isOwn: true, at: now, &state) } else { instants.append(due) }
            }
            if state.mayAsk, let (url, due) = nextConnection(state) {
                if due <= now { connect(to: url, &state) } else { instants.append(due) }
            }
            return (instants.compactMap(\.self).min(), state.wake)
        }
    }

    /// Handles the age of the active document, which may have become stale or expired, and returns the time of the next
    /// such change.
    private func age(_ state: inout State, _ effects: inout Effects) -> Duration? {
        guard let active = state.active else { return nil }
        let expiry = active.confirmedAt + RemoteJSONProvider.Configuration.timeToLive
        let staleness = active.confirmedAt + configuration.effectiveStaleAfter
        if effects.now >= expiry {
            withdraw(&state, &effects)
            return nil
        }
        if effects.now >= staleness, !state.isStaleReported {
            state.isStaleReported = true
            let since = date(of: active.confirmedAt, at: effects.now, effects.wall)
            state.news.append(.stale(since: since))
        }
        return state.isStaleReported ? expiry : min(expiry, staleness)
    }

    private func networkReturned() {
        change { state, effects in
            guard state.mayAsk else { return }
            let requests = state.schedule.networkReturned(at: effects.now)
            let stream = state.stream.networkReturned(at: effects.now)
            guard requests || stream else { return }
            state.news.append(.note("the network may have returned"))
            wake(&state, &effects)
        }
    }

    // MARK: Pauses

    package func suspend() {
        change { state, effects in
            guard !state.isSuspended else { return }
            state.isSuspended = true
            if !state.hasStopped { state.news.append(.suspended) }
            giveUp("the provider was suspended", &state, &effects)
        }
    }

    /// Ends a suspension. Values that are older than a minute are refreshed at once.
    package func resume() {
        change { state, effects in
            guard state.isSuspended else { return }
            state.isSuspended = false
            if !state.hasStopped { state.news.append(.resumed) }
            state.wantsWhole = configuration.isEvaluating && state.streamURL != nil
            let isOld = state.active.map { effects.now - $0.confirmedAt >= .seconds(60) } ?? true
            if state.isRunning, state.wantsWhole || isOld {
                state.schedule.request(at: effects.now, endsFinalRefusal: false)
            }
            wake(&state, &effects)
        }
    }

    package var isOffline: Bool {
        get { read { $0.isOffline } }
        set {
            change { state, effects in
                guard newValue != state.isOffline else { return }
                state.isOffline = newValue
                state.news.append(.note(newValue ? "switched offline" : "switched online"))
                if newValue {
                    giveUp("the provider was switched offline", &state, &effects)
                } else if state.isRunning {
                    state.schedule.request(at: effects.now, endsFinalRefusal: false)
                }
                wake(&state, &effects)
            }
        }
    }

    package func waitUntilReady(timeout: Duration) async -> Bool {
        let events = events
        // The answer, or `nil` while there may be values soon.
        let isReady: @Sendable () -> Bool? = { [self] in
            read { state in
                if state.active != nil { return true }
                var isRefused = false
                if case .refused? = state.schedule.trouble { isRefused = true }
                let isIdle = isRefused || state.hasStopped || state.isOffline || state.staged != nil
                return timeout <= .zero || isIdle && state.fetches.isEmpty ? false : nil
            }
        }
        if let answer = isReady() { return answer }
        return await clock.wait(until: clock.now + timeout) {
            for await _ in events { if let answer = isReady() { return answer } }
            return nil
        } ?? false
    }

    // MARK: The stream

    /// The longest pause of the stream, comments included, before it counts as lost.
    private static let longestPause = Duration.seconds(90)

    /// Returns the stream to connect to and the time to do so; `nil` if there is none, or it is open.
    private func nextConnection(_ state: borrowing State) -> (URL, Duration)? {
        guard let url = state.streamURL, state.connection == nil, !state.stream.isOver, !state.schedule.isFinal else {
            return nil
        }
        // While requests fail, the stream would too.
        if case .passing? = state.schedule.trouble { return nil }
        return (url, state.schedule.afterSilence(state.stream.due))
    }

    private func connect(to url: URL, _ state: inout State) {
        state.lastNumber += 1
        let (number, id) = (state.lastNumber, state.lastEventID)
        state.connection = (number, Task { lose(await readStream(url, id, number), number) })
    }

    /// Closes the stream, which is opened again as soon as it may be.
    func closeStream(_ state: inout State, _ effects: inout Effects) {
        guard let connection = state.connection else { return }
        effects.cancel(connection.task)
        state.connection = nil
        state.stream.closed(at: effects.now)
    }

    private enum StreamEnd: Sendable {
        /// The server wants no more connections.
        case over
        case lost(reason: String, retryAfter: Duration?)
    }

    /// Reads a connection until it ends or the task is cancelled.
    private func readStream(_ url: URL, _ lastEventID: String?, _ number: Int) async -> StreamEnd {
        let secrets = Secrets(url, configuration)
        do {
            return try await clock.limit(configuration.requestTimeout, isTotal: false) { [self] deadline in
                var request = HTTPTransportRequest(url: url)
                request.headers = try await fetcher.headers(to: url, accepting: "text/event-stream", secrets)
                // The field is from the specification of event streams (WHATWG HTML, 9.2.2).
                request.headers["Cache-Control"] = "no-cache"
                request.headers["Last-Event-ID"] = lastEventID
                request.maximumWaitingBytes = ServerSentEventParser.maximumEventBytes * 2
                let response = try await fetcher.transport.response(
                    to: request, allowsOtherOrigins: configuration.allowsRedirectsToOtherOrigins, deadline)
                guard response.status != 204 else { return .over }
                let type = (response.header("Content-Type") ?? "").prefix { $0 != ";" }.lowercased()
                guard response.status == 200, type.filter({ $0 != " " }) == "text/event-stream" else {
                    let reason = "status \(response.status) and type \(type), where events are expected"
                    let wait = RetryAfter.parse(response.header, now: configuration.wallClock())
                    return .lost(reason: secrets.hidden(in: reason), retryAfter: wait)
                }
                open(number)
                var parser = ServerSentEventParser(lastEventID: lastEventID)
                let pause = { deadline.expect(within: Self.longestPause, else: "nothing arrived for") }
                pause()
                for try await chunk in response.body {
                    pause()
                    take(try parser.consume(chunk), parser, number)
                }
                return .lost(reason: "the server closed it", retryAfter: nil)
            }
        } catch {
            return .lost(reason: secrets.hidden(in: "\(error)"), retryAfter: nil)
        }
    }

    private func open(_ number: Int) {
        change { state, effects in
            guard state.connection?.number == number else { return }
            let absence = state.stream.opened(at: effects.now)
            // Changes without a connection have to be requested, but not by all clients at once. After a long absence the
            // next poll does so.
            if let interval = configuration.effectivePollInterval, absence >= interval { return }
            state.schedule.trigger(at: effects.now + StreamSchedule.spread * effects.random)
            wake(&state, &effects)
        }
    }

    private func take(_ events: [ServerSentEvent], _ parser: ServerSentEventParser, _ number: Int) {
        let announced = events.map { ($0, configuration.dialect.items($0)) }
        change { state, effects in
            guard state.connection?.number == number else { return }
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

    private func lose(_ end: StreamEnd, _ number: Int) {
        change { state, effects in
            guard state.connection?.number == number else { return }
            state.connection = nil
            switch end {
            case .over:
                state.stream.over()
                state.news.append(.note("the server ended the stream for good; polling goes on"))
            case .lost(let reason, let retryAfter):
                state.stream.lost(
                    at: effects.now, retry: state.streamRetry, retryAfter: retryAfter, random: effects.random)
                state.news.append(.note("the stream was lost: \(reason)"))
            }
            wake(&state, &effects)
        }
    }
}
