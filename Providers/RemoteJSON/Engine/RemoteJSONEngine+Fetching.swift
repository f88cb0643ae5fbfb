#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore

// Foundation: `Date` goes into events.

extension RemoteJSONEngine {
    /// Asks the server now, or joins the request that is on its way.
    func refresh() async throws(FlagProviderError) -> FlagRefreshOutcome {
        await loadCacheOnce()
        return try await wait(for: try join(isManual: true))
    }

    /// Returns the request on its way, or begins one. The caller counts as waiting for it.
    func join(isManual: Bool) throws(FlagProviderError) -> SharedFetch {
        let wallNow = configuration.wallClock()
        let answer: Result<SharedFetch, FlagProviderError> = update { state in
            let now = time.now
            if let refusal = refusal(state, now: now, wallNow: wallNow) { return .failure(refusal) }
            if let fetch = state.fetch {
                state.fetchWaiters += 1
                return .success(fetch)
            }
            var start = now
            if isManual {
                start = max(
                    now,
                    (state.lastManualFetch ?? now - .seconds(86400)) + configuration.minimumManualRefreshGap
                )
                state.lastManualFetch = start
            }
            let fetch = SharedFetch()
            state.fetch = fetch
            state.fetchWaiters = 1
            fetch.start { [start] in await self.perform(fetch, at: start) }
            return .success(fetch)
        }
        return try answer.get()
    }

    private func refusal(_ state: EngineState, now: Duration, wallNow: Date) -> FlagProviderError? {
        if state.life == .stopped {
            return error("stopped", "it was stopped", advice: "Call run() or start() before refresh()")
        }
        if state.isOffline {
            return error("offline", "it is switched offline", advice: "Call setOffline(false) before refresh()")
        }
        if let notBefore = state.schedule.notBefore, notBefore > now {
            let until = wallNow.adding(notBefore - now).formatted(.iso8601)
            return error(
                "throttled",
                "the server asked for silence until \(until)",
                advice: "Call refresh() after that"
            )
        }
        return nil
    }

    /// Waits for a request that ``join(isManual:)`` returned. The last one to leave ends it.
    func wait(for fetch: SharedFetch) async throws(FlagProviderError) -> FlagRefreshOutcome {
        let result = await fetch.outcome.wait()
        let isAbandoned = update { state in
            guard state.fetch === fetch else { return false }
            state.fetchWaiters -= 1
            guard state.fetchWaiters == 0, result == nil else { return false }
            state.fetch = nil
            return true
        }
        let cancelled = error(.cancelled, "the task that waited for a refresh was cancelled")
        if isAbandoned { fetch.cancel(cancelled) }
        return try (result ?? .failure(cancelled)).get()
    }

    /// Ends the request on its way, whose result is then dropped.
    func cancelFetch(_ reason: String) {
        let fetch = locked { state in
            defer { state.fetch = nil }
            return state.fetch
        }
        fetch?.cancel(error(.cancelled, reason))
    }

    private func perform(_ fetch: SharedFetch, at start: Duration) async {
        if start > time.now {
            guard (try? await time.sleep(until: start)) != nil else { return }
        }
        let question = update { state -> (url: URL, newest: RemoteDocument?)? in
            guard state.fetch === fetch else { return nil }
            state.schedule.began(at: time.now)
            return (state.url, state.newest)
        }
        guard let question else { return }
        let fetcher = DocumentFetcher(configuration: configuration, transport: transport, reader: reader)
        let result = await within(configuration.totalDeadline, on: time) {
            await fetcher.fetch(question.url, current: question.newest)
        }
        let late = "the answer was not complete within \(configuration.totalDeadline)"
        finish(fetch, with: result ?? .failed(reason: late, retryAfter: nil))
    }
}

extension Date {
    /// The date later by a duration.
    func adding(_ duration: Duration) -> Date {
        addingTimeInterval(duration / .seconds(1))
    }
}
