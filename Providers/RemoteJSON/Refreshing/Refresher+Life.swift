import TacklineCore

/// The life of a refresher: its runs, the pauses in them, and the waits for values.
extension Refresher {
    /// Begins a run. Returns its number, or `nil` if there is one already.
    private func begin() -> Int? {
        change { state, effects in
            guard !state.isRunning else { return nil }
            if state.hasStopped || state.schedule.isFinal { state.schedule.request(at: effects.now) }
            (state.isRunning, state.hasStopped) = (true, false)
            state.stream.closed(at: effects.now)
            return state.run
        }
    }

    /// Ends a run, or the current one.
    package func stop(_ number: Int? = nil) {
        change { state, effects in
            guard state.isRunning, number == nil || number == state.run else { return }
            (state.isRunning, state.hasStopped) = (false, true)
            state.run += 1
            giveUp("the provider was stopped", &state, &effects)
            settle(&state, &effects)
            state.news.append(.stopped)
            effects.cancelled.append(state.runner)
            state.runner = nil
            wake(&state, &effects)
        }
    }

    package func start() {
        guard let number = begin() else { return }
        let runner = Task { await keepFresh(number) }
        let isCurrent = change { state, _ in
            guard state.isRunning, state.run == number else { return false }
            state.runner = runner
            return true
        }
        if !isCurrent { runner.cancel() }
    }

    package func run() async throws {
        guard let number = begin() else {
            throw FlagError(
                "already-running", provider: name, reason: "run() was called while it runs already",
                advice: "Let one task run it, or call start() alone")
        }
        await keepFresh(number)
        throw CancellationError()
    }

    /// Sends requests and reads the stream until the run ends or the task is cancelled.
    private func keepFresh(_ number: Int) async {
        let network = NetworkWatch { [weak self] in self?.networkReturned() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.followStream(number) }
            while !Task.isCancelled, let (instant, wake) = step(number) { await clock.wait(until: instant, or: wake) }
            group.cancelAll()
        }
        withExtendedLifetime(network) {}
        let request = read { $0.run == number ? $0.fetch?.task : nil }
        stop(number)
        await request?.value
    }

    /// Does what is due, and returns the time of the next step and a promise that ends the wait for it; `nil` after the end
    /// of the run.
    private func step(_ number: Int) -> (Duration?, FlagPromise<Void>)? {
        change { state, effects in
            guard state.isRunning, state.run == number else { return nil }
            let now = effects.now
            var instants = [age(&state, &effects)]
            if state.fetch == nil, !state.isSuspended, !state.isOffline, let due = state.schedule.due {
                if due <= now {
                    state.fetch = newFetch(at: now, &state)
                    state.fetch?.isOwn = true
                    startFetch(&state)
                } else {
                    instants.append(due)
                }
            }
            return (instants.compactMap(\.self).min(), state.wake)
        }
    }

    private func networkReturned() {
        change { state, effects in
            guard state.isRunning, !state.isSuspended, !state.isOffline else { return }
            let requests = state.schedule.networkReturned(at: effects.now)
            let stream = state.stream.networkReturned(at: effects.now)
            guard requests || stream else { return }
            state.news.append(.note("the network may have returned"))
            wake(&state, &effects)
        }
    }

    package func suspend() {
        change { state, effects in
            guard !state.isSuspended else { return }
            state.isSuspended = true
            if !state.hasStopped { state.news.append(.suspended) }
            giveUp("the provider was suspended", &state, &effects)
            wake(&state, &effects)
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
                settle(&state, &effects)
                wake(&state, &effects)
            }
        }
    }

    /// Ends the waits for values if there are none to be expected.
    func settle(_ state: inout State, _ effects: inout Effects) {
        guard !isHopeful(state), state.readiness.value == nil else { return }
        effects.settled = state.readiness
        state.readiness = FlagPromise()
    }

    /// Whether there may be values soon: no document is staged, the server doesn't refuse, and requests are made.
    private func isHopeful(_ state: borrowing State) -> Bool {
        if state.active != nil || state.fetch != nil || state.next != nil { return true }
        if case .refused? = state.schedule.trouble { return false }
        return !state.hasStopped && !state.isOffline && !state.isStaged
    }

    package func waitUntilReady(timeout: Duration) async -> Bool {
        let (promise, mayCome) = read { ($0.readiness, isHopeful($0)) }
        if promise.value == true { return true }
        guard mayCome, timeout > .zero else { return false }
        await clock.wait(until: clock.now + timeout, or: promise)
        return promise.value ?? false
    }
}
