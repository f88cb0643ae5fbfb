import Foundation
package import TacklineCore

// Foundation: `URL` and `Date` belong to requests.

extension Refresher {
    /// Asks the server, as ``RemoteJSONProvider/refresh()`` does.
    @discardableResult
    package func refresh() async throws(FlagError) -> FlagRefreshOutcome {
        let fetch = change { state, effects in join(&state, effects) }
        return try await outcome(of: fetch.get())
    }

    /// Adds a waiting caller to an unsent request, or to a new one.
    func join(_ state: inout State, _ effects: Effects) -> Result<Fetch, FlagError> {
        let now = effects.now
        if let refusal = refusal(state, effects) { return .failure(refusal) }
        let isNew = state.fetch == nil
        if !isNew, state.fetch?.isSent ?? false {
            var next = state.next ?? newFetch(at: now, &state)
            next.waiters += 1
            state.next = next
            return .success(next)
        }
        var fetch = state.fetch ?? newFetch(at: now, &state)
        fetch.waiters += 1
        state.fetch = fetch
        if isNew { startFetch(&state) }
        return .success(fetch)
    }

    func outcome(of fetch: Fetch) async throws(FlagError) -> FlagRefreshOutcome {
        if let result = await fetch.outcome.wait() { return try result.get() }
        change { state, effects in
            if state.next?.number == fetch.number {
                state.next?.waiters -= 1
                if state.next?.waiters == 0 { state.next = nil }
            } else if state.fetch?.number == fetch.number {
                state.fetch?.waiters -= 1
                guard let fetch = state.fetch, fetch.waiters == 0, !fetch.isOwn else { return }
                effects.cancelled.append(fetch.task)
                (state.fetch, state.next) = (state.next, nil)
                if state.fetch != nil { startFetch(&state) }
                wake(&state, &effects)
            }
        }
        throw FlagError(
            .cancelled, provider: name, reason: "the task that waited for the answer was cancelled",
            advice: "Ask again in a task that is not cancelled")
    }

    /// The reason why requests are refused at present; `nil` if they are not.
    func refusal(_ state: borrowing State, _ effects: Effects) -> FlagError? {
        if state.hasStopped {
            return FlagError(
                "stopped", provider: name, reason: "it was stopped", advice: "Call run() or start() before refresh()")
        }
        if state.isOffline {
            return FlagError(
                "offline", provider: name, reason: "it is switched offline",
                advice: "Set isOffline to false before refresh()")
        }
        return throttled(state, at: effects.now, effects.wall)
    }

    func newFetch(at now: Duration, _ state: inout State) -> Fetch {
        let earliest = max(now, state.lastAsked.map { $0 + configuration.minimumRefreshGap } ?? now)
        state.lastAsked = earliest
        state.lastNumber += 1
        return Fetch(number: state.lastNumber, earliest: earliest)
    }

    func startFetch(_ state: inout State) {
        guard let number = state.fetch?.number, let earliest = state.fetch?.earliest else { return }
        state.fetch?.task = Task<Void, Never> { [self] in
            if earliest > clock.now { try? await clock.sleep(until: earliest) }
            guard let (target, fetch) = send(number) else { return }
            let result = await fetcher.fetch(target, items: fetch.items, current: fetch.current?.validators)
            finish(number, result)
        }
    }

    /// Notes that a request is sent now, unless it was given up or is refused.
    func send(_ number: Int) -> (RemoteTarget, Fetch)? {
        change { state, effects in
            guard var fetch = state.fetch, fetch.number == number else { return nil }
            if let refusal = refusal(state, effects) {
                effects.answers.append((fetch.outcome, .failure(refusal)))
                state.fetch = nil
                wake(&state, &effects)
                return nil
            }
            fetch.isSent = true
            // After a pause of the stream, missed events are unknown, so the request has no conditions.
            fetch.current = state.wantsWhole ? nil : state.newest.flatMap { $0.isForTarget ? $0.document : nil }
            fetch.items = state.items
            state.fetch = fetch
            state.schedule.began(at: effects.now)
            return (state.target, fetch)
        }
    }

    /// Cancels the requests, whose answers are then dropped, and closes the stream.
    func giveUp(_ reason: String, _ state: inout State, _ effects: inout Effects) {
        for fetch in [state.fetch, state.next].compactMap(\.self) {
            // A request that the refresher made by itself is repeated when it may be.
            if fetch.isOwn { state.schedule.request(at: effects.now, endsFinalRefusal: false) }
            effects.cancelled.append(fetch.task)
            let error = FlagError(.cancelled, provider: name, reason: reason, advice: "Call refresh() again")
            effects.answers.append((fetch.outcome, .failure(error)))
        }
        (state.fetch, state.next) = (nil, nil)
        closeStream(&state, &effects)
    }

    func finish(_ number: Int, _ result: FetchResult) {
        change { state, effects in
            guard let fetch = state.fetch, fetch.number == number else { return }
            (state.fetch, state.next) = (state.next, nil)
            let wasInTrouble = state.schedule.trouble != nil
            take(result, of: fetch, &state, &effects)
            if state.fetch != nil { startFetch(&state) }
            if wasInTrouble, state.schedule.trouble == nil {
                let limit = configuration.effectivePollInterval.map { $0 * 3 } ?? Backoff.longest
                state.stream.serverReturned(at: effects.now, limit: limit, random: effects.random)
            }
            wake(&state, &effects)
        }
    }

    func take(
        _ result: FetchResult, of fetch: Fetch, _ state: inout State, _ effects: inout Effects
    ) {
        let (interval, now, random) = (configuration.effectivePollInterval, effects.now, effects.random)
        var result = result
        if case .document(let document, _) = result, let reason = refusal(of: document, after: state) {
            result = .rejected(reason: reason, status: 200)
        } else if case .unchanged = result, let expires = fetch.current?.expires, expires <= effects.wall {
            // An attacker could answer 304 to keep the app at an old document.
            let date = expires.formatted(.iso8601)
            result = .rejected(
                reason: "the server has nothing newer than a document that expired at \(date)", status: 304)
        }
        switch result {
        case .document(let document, let warning):
            if let warning, !state.hasWarned { state.news.append(.note(warning)) }
            if warning != nil { state.hasWarned = true }
            state.schedule.succeeded(at: now, interval: interval, random: random)
            accept(document, fetch, &state, &effects)
        case .unchanged:
            state.schedule.succeeded(at: now, interval: interval, random: random)
            confirm(fetch, &state, &effects)
        case .rejected: state.schedule.rejected(at: now, interval: interval, random: random)
        case .failed(_, let retryAfter):
            state.schedule.failed(at: now, retryAfter: retryAfter, random: random)
            if let until = state.schedule.silentUntil {
                let date = date(of: until, at: now, effects.wall)
                state.news.append(.throttled(until: date))
                effects.writesCache = true
            }
        case .refused(_, let status):
            state.schedule.refused(at: now, isFinal: configuration.dialect.finalStatuses.contains(status))
        }
        state.lastError = result.error(provider: name)
        guard let error = state.lastError else {
            if state.items == fetch.items { state.items = [] }
            return
        }
        if case .rejected(let reason, let status) = result {
            state.news.append(.rejected(reason: reason, status: status))
        } else {
            state.news.append(.failed(error, attempt: state.schedule.attempt))
        }
        settle(&state, &effects)
        effects.answers.append((fetch.outcome, .failure(error)))
    }
}
