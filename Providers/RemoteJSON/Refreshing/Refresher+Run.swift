import Foundation
import TacklineCore

#if canImport(Network)
    import Network
#endif

/// The runs of a refresher, the pauses in them, and its stream.
extension Refresher {
    /// Begins a run. Returns its task, or `nil` if there is one already.
    @discardableResult
    package func start() -> Task<Void, Never>? {
        change { state in
            guard !state.schedule.isRunning else { return nil }
            state.schedule.request(at: state.now)
            (state.schedule.isRunning, state.hasStopped) = (true, false)
            state.runner = Task { await keepFresh() }
            return state.runner
        }
    }

    package func run() async throws {
        try Task.checkCancellation()
        guard let runner = start() else {
            throw failure(
                "already-running", "run() was called while it runs already",
                advice: "Let one task run it, or call start() alone")
        }
        await withTaskCancellationHandler(operation: { await runner.value }, onCancel: { runner.cancel() })
        let work = read { $0.runner == runner ? [$0.task, $0.connection?.task] : [] }
        stop(runner)
        for task in work { await task?.value }
        throw CancellationError()
    }

    /// Ends a run, or the current one.
    package func stop(_ run: Task<Void, Never>? = nil) {
        change { state in
            guard let runner = state.runner, run == nil || run == runner else { return }
            (state.runner, state.schedule.isRunning, state.hasStopped) = (nil, false, true)
            giveUp("the provider was stopped", &state)
            state.log("stopped")
            state.cancel(runner)
        }
    }

    /// Sends requests and reads the stream until the task is cancelled.
    private func keepFresh() async {
        #if canImport(Network)
            let monitor = NWPathMonitor()
            monitor.pathUpdateHandler = { [weak self] path in
                if path.status == .satisfied { self?.change { $0.schedule.networkReturned(at: $0.now) } }
            }
            monitor.start(queue: .global())
            defer { monitor.cancel() }
        #endif
        while !Task.isCancelled {
            let (instant, changed) = step()
            _ = await clock.wait(until: instant) { await changed.wait() }
        }
    }

    /// Does what is due, and returns the time of the next step and a promise that ends the wait for it.
    private func step() -> (Duration?, FlagPromise<Void>) {
        change { state in
            var instants: [Duration] = []
            if state.schedule.isRunning, let active = state.active {
                let expiry = active.confirmedAt + RemoteJSONProvider.Configuration.timeToLive
                if state.now >= expiry { put(nil, &state) }
                // Consumers of states get one when the values become stale.
                instants += [active.confirmedAt + configuration.effectiveStaleAfter, expiry].filter { $0 > state.now }
            }
            if state.request == nil, let due = state.schedule.due {
                if due <= state.now { send(Request(), &state) } else { instants.append(due) }
            }
            if let url = state.streamURL, state.connection == nil, let due = state.schedule.connectionDue {
                if due <= state.now { connect(to: url, &state) } else { instants.append(due) }
            }
            return (instants.min(), state.changed)
        }
    }

    // MARK: Pauses

    package func suspend() { pause(\.isSuspended, true) }

    /// Ends a suspension. Values that are older than a minute are refreshed at once.
    package func resume() { pause(\.isSuspended, false) }

    package var isOffline: Bool {
        get { read { $0.schedule.isOffline } }
        set { pause(\.isOffline, newValue) }
    }

    private func pause(_ path: WritableKeyPath<RefreshSchedule, Bool>, _ isPaused: Bool) {
        change { state in
            guard state.schedule[keyPath: path] != isPaused else { return }
            state.schedule[keyPath: path] = isPaused
            if isPaused { return giveUp("the provider was suspended or switched offline", &state) }
            let isOld = state.active.map { state.now - $0.confirmedAt >= .seconds(60) } ?? true
            if isOld || path == \.isOffline { state.schedule.requestUnlessRefused(at: state.now) }
        }
    }

    package func waitUntilReady(timeout: Duration) async -> Bool {
        if timeout > .zero {
            _ = await clock.wait(until: clock.now + timeout) { [self] () -> Never? in
                while true {
                    let (isOver, changed) = changes.withLock { read { (isWaitOver($0), $0.changed) } }
                    guard !isOver, await changed.wait() != nil else { return nil }
                }
            }
        }
        return read { $0.active != nil }
    }

    /// Whether there are values, or none to wait for.
    private func isWaitOver(_ state: borrowing State) -> Bool {
        let isRefused = state.schedule.trouble == .refused
        let isIdle = isRefused || state.hasStopped || state.schedule.isOffline || state.staged != nil
        return state.active != nil || isIdle && state.request == nil
    }

    // MARK: The stream

    private func connect(to url: URL, _ state: inout State) {
        state.lastNumber += 1
        let (number, target) = (state.lastNumber, state.target)
        let task = Task {
            var end = HTTPFailure("the server closed it")
            do { try await readStream(url, of: target, number) } catch {
                end = error as? HTTPFailure ?? HTTPFailure(error.publicText)
            }
            changeStream(number) { [end] state in
                state.connection = nil
                state.log("the stream was lost: \(end)")
                if end.isFinal { return state.schedule.streamEnded() }
                state.schedule.lost(
                    at: state.now, retry: state.streamRetry, retryAfter: end.retryAfter, random: state.random)
            }
        }
        state.connection = (number, task)
    }

    /// Closes the stream, which is opened again as soon as it may be.
    func closeStream(_ state: inout State) {
        guard let connection = state.connection else { return }
        state.cancel(connection.task)
        state.connection = nil
        state.schedule.closed(at: state.now)
    }

    /// Reads a connection until it ends or the task is cancelled.
    private func readStream(_ url: URL, of target: RemoteTarget, _ number: Int) async throws {
        let response = try await clock.limit(configuration.requestTimeout) { [fetcher] noteProgress in
            try await fetcher.openStream(url, of: target, noteProgress)
        }
        if response.status == 204 { throw HTTPFailure("the server ended it for good", isFinal: true) }
        let type = (response.header("Content-Type") ?? "").prefix { $0 != ";" }.lowercased()
        guard response.status == 200, type.filter({ $0 != " " }) == "text/event-stream" else {
            let wait = RetryAfter.parse(response.header, now: configuration.wallClock())
            throw HTTPFailure(
                "status \(response.status) and type \(type), where events are expected", retryAfter: wait)
        }
        changeStream(number) { $0.schedule.opened(at: $0.now, random: $0.random) }
        // A stream has no end. Comments are signs of life, too.
        try await clock.limit(.seconds(1e9), idle: .seconds(90)) { [self] noteProgress in
            var parser = ServerSentEventParser()
            noteProgress()
            for try await chunk in response.body {
                noteProgress()
                take(try parser.consume(chunk), parser, number)
            }
        }
    }

    /// Changes the state for a connection, unless it was closed.
    private func changeStream(_ number: Int, _ body: (inout State) -> Void) {
        change { if $0.connection?.number == number { body(&$0) } }
    }

    private func take(_ events: [ServerSentEvent], _ parser: ServerSentEventParser, _ number: Int) {
        let others = events.filter { !configuration.announcesChange($0) }
        changeStream(number) { state in
            if let retry = parser.retryMilliseconds {
                state.streamRetry = min(max(.milliseconds(retry), .milliseconds(100)), .seconds(60))
            }
            for event in others where !event.keepsAlive {
                state.log("an event of the stream announces nothing known: \(event.data.prefix(100))")
            }
            if others.count < events.count { state.schedule.announced(at: state.now, random: state.random) }
        }
    }
}
