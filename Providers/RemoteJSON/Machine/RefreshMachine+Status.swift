import Foundation
import TacklineCore

// Foundation: `Date` is a time for people to read.

extension RefreshMachine {
    /// Returns the provider's health.
    func status(at now: Duration) -> FlagProviderStatus {
        if case .misconfigured? = schedule.trouble, let lastError { return .failed(lastError) }
        guard let active = documents.active else { return lastError.map { .failed($0) } ?? .notReady }
        let age = now - active.confirmedAt
        return age >= rules.staleAfter ? .stale(age: age) : .ready
    }

    /// Returns the freshness of the values and the provider's activity.
    func state(at moment: Moment) -> RemoteJSONState {
        RemoteJSONState(readiness: readiness(at: moment.now), activity: activity(at: moment))
    }

    private func readiness(at now: Duration) -> RemoteJSONState.Readiness {
        guard let active = documents.active else {
            return switch cache {
            case .unread: .idle
            case .reading: .loadingCache
            case .read: life == .idle && lastAsked == nil ? .idle : .waiting
            }
        }
        if now - active.confirmedAt >= rules.staleAfter { return .stale }
        return documents.source == .cached ? .cached : .fresh
    }

    private func activity(at moment: Moment) -> RemoteJSONState.Activity {
        if life == .stopped { return .stopped }
        if isOffline { return .offline }
        if isSuspended { return .suspended }
        if request != nil { return .fetching }
        if let silence = schedule.silence, silence.until > moment.now {
            return .throttled(until: moment.date(of: silence.until))
        }
        switch schedule.trouble {
        case nil: return .resting
        case .misconfigured(let status, _): return .misconfigured(status: status)
        case .passing: return .backingOff(until: moment.date(of: schedule.due ?? moment.now))
        }
    }
}
