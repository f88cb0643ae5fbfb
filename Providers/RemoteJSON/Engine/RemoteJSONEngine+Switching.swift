#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Synchronization
import TacklineCore

// Foundation: `URL` is what is switched.

extension RemoteJSONEngine {
    func suspend() {
        let didChange = update { state in
            guard !state.isSuspended else { return false }
            state.isSuspended = true
            events.send(.suspended)
            return true
        }
        guard didChange else { return }
        cancelFetch("the provider was suspended")
        wakeLoops()
    }

    /// Goes on, with one request at once if the values are old enough to deserve it.
    func resume() {
        update { state in
            guard state.isSuspended else { return }
            state.isSuspended = false
            events.send(.resumed)
            let now = time.now
            let isOld = state.validatedAt.map { now - $0 >= configuration.foregroundRefreshAge } ?? true
            if isOld { state.schedule.trigger(at: now) }
        }
        wakeLoops()
    }

    func setOffline(_ isOffline: Bool) {
        let didChange = update { state in
            guard state.isOffline != isOffline else { return false }
            state.isOffline = isOffline
            if !isOffline { state.schedule.trigger(at: time.now) }
            return true
        }
        guard didChange else { return }
        if isOffline { cancelFetch("the provider was switched offline") }
        wakeLoops()
    }

    /// Turns to another URL. What is in force stays in force until a document from there was accepted, or goes at once.
    func setURL(_ url: URL, keepsValues: Bool) {
        let fetch = commit {
            guard locked({ $0.url != url }) else { return nil as SharedFetch? }
            // A swap that was on its way is over, or finds its fetch gone.
            if !keepsValues { withdrawWhileCommitting() }
            return locked { state in
                state.url = url
                state.newest = nil
                state.staged = nil
                state.schedule = RefreshSchedule(now: time.now, retryTimes: configuration.retryTimes)
                state.cacheLoading = nil
                state.isCacheLoaded = false
                defer { state.fetch = nil }
                return state.fetch
            }
        }
        fetch?.cancel(error(.cancelled, "the provider turned to another URL"))
        wakeLoops()
    }

    /// Puts the staged document in force.
    ///
    /// - Returns: `false` if there is none.
    func activate() -> Bool {
        let moment = moment
        let document = commit {
            let staged = locked { state in
                defer { state.staged = nil }
                return state.staged
            }
            guard let staged else { return nil as RemoteDocument? }
            let changes = staged.content.activate()
            locked { state in
                state.active = staged
                state.source = .fresh
                state.isStaleAnnounced = false
                state.validatedAt = moment.now
                state.validatedDate = moment.wall
                events.send(.activated(staged.revision))
                let keys = Set(changes.map(\.key))
                if !keys.isEmpty { events.send(.changed(keys: keys, revision: staged.revision, source: .fresh)) }
            }
            becomeReady()
            return staged
        }
        guard document != nil else { return false }
        saveCache(at: moment)
        return true
    }

    private func wakeLoops() {
        pollWakeup.signal()
        streamWakeup.signal()
    }
}
