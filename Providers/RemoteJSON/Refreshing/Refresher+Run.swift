import Foundation
import TacklineCore

// Foundation: `URL` is the address of the stream.

/// The runs of a refresher, the pauses in them, and its stream.
extension Refresher {
    package func start() {
        change { state in
            guard let run = begin(&state) else { return }
            state.runner = Task { await keepFresh(run) }
        }
    }

    package func run() async throws {
        guard let run = change({ begin(&$0) }) else {
            throw failure(
                "already-running", "run() was called while it runs already",
                advice: "Let one task run it, or call start() alone")
        }
        await keepFresh(run)
        throw CancellationError()
    }

    /// Begins a run. Returns its number, or `nil` if there is one already.
    private func begin(_ state: inout State) -> Int? {
        guard !state.schedule.isRunning else { return nil }
        if state.hasStopped || state.schedule.isFinal { state.schedule.request(at: state.now) }
        (state.schedule.isRunning, state.hasStopped, state.run) = (true, false, state.run + 1)
        return state.run
    }

    /// Ends a run, or the current one.
    package func stop(_ run: Int? = nil) {
        change { state in
            guard state.schedule.isRunning, run == nil || run == state.run else { return }
            (state.schedule.isRunning, state.hasStopped) = (false, true)
            giveUp("the provider was stopped", &state)
            state.news.append(.stopped)
            state.cancel(state.runner)
            state.runner = nil
        }
    }

    /// Sends requests and reads the stream until the run ends or the task is cancelled.
    private func keepFresh(_ run: Int) async {
        let network = NetworkWatch { [weak self] in self?.networkReturned() }
        while !Task.isCancelled, let (instant, wake) = step(run) {
            _ = await clock.wait(until: instant) { await wake.wait() }
        }
        withExtendedLifetime(network) {}
        let work = read { $0.run == run ? [$0.request?.task, $0.connection?.task] : [] }
        stop(run)
        for task in work { await task?.value }
    }

    /// Does what is due, and returns the time of the next step and a promise that ends the wait for it; `nil` after the end
    /// of the run.
    private func step(_ run: Int) -> (Duration?, FlagPromise<Void>)? {
        change { state in
            guard state.schedule.isRunning, state.run == run else { return nil }
            var instants = [age(&state)]
            if state.request == nil, let due = state.schedule.due {
                if due <= state.now { addRequest(at: due, &state) } else { instants.append(due) }
            }
            if let url = state.streamURL, state.connection == nil, let due = state.schedule.connectionDue {
                if due <= state.now { connect(to: url, &state) } else { instants.append(due) }
            }
            return (instants.compactMap(\.self).min(), state.wake)
        }
    }

    /// Handles the age of the active document, which may have become stale or expired, and returns the time of the next
    /// such change.
    private func age(_ state: inout State) -> Duration? {
        guard let active = state.active else { return nil }
        let expiry = active.confirmedAt + RemoteJSONProvider.Configuration.timeToLive
        guard state.now < expiry else {
            put(nil, &state)
            return nil
        }
        let staleness = active.confirmedAt + configuration.effectiveStaleAfter
        if state.now >= staleness, !active.isStaleReported {
            state.active?.isStaleReported = true
            state.news.append(.stale(since: state.moment.date(of: active.confirmedAt)))
        }
        return state.now >= staleness ? expiry : min(expiry, staleness)
    }

    private func networkReturned() {
        change { state in
            guard state.schedule.networkReturned(at: state.now) else { return }
            state.news.append(.note("the network may have returned"))
            state.wakeRun()
        }
    }

    // MARK: Pauses

    package func suspend() { pause(\.isSuspended, true, .suspended, "the provider was suspended") }

    /// Ends a suspension. Values that are older than a minute are refreshed at once.
    package func resume() { pause(\.isSuspended, false, .resumed) }

    package var isOffline: Bool {
        get { read { $0.schedule.isOffline } }
        set {
            pause(
                \.isOffline, newValue, .note(newValue ? "switched offline" : "switched online"),
                "the provider was switched offline")
        }
    }

    private func pause(
        _ path: WritableKeyPath<RefreshSchedule, Bool>, _ isPaused: Bool, _ event: RemoteEvent, _ reason: String = ""
    ) {
        change { state in
            guard state.schedule[keyPath: path] != isPaused else { return }
            state.schedule[keyPath: path] = isPaused
            if !state.hasStopped { state.news.append(event) }
            if isPaused { return giveUp(reason, &state) }
            state.wantsWhole = configuration.isEvaluating && state.streamURL != nil
            let isOld = state.active.map { state.now - $0.confirmedAt >= .seconds(60) } ?? true
            if state.wantsWhole || isOld || path == \.isOffline {
                state.schedule.request(at: state.now, endsFinalRefusal: false)
            }
            state.wakeRun()
        }
    }

    package func waitUntilReady(timeout: Duration) async -> Bool {
        let events = events
        // The answer, or `nil` while there may be values soon.
        let isReady: @Sendable () -> Bool? = { [self] in
            read { state in
                if state.active != nil { return true }
                let isRefused = state.schedule.trouble == .refused
                let isIdle = isRefused || state.hasStopped || state.schedule.isOffline || state.staged != nil
                return timeout <= .zero || isIdle && state.request == nil ? false : nil
            }
        }
        if let answer = isReady() { return answer }
        return await clock.wait(until: clock.now + timeout) {
            for await _ in events { if let answer = isReady() { return answer } }
            return nil
        } ?? false
    }

    // MARK: The stream

    private enum StreamEnd: Error {
        /// The server wants no more connections.
        case over
        case lost(reason: String, retryAfter: Duration?)
    }

    private func connect(to url: URL, _ state: inout State) {
        state.lastNumber += 1
        let (number, id) = (state.lastNumber, state.lastEventID)
        state.connection = (number, Task { lose(await readStream(url, id, number), number) })
    }

    /// Closes the stream, which is opened again as soon as it may be.
    func closeStream(_ state: inout State) {
        guard let connection = state.connection else { return }
        state.cancel(connection.task)
        (state.connection, state.hasOpenedStream) = (nil, false)
        state.schedule.closed(at: state.now)
    }

    /// Reads a connection until it ends or the task is cancelled.
    private func readStream(_ url: URL, _ lastEventID: String?, _ number: Int) async -> StreamEnd {
        do {
            try await clock.limit(configuration.requestTimeout, isTotal: false) { [self] deadline in
                let response = try await fetcher.openStream(url, lastEventID, deadline)
                guard response.status != 204 else { throw StreamEnd.over }
                let type = (response.header("Content-Type") ?? "").prefix { $0 != ";" }.lowercased()
                guard response.status == 200, type.filter({ $0 != " " }) == "text/event-stream" else {
                    let reason = "status \(response.status) and type \(type), where events are expected"
                    let wait = RetryAfter.parse(response.header, now: configuration.wallClock())
                    throw StreamEnd.lost(reason: reason, retryAfter: wait)
                }
                changeStream(number) { state in
                    state.hasOpenedStream = true
                    state.schedule.opened(at: state.now, random: state.random)
                }
                var parser = ServerSentEventParser(lastEventID: lastEventID)
                // Comments are signs of life, too.
                let pause = { deadline.expect(within: .seconds(90), else: "nothing arrived for") }
                pause()
                for try await chunk in response.body {
                    pause()
                    take(try parser.consume(chunk), parser, number)
                }
            }
            return .lost(reason: "the server closed it", retryAfter: nil)
        } catch {
            return error as? StreamEnd ?? .lost(reason: error.publicText, retryAfter: nil)
        }
    }

    /// Changes the state for a connection, unless it was closed, and ends the wait of the run.
    private func changeStream(_ number: Int, _ body: (inout State) -> Void) {
        change { state in
            guard state.connection?.number == number else { return }
            body(&state)
            state.wakeRun()
        }
    }

    private func take(_ events: [ServerSentEvent], _ parser: ServerSentEventParser, _ number: Int) {
        let announced = events.map { ($0, configuration.dialect.items($0)) }
        changeStream(number) { state in
            state.lastEventID = parser.lastEventID
            if let retry = parser.retryMilliseconds {
                state.streamRetry = min(max(.milliseconds(retry), .milliseconds(100)), .seconds(60))
            }
            for (event, items) in announced where items == nil && !event.keepsAlive {
                state.news.append(.note("an event of the stream announces nothing known: \(event.data.prefix(100))"))
            }
            guard let items = announced.last(where: { $0.1 != nil })?.1 else { return }
            state.items = items
            state.schedule.announced(at: state.now, random: state.random)
        }
    }

    private func lose(_ end: StreamEnd, _ number: Int) {
        changeStream(number) { state in
            state.connection = nil
            guard case .lost(let reason, let retryAfter) = end else {
                state.schedule.streamEnded()
                return state.news.append(.note("the server ended the stream for good; polling goes on"))
            }
            state.schedule.lost(
                at: state.now, retry: state.streamRetry, retryAfter: retryAfter, random: state.random)
            state.news.append(.note("the stream was lost: \(reason)"))
        }
    }
}
