import Foundation
import TacklineCore

// Foundation: `Codable` in JSON, and dates.

/// A content of a provider for one subject.
struct LaunchContent: Codable, Hashable, Sendable {
    /// The id of the provider.
    var provider: String
    /// The hash of the subject, or 0 if there is none.
    var subject: UInt64
    var fingerprint: UInt64

    init(provider: String, subject: String?, fingerprint: UInt64) {
        (self.provider, self.fingerprint) = (provider, fingerprint)
        self.subject = subject.flatMap { FlagDocument(["subject": .string($0)]).fingerprint } ?? 0
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
struct LaunchRecord: Codable, Equatable {
    /// A content that is held back.
    struct HeldBack: Codable, Equatable {
        var content: LaunchContent
        var since: Date
        /// The time until the next trial, in seconds.
        var delay: TimeInterval = hour
        var nextTrial: Date
    }

    /// The notes of a launch.
    struct Launch {
        var id: String
        var contents: [LaunchContent]
        /// The content that the launch tried again.
        var trial: LaunchContent?
        var isHealthy: Bool
    }

    /// A decision about contents.
    enum Verdict {
        case heldBack([LaunchContent], deaths: Int)
        /// Deaths that noted nothing have another cause.
        case released([LaunchContent])

        var issue: FlagError {
            func list(_ contents: [LaunchContent]) -> String {
                let names = Set(contents.map(\.provider)).sorted().map { "\"\($0)\"" }
                return "\(names.count == 1 ? "provider" : "providers") \(names.joined(separator: ", "))"
            }
            switch self {
            case .heldBack(let contents, let deaths):
                let message = """
                    \(deaths == 1 ? "A launch" : "\(deaths) launches in a row") died soon after the start. What was read of \
                    \(list(contents)) is held back now, and other providers and the defaults answer. Correct it at its \
                    source, or release it. It is tried again after an hour.
                    """
                return FlagError(.heldBackContents, message, provider: contents.first?.provider)
            case .released(let contents):
                let freed = contents.isEmpty ? "" : " What was held back of \(list(contents)) is released."
                let message = """
                    Launches die soon after their start although they have read nothing of a guarded provider: flags are \
                    not the cause.\(freed) Look for another cause.
                    """
                return FlagError(.releasedContents, message, provider: contents.first?.provider)
            }
        }
    }

    /// The maximum number of contents that a launch notes, and of those that are held back.
    static let contentLimit = 256
    private static let hour: TimeInterval = 3600

    /// The launch that was judged last.
    private var judged = ""
    /// The contents of the young deaths in a row, while nothing is held back.
    private var deaths: [[LaunchContent]] = []
    /// The number of young deaths in a row that noted nothing.
    private var deathsWithoutContents = 0
    /// Whether everything was released since the last healthy launch.
    private var isResting = false
    private(set) var heldBack: [HeldBack] = []
    /// The contents that caused a death while something was held back.
    private var blamed: [LaunchContent] = []
    /// The providers that are held back whole.
    private(set) var heldBackProviders: Set<String> = []

    /// Judges a launch that is over and has left notes.
    mutating func judge(_ launch: Launch, limit: Int, now: Date) -> Verdict? {
        guard launch.id != judged else { return nil }
        judged = launch.id
        if launch.isHealthy {
            settle(Set(launch.contents))
            return nil
        }
        deathsWithoutContents = launch.contents.isEmpty ? deathsWithoutContents + 1 : 0
        if deathsWithoutContents == 2 {
            let released = heldBack.map(\.content)
            release { _ in true }
            defer { isResting = true }
            return isResting && released.isEmpty ? nil : .released(released)
        }
        guard !heldBack.isEmpty else {
            deaths.append(launch.contents)
            let limit = isResting ? limit * 2 : limit
            guard deaths.count >= limit else { return nil }
            defer { deaths = [] }
            return holdBack(deaths.flatMap(\.self), deaths: limit, now: now)
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
        (deaths, deathsWithoutContents, isResting, heldBackProviders) = ([], 0, false, [])
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
        if heldBack.isEmpty { (deaths, deathsWithoutContents, blamed) = ([], 0, []) }
    }
}
