#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Synchronization
import TacklineCore

// Foundation: `Date` goes into events and the cache.

/// The moment of a result, on both clocks, with a random number: drawn before the lock is taken, since a test or an
/// application may have supplied them.
struct Moment {
    let now: Duration
    let wall: Date
    let random: Double

    func wall(at instant: Duration) -> Date { wall.adding(instant - now) }
}

extension RemoteJSONEngine {
    var moment: Moment {
        Moment(now: time.now, wall: configuration.wallClock(), random: configuration.randomNumber())
    }

    /// Takes the result of a request into account, unless the request was given up meanwhile.
    func finish(_ fetch: SharedFetch, with result: FetchResult) {
        let moment = moment
        let outcome: Result<FlagRefreshOutcome, FlagProviderError>
        switch result {
        case .document(let document, let warning):
            outcome = accept(document, warning: warning, for: fetch, at: moment)
        case .unchanged:
            outcome = confirm(fetch, at: moment)
        case .rejected(let reason, let status):
            let error = error(.rejected, "the document was rejected: \(reason)", advice: "Correct it on the server")
            outcome = fail(fetch, error, at: moment) { state, events in
                let interval = self.configuration.effectivePollInterval
                state.schedule.rejected(at: moment.now, interval: interval, random: moment.random)
                events.send(.rejected(reason: reason, status: status))
            }
        case .failed(let reason, let retryAfter):
            outcome = fail(fetch, error(.network, reason), at: moment) { state, events in
                state.schedule.failed(at: moment.now, retryAfter: retryAfter, random: moment.random)
                self.announceFailure(self.error(.network, reason), state, events, moment)
                if let until = state.schedule.notBefore { events.send(.throttled(until: moment.wall(at: until))) }
            }
            if retryAfter != nil { saveCache(at: moment) }
        case .misconfigured(let status):
            let advice = "Check the URL and the authorization"
            let error = error("misconfigured", "the server answered with status \(status)", advice: advice)
            outcome = fail(fetch, error, at: moment) { state, events in
                state.schedule.misconfigured(status: status, at: moment.now)
                self.announceFailure(error, state, events, moment)
            }
        }
        fetch.outcome.resolve(outcome)
        pollWakeup.signal()
    }

    private func announceFailure(
        _ error: FlagProviderError,
        _ state: EngineState,
        _ events: EventBroadcaster,
        _ moment: Moment
    ) {
        let isRetried = state.life == .running
        let retryAt = isRetried ? state.schedule.due.map { moment.wall(at: $0) } : nil
        events.send(.failed(error, attempt: state.schedule.attempt, retryAt: retryAt))
    }

    private var superseded: FlagProviderError {
        error(.cancelled, "the request was given up before its answer came")
    }

    private func fail(
        _ fetch: SharedFetch,
        _ error: FlagProviderError,
        at moment: Moment,
        _ note: (inout EngineState, EventBroadcaster) -> Void
    ) -> Result<FlagRefreshOutcome, FlagProviderError> {
        update { state in
            guard state.fetch === fetch else { return .failure(superseded) }
            state.fetch = nil
            state.lastError = error
            note(&state, events)
            return .failure(error)
        }
    }

    /// The server has nothing newer than ``EngineState/newest``.
    private func confirm(
        _ fetch: SharedFetch,
        at moment: Moment
    ) -> Result<FlagRefreshOutcome, FlagProviderError> {
        let result: Result<FlagRefreshOutcome, FlagProviderError> = update { state in
            guard state.fetch === fetch else { return .failure(superseded) }
            noteSuccess(&state, at: moment)
            // The values were withdrawn while the server confirmed them: ask again, for all of them.
            if state.newest == nil { state.schedule.trigger(at: moment.now) }
            state.fetch = nil
            events.send(.unchanged)
            return .success(.unchanged)
        }
        if case .success = result {
            if update({ $0.active != nil }) { becomeReady() }
            saveCache(at: moment)
        }
        return result
    }

    /// Swaps the values, writes the cache, and only then remembers the tag, so that no failure in between can make the
    /// server believe that we have what we do not have.
    private func accept(
        _ document: RemoteDocument,
        warning: String?,
        for fetch: SharedFetch,
        at moment: Moment
    ) -> Result<FlagRefreshOutcome, FlagProviderError> {
        var outcome = FlagRefreshOutcome.staged
        let isCurrent = commit {
            guard locked({ $0.fetch === fetch }) else { return false }
            if configuration.activation == .immediate {
                let changes = document.content.activate()
                outcome = changes.isEmpty ? .unchanged : .changed(Set(changes.map(\.key)))
            }
            return true
        }
        guard isCurrent else { return .failure(superseded) }
        let result: Result<FlagRefreshOutcome, FlagProviderError> = update { state in
            guard state.fetch === fetch else { return .failure(superseded) }
            if let warning, !state.hasWarned {
                state.hasWarned = true
                events.warn(warning)
            }
            if configuration.activation == .immediate {
                state.active = document
                noteSuccess(&state, at: moment)
            }
            return .success(outcome)
        }
        guard case .success = result else { return result }
        announce(outcome, document)
        saveCache(document, at: moment)
        update { state in
            guard state.fetch === fetch else { return }
            noteSuccess(&state, at: moment)
            state.newest = document
            state.staged = configuration.activation == .immediate ? nil : document
            state.fetchedDate = moment.wall
            state.fetch = nil
        }
        if configuration.activation == .immediate { becomeReady() }
        return result
    }

    private func announce(_ outcome: FlagRefreshOutcome, _ document: RemoteDocument) {
        update { _ in
            switch outcome {
            case .changed(let keys): events.send(.changed(keys: keys, revision: document.revision, source: .fresh))
            case .unchanged: events.send(.unchanged)
            case .staged: events.send(.staged(document.revision))
            }
        }
    }

    /// Notes that the server was reached, and that what we have of it is right.
    private func noteSuccess(_ state: inout EngineState, at moment: Moment) {
        let interval = configuration.effectivePollInterval
        state.schedule.succeeded(at: moment.now, interval: interval, random: moment.random)
        state.lastError = nil
        guard state.active != nil else { return }
        state.validatedAt = moment.now
        state.validatedDate = moment.wall
        if state.source != .fresh || state.isStaleAnnounced { events.send(.ready(.fresh)) }
        state.source = .fresh
        state.isStaleAnnounced = false
    }
}
