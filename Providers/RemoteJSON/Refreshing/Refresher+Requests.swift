import Foundation
package import TacklineCore
import TacklineSigning

// Foundation: `URL` and `Date` belong to requests.

/// The requests of a refresher, and what comes of them.
extension Refresher {
    /// Asks the server, as ``RemoteJSONProvider/refresh()`` does.
    @discardableResult
    package func refresh() async throws(FlagError) -> FlagRefreshOutcome {
        let fetch = change { state, effects in join(&state, effects) }
        return try await outcome(of: fetch.get())
    }

    /// Adds a waiting caller to an unsent request, or to a new one.
    func join(_ state: inout State, _ effects: Effects) -> Result<Fetch, FlagError> {
        if let refusal = refusal(state, effects) { return .failure(refusal) }
        if state.fetches.last?.isSent ?? true { addFetch(at: effects.now, &state) }
        state.fetches[state.fetches.count - 1].waiters += 1
        return .success(state.fetches[state.fetches.count - 1])
    }

    func outcome(of fetch: Fetch) async throws(FlagError) -> FlagRefreshOutcome {
        if let result = await fetch.outcome.wait() { return try result.get() }
        change { state, effects in
            guard let index = state.fetches.firstIndex(where: { $0.number == fetch.number }) else { return }
            state.fetches[index].waiters -= 1
            guard state.fetches[index].waiters == 0, !state.fetches[index].isOwn else { return }
            effects.cancel(state.fetches[index].task)
            remove(index, &state, &effects)
        }
        throw FlagError(
            .cancelled, provider: name, reason: "the task that waited for the answer was cancelled",
            advice: "Ask again in a task that is not cancelled")
    }

    /// The reason why requests are refused at present; `nil` if they are not.
    private func refusal(_ state: borrowing State, _ effects: Effects) -> FlagError? {
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

    func addFetch(isOwn: Bool = false, at now: Duration, _ state: inout State) {
        let earliest = max(now, state.lastAsked.map { $0 + configuration.minimumRefreshGap } ?? now)
        if !isOwn { state.lastAsked = earliest }
        state.lastNumber += 1
        state.fetches.append(Fetch(number: state.lastNumber, earliest: isOwn ? now : earliest, isOwn: isOwn))
        if state.fetches.count == 1 { startFetch(&state) }
    }

    private func startFetch(_ state: inout State) {
        guard let fetch = state.fetches.first else { return }
        state.fetches[0].task = Task<Void, Never> { [self] in
            if fetch.earliest > clock.now { try? await clock.sleep(until: fetch.earliest) }
            guard let (target, fetch) = send(fetch.number) else { return }
            finish(fetch, await fetcher.fetch(target, items: fetch.items, current: fetch.current?.validators))
        }
    }

    /// Removes a request, and starts the next one.
    private func remove(_ index: Int, _ state: inout State, _ effects: inout Effects) {
        state.fetches.remove(at: index)
        if index == 0 { startFetch(&state) }
        wake(&state, &effects)
    }

    /// Notes that a request is sent now, unless it was given up or is refused.
    private func send(_ number: Int) -> (RemoteTarget, Fetch)? {
        change { state, effects in
            guard var fetch = state.fetches.first, fetch.number == number else { return nil }
            if let refusal = refusal(state, effects) {
                effects.answer(fetch, .failure(refusal))
                remove(0, &state, &effects)
                return nil
            }
            fetch.isSent = true
            // After a pause of the stream, missed events are unknown, so the request has no conditions.
            fetch.current = state.wantsWhole ? nil : state.newest.flatMap { $0.isForTarget ? $0.document : nil }
            fetch.items = state.items
            state.fetches[0] = fetch
            state.schedule.began(at: effects.now)
            return (state.target, fetch)
        }
    }

    /// Cancels the requests, whose answers are then dropped, and closes the stream.
    func giveUp(_ reason: String, _ state: inout State, _ effects: inout Effects) {
        let error = FlagError(.cancelled, provider: name, reason: reason, advice: "Call refresh() again")
        for fetch in state.fetches {
            // A request that the refresher made by itself is repeated when it may be.
            if fetch.isOwn { state.schedule.request(at: effects.now, endsFinalRefusal: false) }
            effects.cancel(fetch.task)
            effects.answer(fetch, .failure(error))
        }
        state.fetches = []
        closeStream(&state, &effects)
        wake(&state, &effects)
    }

    // MARK: Answers

    private func finish(_ fetch: Fetch, _ result: FetchResult) {
        change { state, effects in
            guard state.fetches.first?.number == fetch.number else { return }
            let wasInTrouble = state.schedule.trouble != nil
            take(judged(result, of: fetch, state, effects), of: fetch, &state, &effects)
            remove(0, &state, &effects)
            if wasInTrouble, state.schedule.trouble == nil {
                let limit = configuration.effectivePollInterval.map { $0 * 3 } ?? Backoff.longest
                state.stream.serverReturned(at: effects.now, limit: limit, random: effects.random)
            }
        }
    }

    /// Returns the result, or a rejection because of earlier documents or of time.
    private func judged(
        _ result: FetchResult, of fetch: Fetch, _ state: borrowing State, _ effects: Effects
    ) -> FetchResult {
        if case .document(let document, _) = result, let reason = refusal(of: document, after: state) {
            return .rejected(reason: reason, status: 200)
        }
        guard case .unchanged = result, let expires = fetch.current?.terms.expires, expires <= effects.wall else {
            return result
        }
        // An attacker could answer 304 to keep the app at an old document.
        let date = expires.formatted(.iso8601)
        return .rejected(reason: "the server has nothing newer than a document that expired at \(date)", status: 304)
    }

    private func take(_ result: FetchResult, of fetch: Fetch, _ state: inout State, _ effects: inout Effects) {
        let (interval, now, random) = (configuration.effectivePollInterval, effects.now, effects.random)
        let error = result.error(provider: name)
        state.lastError = error
        effects.others.append { [issues] in issues.take(error) }
        switch result {
        case .document(let document, let warning):
            if let warning, !state.hasWarned { state.news.append(.note(warning)) }
            if warning != nil { state.hasWarned = true }
            state.schedule.succeeded(at: now, interval: interval, random: random)
            accept(document, fetch, &state, &effects)
        case .unchanged:
            state.schedule.succeeded(at: now, interval: interval, random: random)
            confirm(fetch, &state, &effects)
        case .rejected(let reason, let status):
            // A repetition would bring the same answer, so the next request is at the usual time.
            state.schedule.succeeded(at: now, interval: interval ?? Backoff.longest, random: random)
            state.news.append(.rejected(reason: reason, status: status))
        case .failed(_, let retryAfter):
            state.schedule.failed(at: now, retryAfter: retryAfter, random: random)
            if let until = state.schedule.silentUntil {
                state.news.append(.throttled(until: date(of: until, at: now, effects.wall)))
                effects.writesCache = true
            }
        case .refused(_, let status):
            state.schedule.refused(at: now, isFinal: configuration.dialect.finalStatuses.contains(status))
        }
        guard let error else {
            if state.items == fetch.items { state.items = [] }
            return
        }
        if error.code != .rejected { state.news.append(.failed(error, attempt: state.schedule.attempt)) }
        effects.answer(fetch, .failure(error))
    }

    private func accept(_ document: RemoteDocument, _ fetch: Fetch, _ state: inout State, _ effects: inout Effects) {
        let held = Held(document: document, source: .fresh, confirmedAt: effects.now)
        state.wantsWhole = false
        if let version = document.version {
            let signer = state.version?.signer.flatMap { document.signers.contains($0) ? $0 : nil }
            state.version = (version, signer ?? document.signers.first, document)
        }
        if configuration.isEvaluating, document.stream != state.streamURL {
            closeStream(&state, &effects)
            (state.stream, state.lastEventID, state.streamURL) = (StreamSchedule(), nil, document.stream)
        }
        effects.writesCache = true
        guard configuration.activation == .immediate else {
            state.staged = held
            state.news.append(.staged(document.revision))
            return effects.answer(fetch, .success(.staged))
        }
        put(held, &state, &effects)
        effects.swap?.asked = fetch.outcome
    }

    /// Handles an answer without a newer document than the one whose validators were sent.
    private func confirm(_ fetch: Fetch, _ state: inout State, _ effects: inout Effects) {
        var isKnown = false
        for path in [\State.active, \.staged] {
            guard var held = state[keyPath: path], held.document === fetch.current else { continue }
            if path == \.active, held.source == .cached || state.isStaleReported { state.news.append(.ready(.fresh)) }
            (held.source, held.confirmedAt) = (.fresh, effects.now)
            state[keyPath: path] = held
            isKnown = true
        }
        if isKnown {
            state.isStaleReported = false
            effects.writesCache = true
        } else {
            // The document was withdrawn during the request, so the whole document is requested.
            state.schedule.request(at: effects.now)
        }
        state.news.append(.unchanged)
        effects.answer(fetch, .success(.unchanged))
    }

    // MARK: In force

    package func activate() -> Bool {
        change { state, effects in
            guard let staged = state.staged else { return false }
            state.staged = nil
            guard effects.now - staged.confirmedAt < RemoteJSONProvider.Configuration.timeToLive else { return false }
            state.news.append(.activated(staged.document.revision))
            put(staged, &state, &effects)
            effects.writesCache = true
            return true
        }
    }

    /// Puts a document in force.
    func put(_ held: Held, _ state: inout State, _ effects: inout Effects) {
        if held.source == .cached || state.active?.source != .fresh || state.isStaleReported {
            state.news.append(.ready(held.source))
        }
        (state.active, state.isStaleReported) = (held, false)
        effects.swap = (held.document, effects.swap?.isOtherSubject ?? false, nil)
    }

    /// Withdraws the active document, so that the values are those of the bootstrap.
    func withdraw(isOtherSubject: Bool = false, _ state: inout State, _ effects: inout Effects) {
        (state.active, state.isStaleReported) = (nil, false)
        effects.swap = (nil, isOtherSubject, nil)
    }

    /// Returns the reason why a document must not be accepted after earlier ones; `nil` if it may be. Of signed documents
    /// only those by the same key are compared, so a document by another trusted key begins anew.
    func refusal(of document: RemoteDocument, after state: borrowing State) -> String? {
        guard let last = state.version else { return nil }
        guard let version = document.version else {
            return "it has no $version, and the last one had \(last.number); add one"
        }
        if let signer = last.signer, !document.signers.contains(signer) { return nil }
        if version < last.number {
            return "its $version \(version) is older than \(last.number), which was accepted before; raise it"
        }
        guard version == last.number, last.signer != nil, let known = last.document, known.payload != document.payload
        else { return nil }
        return "its $version \(version) is that of another document, which was accepted before; raise it"
    }
}
