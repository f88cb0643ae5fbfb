import Foundation

// Foundation: `Codable` in JSON, and dates.

/// A content of a provider for one subject.
struct LaunchContent: Codable, Hashable, Sendable {
    /// The id of the provider.
    var provider: String
    /// The hash of the subject, in hexadecimal digits.
    var subject: String
    /// The fingerprint, in hexadecimal digits.
    var fingerprint: String

    /// The FNV-1a hash of a text.
    static func hash(_ text: String) -> UInt64 {
        text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
    }
}

/// The record of an executable's launches, which decides what is held back. It does no input or output.
///
/// - The contents that were noted in ``LaunchGuard/Options/deathLimit`` young deaths in a row are held back. While
///   anything is held back, the contents of one young death are.
/// - What is held back is tried again by one launch at a time, after an hour, and after each death twice as late, up to a
///   day. A death in a trial is blamed on the content that was tried, if it was noted.
/// - A healthy launch frees the contents that it noted.
/// - A provider of which two contents of one subject caused a death while something was held back is held back whole,
///   until a launch is healthy.
/// - Two young deaths in a row that noted nothing release everything. Until a launch is healthy, it takes twice as many
///   deaths to hold anything back again.
struct LaunchRecord: Codable, Equatable, Sendable {
    /// A content that is held back.
    struct HeldBack: Codable, Equatable, Sendable {
        var content: LaunchContent
        var since: Date
        /// The time until the next trial, in seconds.
        var delay: TimeInterval = hour
        var nextTrial: Date
    }

    /// The notes of a launch.
    struct Launch: Equatable, Sendable {
        var id: String
        var contents: [LaunchContent] = []
        /// The content that the launch tried again.
        var trial: LaunchContent?
        var isHealthy = false
    }

    /// A decision about contents.
    enum Verdict: Equatable {
        case heldBack([LaunchContent], deaths: Int)
        /// Deaths that noted nothing have another cause.
        case released([LaunchContent])
    }

    /// The maximum number of contents that a launch notes, and of those that are held back.
    static let contentLimit = 256
    private static let hour: TimeInterval = 3600

    /// The launch that was judged last.
    var judged = ""
    /// The contents of the young deaths in a row, while nothing is held back.
    private(set) var deaths: [[LaunchContent]] = []
    /// The number of young deaths in a row that noted nothing.
    private(set) var deathsWithoutContents = 0
    /// Whether everything was released since the last healthy launch.
    private(set) var isResting = false
    private(set) var heldBack: [HeldBack] = []
    /// The contents that caused a death while something was held back.
    private(set) var blamed: [LaunchContent] = []
    /// The providers that are held back whole.
    private(set) var heldBackProviders: Set<String> = []

    /// Judges a launch that is over and that left launch.
    mutating func judge(_ launch: Launch, limit: Int, now: Date) -> Verdict? {
        guard launch.id != judged else { return nil }
        judged = launch.id
        if launch.isHealthy {
            settle(Set(launch.contents))
            return nil
        }
        return judgeDeath(launch, limit: isResting ? limit * 2 : limit, now: now)
    }

    private mutating func judgeDeath(_ launch: Launch, limit: Int, now: Date) -> Verdict? {
        deathsWithoutContents = launch.contents.isEmpty ? deathsWithoutContents + 1 : 0
        if deathsWithoutContents == 2 {
            let released = heldBack.map(\.content)
            release { _ in true }
            defer { isResting = true }
            return isResting && released.isEmpty ? nil : .released(released)
        }
        guard !heldBack.isEmpty else {
            deaths.append(launch.contents)
            guard deaths.count >= limit else { return nil }
            let contents = deaths.flatMap(\.self)
            deaths = []
            return holdBack(contents, deaths: limit, now: now)
        }
        if let trial = launch.trial, launch.contents.contains(trial),
            let index = heldBack.firstIndex(where: { $0.content == trial })
        {
            heldBack[index].delay = min(heldBack[index].delay * 2, 24 * Self.hour)
            heldBack[index].nextTrial = now + heldBack[index].delay
            return nil
        }
        for content in launch.contents where !blamed.contains(content) {
            if blamed.contains(where: { $0.provider == content.provider && $0.subject == content.subject }) {
                heldBackProviders.insert(content.provider)
            }
            blamed.append(content)
        }
        blamed.removeFirst(max(0, blamed.count - Self.contentLimit))
        return holdBack(launch.contents, deaths: 1, now: now)
    }

    private mutating func holdBack(_ contents: [LaunchContent], deaths: Int, now: Date) -> Verdict? {
        var new: [LaunchContent] = []
        for content in contents where !heldBack.contains(where: { $0.content == content }) {
            new.append(content)
            heldBack.append(HeldBack(content: content, since: now, nextTrial: now + Self.hour))
        }
        heldBack.removeFirst(max(0, heldBack.count - Self.contentLimit))
        return new.isEmpty ? nil : .heldBack(new, deaths: deaths)
    }

    /// Takes over what a healthy launch noted.
    mutating func settle(_ contents: Set<LaunchContent>) {
        deaths = []
        deathsWithoutContents = 0
        isResting = false
        heldBackProviders = []
        release { contents.contains($0) }
    }

    /// Returns the content to try again now, or `nil` if it is the time of none.
    func trial(at now: Date) -> LaunchContent? {
        heldBack.filter { held in
            // A clock that was set back doesn't put a trial off.
            (held.nextTrial <= now || held.nextTrial > now + held.delay)
                && !heldBackProviders.contains(held.content.provider)
        }.min { $0.nextTrial < $1.nextTrial }?.content
    }

    mutating func release(where shouldBeReleased: (LaunchContent) -> Bool) {
        heldBack.removeAll { shouldBeReleased($0.content) }
        heldBackProviders = heldBackProviders.filter { id in heldBack.contains { $0.content.provider == id } }
        guard heldBack.isEmpty else { return }
        (deaths, deathsWithoutContents, blamed) = ([], 0, [])
    }
}
