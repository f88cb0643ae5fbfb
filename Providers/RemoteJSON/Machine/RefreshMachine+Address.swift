import Foundation
import TacklineCore

// Foundation: `URL` is the address of documents.

/// The URL of documents, and the subject to whom they belong.
struct RemoteAddress: Sendable, Equatable {
    var url: URL
    /// The identity of the user, if the URL doesn't contain it.
    var subject: String?

    /// Returns whether the subjects have the same bytes: two users can have names that `String` takes for equal.
    func hasSameSubject(as other: RemoteAddress) -> Bool {
        subject.map { EncodedFlagValue.string($0) } == other.subject.map { EncodedFlagValue.string($0) }
    }

    static func == (left: RemoteAddress, right: RemoteAddress) -> Bool {
        left.url == right.url && left.hasSameSubject(as: right)
    }
}

/// A change of a provider's address.
struct RemoteAddressChange: Sendable {
    /// The fate of the values from the former address.
    enum FormerValues: Sendable {
        /// They stay in force until there are new values, unless they belong to another subject.
        case kept
        case dropped
        /// They are dropped and removed from the cache, even if the address stays the same.
        case forgotten
    }

    /// The new URL, or `nil` for the same as before.
    var url: URL?
    /// The new subject, or `nil` for the same as before.
    var subject: String??
    /// The new URL of the stream, or `nil` for the same as before.
    var streamURL: URL?
    var former = FormerValues.dropped
    /// Whether a caller waits for the answer from the new address.
    var isAwaited = false
    /// The content of the new address's cache, or `nil` if it was not read.
    var cached: (address: RemoteAddress, document: CachedDocument?)?

    func applied(to address: RemoteAddress) -> RemoteAddress {
        RemoteAddress(url: url ?? address.url, subject: subject ?? address.subject)
    }
}

extension RefreshMachine {
    mutating func turn(_ change: RemoteAddressChange) {
        let (old, new) = (address, change.applied(to: address))
        let streamURL = change.streamURL ?? (rules.findsStream && new != old ? nil : self.streamURL)
        let isChange = new != old || change.former == .forgotten
        guard isChange || streamURL != self.streamURL else { return ignore("it was turned to the address that it has") }
        disconnect()
        connection = StreamConnection()
        self.streamURL = streamURL
        guard isChange else { return emit(.warn("turned to another stream")) }
        giveUp("the provider turned to another URL or subject")
        if let host = old.url.host() { silences[host] = schedule.silence }
        schedule = RefreshSchedule(now: now, retryTimes: rules.retryTimes)
        schedule.silence = new.url.host().flatMap { silences.removeValue(forKey: $0) }
        address = new
        wantsWhole = false
        lastAsked = nil
        lastError = nil
        documents.newest = nil
        documents.isStaged = false
        history = DocumentHistory()
        announcement = nil
        emit(.warn("turned to another \(new.url == old.url ? "subject" : "URL")"))
        if change.former == .forgotten { emit(.writeCache(.removal(old))) }
        // The cache is not read again for the same address, since its values were removed.
        cache = new == old ? .read : .unread
        let isOther = change.former != .kept || !new.hasSameSubject(as: old)
        if cache == .unread, let cached = change.cached, cached.address == new {
            cache = .reading
            takeCached(cached.document, of: new, isOtherSubject: isOther)
        }
        // The former values are withdrawn, unless the new address's cached values have replaced them in this step.
        if isOther, documents.newest == nil { withdraw(isOtherSubject: true) }
    }
}
