#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore

// Foundation: `URL` and `Date` belong to requests and events.

/// Everything that an engine knows, guarded by its one lock.
struct EngineState: Sendable {
    enum Life: Sendable { case idle, running, stopped }

    var url: URL
    var life = Life.idle
    var isSuspended = false
    var isOffline = false
    var schedule: RefreshSchedule

    /// Reads the cache; made by the first who needs it. `isCacheLoaded` is set by it.
    var cacheLoading: Task<Void, Never>?
    var isCacheLoaded = false

    /// The request on its way, and how many wait for it.
    var fetch: SharedFetch?
    var fetchWaiters = 0
    /// When the last request began that somebody asked for by hand.
    var lastManualFetch: Duration?

    /// The document that was accepted last: in force, staged, or in the cache for the next start.
    var newest: RemoteDocument?
    /// The newest document if it waits to be activated.
    var staged: RemoteDocument?
    /// The document whose values are in force, and where from.
    var active: RemoteDocument?
    var source: RemoteJSONSource?
    /// When the server gave or confirmed the values in force, on the provider's clock, and on the wall.
    var validatedAt: Duration?
    var validatedDate: Date?
    var fetchedDate: Date?
    var isStaleAnnounced = false
    var lastError: FlagProviderError?
    var hasWarned = false

    init(url: URL, now: Duration, retryTimes: RemoteJSONRetryTimes) {
        self.url = url
        schedule = RefreshSchedule(now: now, retryTimes: retryTimes)
    }
}
