import Foundation
import TacklineCore

/// A content of a provider for one subject.
struct LaunchContent: Codable, Hashable, Sendable {
    /// The id of the provider.
    var provider: String
    /// The hash of the subject, or `nil` if there is none.
    var subject: UInt64?
    /// The fingerprint, or `nil` for all contents of the provider.
    var fingerprint: UInt64?

    func isOfSource(of other: Self) -> Bool { (provider, subject) == (other.provider, other.subject) }
}

/// A launch, as its notes have it.
struct Launch: Codable, Sendable {
    /// The content that it tries again.
    var trial: LaunchContent?
    /// The contents that it has used.
    var contents: [LaunchContent] = []
    var isHealthy = false
}

/// The record of an executable's launches, which decides what is held back. It does no input or output.
///
/// - The contents that ``LaunchGuard/Options/deathLimit`` early deaths in a row have used are held back. While anything is
///   held back, those of one early death are. If this happens to two contents of one provider and subject, the provider is
///   held back whole until a launch is healthy.
/// - One launch at a time tries a content again, after an hour, and after each death twice as late, up to a day. Such a
///   death concerns no other content. What a healthy launch has used is free.
/// - Two early deaths in a row that have used nothing release everything. Then the guard rests until a launch is healthy, but
///   at most for as many deaths as it takes to hold anything back: if a fatal content arrives then, no launch is healthy.
struct LaunchRecord: Codable, Equatable, Sendable {
    struct HeldBack: Codable, Equatable, Sendable {
        var content: LaunchContent
        var since: Date
        /// Whether others were held back before.
        var isLater: Bool
        /// The time of the last death in a trial, or ``since``.
        var tried: Date
        /// The time until the next trial, in seconds.
        var delay: TimeInterval = 3600
    }

    /// The maximum number of contents that a launch notes, and of those that are held back.
    static let contentLimit = 256

    /// The number of early deaths in a row while nothing is held back, and what they have used. Below 0 the guard rests.
    private var deaths = 0
    private var suspects: [LaunchContent] = []
    private var lastHasUsedNothing = false
    var heldBack: [HeldBack] = []

    static func read(_ bytes: [UInt8]) throws -> Self { try JSONDecoder().decode(Self.self, from: Data(bytes)) }

    /// Judges a launch that is over, and returns an issue if contents are now held back or released.
    mutating func judge(_ launch: Launch, limit: Int, now: Date) -> FlagError? {
        let (limit, used) = (min(max(limit, 1), 100), launch.contents)
        let trial = heldBack.firstIndex { $0.content == launch.trial }
        // Others come first now, also if the content was not there to be used.
        if let trial { heldBack[trial].tried = now }
        if launch.isHealthy {
            (deaths, suspects, lastHasUsedNothing) = (0, [], false)
            heldBack.removeAll { held in
                // The content of a trial is gone if its provider has used another one.
                held.content.fingerprint == nil || used.contains(held.content)
                    || held.content == launch.trial && used.contains { $0.isOfSource(of: held.content) }
            }
            return nil
        }
        defer { lastHasUsedNothing = used.isEmpty }
        if used.isEmpty, lastHasUsedNothing { return rest(limit) }
        if heldBack.isEmpty {
            deaths &+= 1
            if deaths > 0 { suspects = (suspects + used).suffix(Self.contentLimit) }
            return deaths >= limit ? holdBack(suspects, deaths: limit, now: now) : nil
        }
        if let trial, used.contains(heldBack[trial].content) {
            heldBack[trial].delay = min(heldBack[trial].delay * 2, 24 * 3600)
            return nil
        }
        let later = heldBack.filter(\.isLater).map(\.content)
        let second = used.filter { new in later.contains(where: new.isOfSource) }
        return holdBack(used + second.map { LaunchContent(provider: $0.provider) }, deaths: 1, now: now)
    }

    private mutating func holdBack(_ contents: [LaunchContent], deaths: Int, now: Date) -> FlagError? {
        let old = heldBack.count
        for content in contents where !heldBack.contains(where: { $0.content == content }) {
            heldBack.append(HeldBack(content: content, since: now, isLater: old > 0, tried: now))
        }
        let new = heldBack[old...].map(\.content.provider)
        heldBack = heldBack.suffix(Self.contentLimit)
        (self.deaths, suspects) = (0, [])
        let names = Set(new).sorted().map { "\"\($0)\"" }.joined(separator: ", ")
        let message = """
            \(deaths == 1 ? "A launch" : "\(deaths) launches in a row") died soon after the start. What was read of \(names) \
            is held back now, and other providers and the defaults answer. Correct it at its source, or release it. It is \
            tried again after an hour.
            """
        return new.isEmpty ? nil : FlagError("held-back-contents", message, provider: new.first)
    }

    private mutating func rest(_ limit: Int) -> FlagError? {
        let isNews = !heldBack.isEmpty || deaths >= 0
        release()
        deaths = -limit
        let message = """
            Launches die soon after their start although they have read nothing of a guarded provider: flags are not the \
            cause. Nothing is held back any more. Look for another cause.
            """
        return isNews ? FlagError("released-contents", message) : nil
    }

    /// Releases the contents of a provider, or of all.
    mutating func release(_ provider: String? = nil) {
        heldBack.removeAll { provider == nil || $0.content.provider == provider }
        if heldBack.isEmpty { (deaths, suspects) = (0, []) }
    }

    /// Returns the content to try again now, or `nil` if it is the time of none.
    func trial(at now: Date) -> LaunchContent? {
        let whole = heldBack.filter { $0.content.fingerprint == nil }.map(\.content.provider)
        // A clock that was set back doesn't put a trial off.
        let due = heldBack.filter {
            abs(now.timeIntervalSince($0.tried)) >= $0.delay && !whole.contains($0.content.provider)
        }
        return due.min { $0.tried < $1.tried }?.content
    }

    /// Returns since when a content is held back, or `nil` if it may be used.
    func heldBackSince(_ content: LaunchContent) -> Date? {
        heldBack.first { [content, LaunchContent(provider: content.provider)].contains($0.content) }?.since
    }
}
