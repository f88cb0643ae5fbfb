public import Foundation
public import TacklineCore

// Foundation: `Date` is a time for people to read.

/// An action of a ``RemoteJSONProvider``, or something that happened to it.
///
/// Times are wall-clock times at the moment of the event, for people to read. The provider itself uses a clock that
/// can't be set.
public enum RemoteJSONEvent: Sendable, Equatable {
    /// There are values, from the cache or from the server. The first start sends it for values that were in force
    /// before.
    case ready(RemoteJSONSource)
    /// Other values are in force. `keys` are the keys whose value differs now; there is at least one. `revision` is
    /// `nil` if the document was withdrawn and the bootstrap, if any, took its place.
    case changed(keys: Set<FlagKeyPath>, revision: RemoteJSONRevision?, source: RemoteJSONSource)
    /// The server has no newer document.
    case unchanged
    /// An answer was not accepted. The values stay as they were.
    case rejected(reason: String, status: Int)
    /// A request failed. The values stay as they were. Attempts are counted from 1 since the last success. `retryAt` is
    /// `nil` while the provider is not running, because it does not try again by itself then.
    case failed(FlagError, attempt: Int, retryAt: Date?)
    /// The server asked for no requests before this date.
    case throttled(until: Date)
    /// The values have not been confirmed for ``RemoteJSONConfiguration/staleAfter``.
    case stale(since: Date)
    /// A new document waits for its activation.
    case staged(RemoteJSONRevision)
    /// A staged document is in force now.
    case activated(RemoteJSONRevision)
    /// The cache could not be written. The values are in force nevertheless.
    case cacheWriteFailed(FlagError)
    /// The wall clock is more than a day ahead of the server's clock, or behind it if the duration is negative. Sent
    /// only if documents are signed, since their expiry depends on the wall clock.
    case clockDiffers(by: Duration)
    /// The provider was suspended. It sends no request by itself until it is resumed.
    case suspended
    /// The provider was resumed.
    case resumed
    /// The provider was stopped. No event follows, unless it is started again, or ``RemoteJSONProvider/activate()``,
    /// ``RemoteJSONProvider/setURL(_:streamURL:keepingValues:)``, ``RemoteJSONProvider/setSubject(_:)`` or
    /// ``RemoteJSONProvider/signOut()`` changes values.
    case stopped
}

extension RemoteJSONEvent: CustomStringConvertible {
    /// A line for a log.
    public var description: String {
        switch self {
        case .ready(let source): "ready with \(source) values"
        case .changed(let keys, let revision, let source):
            "\(keys.count) values changed (\(source), \(revision?.description ?? "withdrawn")): \(Self.list(keys))"
        case .unchanged: "nothing new"
        case .rejected(let reason, let status): Self.oneLine("document rejected (status \(status)): \(reason)")
        case .failed(let error, let attempt, let retryAt):
            Self.oneLine("attempt \(attempt) failed: \(error.reason)") + Self.suffix("next at", retryAt)
        case .throttled(let until): "the server asked for no requests until \(Self.text(until))"
        case .stale(let since): "values not confirmed since \(Self.text(since))"
        case .staged(let revision): "\(revision) waits to be activated"
        case .activated(let revision): "\(revision) activated"
        case .cacheWriteFailed(let error): Self.oneLine("cache not written: \(error.reason)")
        case .clockDiffers(let lead): "the device's clock is \(ClockComparison.text(lead))"
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

    /// Returns the text as one line of at most 600 characters, since foreign text must not break or flood the log.
    static func oneLine(_ text: String) -> String {
        let cleaned = text.unicodeScalars.prefix(600).map { scalar in
            scalar.properties.generalCategory == .control || scalar.properties.generalCategory == .lineSeparator
                || scalar.properties.generalCategory == .paragraphSeparator ? " " : String(Character(scalar))
        }
        return cleaned.joined()
    }
}
