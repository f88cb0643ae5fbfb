import Foundation
import TacklineCore
import TacklineFiles

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
        guard let runner = start() else {
            throw failure(
                "already-running", "run() was called while it runs already",
                advice: "Let one task run it, or call start() alone")
        }
        await withTaskCancellationHandler(operation: { await runner.value }, onCancel: { runner.cancel() })
        stop(runner)
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
            if state.request == nil, let due = state.schedule.due {
                if due <= state.now { send(Request(), &state) } else { instants.append(due) }
            }
            if let connection = state.connection {
                let end = connection.heardAt + Self.longestSilence
                if end <= state.now {
                    lose(HTTPFailure("nothing arrived for \(Self.longestSilence.roundedText)"), &state)
                } else {
                    instants.append(end)
                }
            }
            if let url = configuration.effectiveStreamURL, state.connection == nil,
                let due = state.schedule.connectionDue
            {
                if due <= state.now { connect(to: url, &state) } else { instants.append(due) }
            }
            return (instants.min(), state.changed)
        }
    }

    // MARK: Pauses

    package func suspend() {
        change { state in
            guard !state.schedule.isSuspended else { return }
            state.schedule.isSuspended = true
            giveUp("the provider was suspended", &state)
        }
    }

    /// Ends a suspension. Values that are older than a minute are refreshed at once.
    package func resume() {
        change { state in
            guard state.schedule.isSuspended else { return }
            state.schedule.isSuspended = false
            let isOld = state.active.map { state.now - $0.confirmedAt >= .seconds(60) } ?? true
            if isOld { state.schedule.request(at: state.now) }
        }
    }

    package func waitUntilReady(timeout: Duration) async -> Bool {
        guard timeout > .zero else { return read { $0.active != nil } }
        return await clock.wait(until: clock.now + timeout) { [self] in
            while true {
                let (answer, changed) = changes.withLock { read { (isReady($0), $0.changed) } }
                if let answer { return answer }
                if await changed.wait() == nil { return nil }
            }
        } ?? false
    }

    /// Whether there are values; `nil` while there may be some soon.
    private func isReady(_ state: borrowing State) -> Bool? {
        if state.active != nil { return true }
        let isIdle = state.schedule.trouble == .refused || state.hasStopped || state.staged != nil
        return isIdle && state.request == nil ? false : nil
    }

    // MARK: The stream

    /// The time without a sign of life after which a connection counts as lost. Comments are signs of life, too.
    private static let longestSilence = Duration.seconds(90)

    private func connect(to url: URL, _ state: inout State) {
        state.lastNumber += 1
        let number = state.lastNumber
        let task = Task {
            var end = HTTPFailure("the server closed it")
            do { try await readStream(url, number) } catch {
                end = error as? HTTPFailure ?? HTTPFailure(error.publicText)
            }
            changeStream(number) { [end] in lose(end, &$0) }
        }
        state.connection = (number, task, state.now)
    }

    private func lose(_ end: HTTPFailure, _ state: inout State) {
        state.cancel(state.connection?.task)
        state.connection = nil
        state.log("the stream was lost: \(end)")
        state.schedule.lost(at: state.now, retryAfter: end.retryAfter, random: state.random)
    }

    /// Closes the stream, which is opened again as soon as it may be.
    func closeStream(_ state: inout State) {
        guard let connection = state.connection else { return }
        state.cancel(connection.task)
        state.connection = nil
        state.schedule.closed(at: state.now)
    }

    /// Reads a connection until it ends or the task is cancelled.
    private func readStream(_ url: URL, _ number: Int) async throws {
        let response = try await fetcher.openStream(url)
        let type = (response.header("Content-Type") ?? "").prefix { $0 != ";" }.lowercased()
        guard response.status == 200, type.filter({ $0 != " " }) == "text/event-stream" else {
            let wait = RetryAfter.parse(response.header, now: configuration.wallClock())
            throw HTTPFailure(
                "status \(response.status) and type \(type), where events are expected", retryAfter: wait)
        }
        changeStream(number) { $0.schedule.opened(at: $0.now, random: $0.random) }
        var parser = ServerSentEventParser()
        for try await chunk in response.body { take(try parser.consume(chunk), number) }
    }

    /// Changes the state at a sign of life of a connection, unless it was closed.
    private func changeStream(_ number: Int, _ body: (inout State) -> Void) {
        change { state in
            guard var connection = state.connection, connection.number == number else { return }
            connection.heardAt = state.now
            state.connection = connection
            body(&state)
        }
    }

    private func take(_ events: [ServerSentEvent], _ number: Int) {
        changeStream(number) { state in
            if events.contains(where: { !$0.keepsAlive }) {
                state.schedule.announced(at: state.now, random: state.random)
            }
        }
    }
}
