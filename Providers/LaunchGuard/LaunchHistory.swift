import TacklineCore

/// What is known of the launches of an app: decides what is quarantined, and does no input or output.
///
/// A launch begins, is told the values that come into force while it is young, and then settles (it is healthy), ends in good
/// order, or dies. Values are told apart by a fingerprint for each provider; that of no values is empty. The law:
///
/// - A launch that died counts against a provider if the values which it had last were others than those of the last healthy
///   launch, and not empty. So a death under values that were healthy once is nobody's fault.
/// - Deaths that count are counted in a row, whichever the new values were; a healthy launch ends the row. At the limit the
///   values in force are quarantined: they are held back whenever they come, and others are not.
/// - A launch that dies although values are held back counts against the quarantine. At the limit nothing is held back any
///   more, and all counts begin anew: it was not the flags. So values are held back for no more launches in vain than it took
///   to suspect them.
struct LaunchHistory: Codable, FlagValue, Hashable {
    /// A launch that is young.
    struct Launch: Codable, Hashable {
        var id: String
        /// The values in force, by provider.
        var values: [String: String] = [:]
        /// The values that were held back, by provider.
        var held: [String: String] = [:]
    }

    /// What was decided.
    enum Verdict: Hashable {
        case quarantined(provider: String, values: String, deaths: Int)
        case released(provider: String)
    }

    /// How many values may be quarantined for a provider, and how many launches be young at once; the oldest go.
    static let maximumEntries = 8

    /// The values of the last healthy launch, by provider.
    private(set) var healthy: [String: String] = [:]
    private(set) var launches: [Launch] = []
    /// How many launches in a row have died under new values, by provider.
    private(set) var deaths: [String: Int] = [:]
    /// The values that are held back, by provider, the oldest first.
    private(set) var quarantined: [String: [String]] = [:]
    /// How many launches in a row have died although something was held back.
    private(set) var deathsInQuarantine = 0

    init() {}

    /// Begins a launch.
    ///
    /// - Parameters:
    ///   - id: Its name, which no other has.
    ///   - dead: Which of ``launches`` are known to have died, before they were healthy and without an end.
    ///   - limit: How many deaths in a row are too many.
    mutating func begin(_ id: String, dead: Set<String>, limit: Int) -> [Verdict] {
        var verdicts: [Verdict] = []
        for launch in launches where dead.contains(launch.id) { verdicts += judge(launch, limit: max(limit, 1)) }
        launches.removeAll { dead.contains($0.id) }
        launches.append(Launch(id: id))
        if launches.count > Self.maximumEntries { launches.removeFirst() }
        return verdicts
    }

    private mutating func judge(_ launch: Launch, limit: Int) -> [Verdict] {
        if !launch.held.isEmpty {
            deathsInQuarantine += 1
            if deathsInQuarantine >= limit {
                let released = quarantined.keys.sorted().map { Verdict.released(provider: $0) }
                releaseAll()
                return released
            }
        }
        var verdicts: [Verdict] = []
        for (provider, values) in launch.values.sorted(by: { $0.key < $1.key })
        where !values.isEmpty && values != healthy[provider] {
            let count = deaths[provider, default: 0] + 1
            deaths[provider] = count
            guard count >= limit else { continue }
            deaths[provider] = nil
            quarantined[provider, default: []].append(values)
            if quarantined[provider, default: []].count > Self.maximumEntries { quarantined[provider]?.removeFirst() }
            verdicts.append(.quarantined(provider: provider, values: values, deaths: count))
        }
        return verdicts
    }

    /// Whether values are held back.
    func isQuarantined(_ values: String, of provider: String) -> Bool {
        quarantined[provider]?.contains(values) == true
    }

    /// Notes the values that come into force in a launch, before they do.
    mutating func note(_ values: String, of provider: String, in id: String) {
        change(id) {
            $0.values[provider] = values
            $0.held[provider] = nil
        }
    }

    /// Notes that values are held back in a launch.
    mutating func noteHeld(_ values: String, of provider: String, in id: String) {
        change(id) { $0.held[provider] = values }
    }

    private mutating func change(_ id: String, _ body: (inout Launch) -> Void) {
        guard let index = launches.firstIndex(where: { $0.id == id }) else { return }
        body(&launches[index])
    }

    /// Ends the youth of a launch: it is healthy.
    mutating func settle(_ id: String) {
        guard let launch = launches.first(where: { $0.id == id }) else { return }
        end(id)
        deathsInQuarantine = 0
        for (provider, values) in launch.values {
            healthy[provider] = values
            deaths[provider] = nil
            quarantined[provider]?.removeAll { $0 == values }
            if quarantined[provider]?.isEmpty == true { quarantined[provider] = nil }
        }
    }

    /// Ends a launch that was neither healthy nor died: the app was closed in good order.
    mutating func end(_ id: String) {
        launches.removeAll { $0.id == id }
    }

    /// Holds nothing back any more, and counts anew.
    mutating func releaseAll() {
        quarantined = [:]
        deaths = [:]
        deathsInQuarantine = 0
    }
}
