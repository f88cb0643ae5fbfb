#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore

// Foundation: `Date` says when, to people.

/// What a ``RemoteJSONProvider`` has done or met.
///
/// Times are by the clock on the wall at the moment of the event, for people to read; the provider itself goes by a
/// clock that nobody can set.
public enum RemoteJSONEvent: Sendable, Equatable {
    /// There are values: from the cache, or from the server.
    case ready(RemoteJSONSource)
    /// Other values are in force. The keys are those whose value differs now; there is at least one. The revision is `nil`
    /// where the document was withdrawn and the bootstrap, if any, took its place.
    case changed(keys: Set<FlagKeyPath>, revision: RemoteJSONRevision?, source: RemoteJSONSource)
    /// The server has nothing new.
    case unchanged
    /// An answer was not accepted; everything stays as it was.
    case rejected(reason: String, status: Int)
    /// A request failed; everything stays as it was. Attempts are counted from 1 since the last success;
    /// `retryAt` is `nil` while the provider is not running, since it does not try again by itself then.
    case failed(FlagProviderError, attempt: Int, retryAt: Date?)
    /// The server asked for no requests before this date.
    case throttled(until: Date)
    /// The values have not been confirmed for too long.
    case stale(since: Date)
    /// A new document waits for its activation.
    case staged(RemoteJSONRevision)
    /// A document that had waited is in force now.
    case activated(RemoteJSONRevision)
    /// The document could not be kept on disk. The values are in force nevertheless.
    case cacheWriteFailed(FlagProviderError)
    /// The clock on the wall is more than a day ahead of the server's, or behind it where this is negative. Told where documents
    /// are signed, since their expiry goes by that clock.
    case clockDiffers(by: Duration)
    /// Nothing is asked for until the app resumes.
    case suspended
    /// Work goes on.
    case resumed
    /// The provider was stopped. Nothing follows, unless it is started again, or ``RemoteJSONProvider/activate()`` or
    /// ``RemoteJSONProvider/setURL(_:streamURL:keepingValues:)`` changes values.
    case stopped
}

extension RemoteJSONEvent: CustomStringConvertible {
    /// One line for a log.
    public var description: String {
        switch self {
        case .ready(let source): "ready with \(source) values"
        case .changed(let keys, let revision, let source):
            "\(keys.count) values changed (\(source), \(revision?.description ?? "withdrawn")): \(Self.list(keys))"
        case .unchanged: "nothing new"
        case .rejected(let reason, let status): Self.oneLine("document rejected (status \(status)): \(reason)")
        case .failed(let error, let attempt, let retryAt):
            Self.oneLine("attempt \(attempt) failed: \(error.reason)") + Self.suffix("next at", retryAt)
        case .throttled(let until): "the server asked for silence until \(Self.text(until))"
        case .stale(let since): "values not confirmed since \(Self.text(since))"
        case .staged(let revision): "\(revision) waits to be activated"
        case .activated(let revision): "\(revision) activated"
        case .cacheWriteFailed(let error): Self.oneLine("cache not written: \(error.reason)")
        case .clockDiffers(let lead): "the clock on the wall is \(ClockComparison.text(lead))"
        case .suspended: "suspended"
        case .resumed: "resumed"
        case .stopped: "stopped"
        }
    }

    private static func list(_ keys: Set<FlagKeyPath>) -> String {
        let names = keys.map(\.text).sorted().prefix(5).map { String($0.prefix(80)) }
        return oneLine(names.joined(separator: ", ") + (keys.count > 5 ? ", …" : ""))
    }

    private static func suffix(_ words: String, _ date: Date?) -> String {
        date.map { ", \(words) \(text($0))" } ?? ""
    }

    private static func text(_ date: Date) -> String {
        date.formatted(.iso8601)
    }

    /// What others wrote must neither break the line nor flood the log.
    static func oneLine(_ text: String) -> String {
        let cleaned = text.unicodeScalars.prefix(600).map { scalar in
            scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .lineSeparator
                || scalar.properties.generalCategory == .paragraphSeparator ? " " : String(Character(scalar))
        }
        return cleaned.joined()
    }
}
