#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: `Date` says when, to people.

/// How current the values of a ``RemoteJSONProvider`` are, and what it is doing.
public struct RemoteJSONState: Sendable, Hashable, CustomStringConvertible {
    /// How current the values are.
    public enum Readiness: String, Sendable, Hashable {
        /// Nothing was started yet.
        case idle
        /// The cache is being read.
        case loadingCache = "loading the cache"
        /// There was nothing in the cache, and no document has come yet.
        case waiting
        /// Values from the cache, not yet confirmed by the server.
        case cached
        /// Values that the server has given or confirmed not long ago.
        case fresh
        /// Values that the server has not confirmed for ``RemoteJSONConfiguration/staleAfter``.
        case stale
    }

    /// What the provider is doing.
    public enum Activity: Sendable, Hashable {
        /// It waits for its next turn, or to be asked.
        case resting
        /// A request is on its way.
        case fetching
        /// The last attempt failed; the next is made at this date.
        case backingOff(until: Date)
        /// The server asked for silence until then.
        case throttled(until: Date)
        /// The server refused with this status: address or authorization need to be corrected.
        case misconfigured(status: Int)
        /// ``RemoteJSONProvider/suspend()`` was called, or the app is in the background.
        case suspended
        /// The application wants no requests.
        case offline
        /// The last run has ended, by ``RemoteJSONProvider/stop()`` or a cancellation.
        case stopped
    }

    /// How current the values are.
    public var readiness: Readiness
    /// What the provider is doing.
    public var activity: Activity

    /// Readiness and activity, for people to read.
    public var description: String { "\(readiness.rawValue), \(activity)" }
}

/// Where the values in force come from.
public enum RemoteJSONSource: String, Sendable, Hashable, CustomStringConvertible {
    /// From the cache on disk, not yet confirmed by the server.
    case cached
    /// From the server, or from the cache and confirmed by the server.
    case fresh

    /// The name of the case: `cached` or `fresh`.
    public var description: String { rawValue }
}
