public import Foundation

// Foundation: `Date` is a time for people to read.

/// The freshness of the values of a ``RemoteJSONProvider``, and its current activity.
public struct RemoteJSONState: Sendable, Hashable, CustomStringConvertible {
    /// The freshness of the values.
    public enum Readiness: String, Sendable, Hashable {
        /// The provider was not started.
        case idle
        /// The cache is being read.
        case loadingCache = "loading the cache"
        /// The cache had no values, and no document has arrived.
        case waiting
        /// The values come from the cache, and the server has not confirmed them.
        case cached
        /// The server sent or confirmed the values within ``RemoteJSONConfiguration/staleAfter``.
        case fresh
        /// The server has not confirmed the values for ``RemoteJSONConfiguration/staleAfter``.
        case stale
    }

    /// The activity of a provider.
    public enum Activity: Sendable, Hashable {
        /// The provider waits for its next poll or a call.
        case resting
        /// A request is being made.
        case fetching
        /// The last attempt failed. The next one is made at this date.
        case backingOff(until: Date)
        /// The server asked for no requests before this date.
        case throttled(until: Date)
        /// The server refused with this status. The URL or the authorization needs a correction.
        case misconfigured(status: Int)
        /// ``RemoteJSONProvider/suspend()`` was called, or the app is in the background.
        case suspended
        /// ``RemoteJSONProvider/setOffline(_:)`` switched the provider offline.
        case offline
        /// The last run has ended, by ``RemoteJSONProvider/stop()`` or a cancellation.
        case stopped
    }

    /// The freshness of the values.
    public var readiness: Readiness
    /// The current activity of the provider.
    public var activity: Activity

    /// Readiness and activity, for people to read.
    public var description: String { "\(readiness.rawValue), \(activity)" }
}

/// The origin of the values in force.
public enum RemoteJSONSource: String, Sendable, Hashable, CustomStringConvertible {
    /// The cache on disk. The server has not confirmed the values.
    case cached
    /// The server, or the cache after the server has confirmed its document.
    case fresh

    /// The name of the case: `cached` or `fresh`.
    public var description: String { rawValue }
}
