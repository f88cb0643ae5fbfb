#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: `Date` says when, to people.

/// What a ``RemoteJSONProvider`` has and what it does.
public struct RemoteJSONState: Sendable, Hashable, CustomStringConvertible {
    /// What it has.
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
        /// Values that the server has not confirmed for longer than promised.
        case stale
    }

    /// What it does.
    public enum Activity: Sendable, Hashable {
        /// It waits for its next turn, or to be asked.
        case resting
        /// A request is on its way.
        case fetching
        /// The last attempt failed. The next is made then.
        case backingOff(until: Date)
        /// The server asked for silence until then.
        case throttled(until: Date)
        /// The server refused with this status: address or authorization need to be corrected.
        case misconfigured(status: Int)
        /// The app is in the background.
        case suspended
        /// The application wants no requests.
        case offline
        /// ``RemoteJSONProvider/run()`` has ended.
        case stopped
    }

    /// What it has.
    public var readiness: Readiness
    /// What it does.
    public var activity: Activity

    /// Both, for people.
    public var description: String { "\(readiness.rawValue), \(activity)" }
}
