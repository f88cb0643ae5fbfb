#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore

// Foundation: `Date` says when, to people.

extension RemoteJSONEngine {
    var status: FlagProviderStatus {
        update { state in
            if case .misconfigured? = state.schedule.trouble, let error = state.lastError { return .failed(error) }
            if let validatedAt = state.validatedAt {
                let age = time.now - validatedAt
                return age >= configuration.effectiveStaleAfter ? .stale(age: age) : .ready
            }
            return state.lastError.map { .failed($0) } ?? .notReady
        }
    }

    var publicState: RemoteJSONState {
        let moment = moment
        return update { state in
            RemoteJSONState(readiness: readiness(state, moment), activity: activity(state, moment))
        }
    }

    private func readiness(_ state: EngineState, _ moment: Moment) -> RemoteJSONState.Readiness {
        guard let validatedAt = state.validatedAt else {
            if state.cacheLoading == nil { return .idle }
            return state.isCacheLoaded ? .waiting : .loadingCache
        }
        if moment.now - validatedAt >= configuration.effectiveStaleAfter { return .stale }
        return state.source == .cached ? .cached : .fresh
    }

    private func activity(_ state: EngineState, _ moment: Moment) -> RemoteJSONState.Activity {
        if state.life == .stopped { return .stopped }
        if state.isOffline { return .offline }
        if state.isSuspended { return .suspended }
        if state.fetch != nil { return .fetching }
        if let notBefore = state.schedule.notBefore, notBefore > moment.now {
            return .throttled(until: moment.wall(at: notBefore))
        }
        switch state.schedule.trouble {
        case nil: return .resting
        case .misconfigured(let status, _): return .misconfigured(status: status)
        case .passing: return .backingOff(until: moment.wall(at: state.schedule.due ?? moment.now))
        }
    }
}
