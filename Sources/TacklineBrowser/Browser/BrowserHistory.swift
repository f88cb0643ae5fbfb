import TacklineCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: the moment of a change.

/// The recent changes.
struct BrowserHistory: Sendable {
    /// The oldest first.
    private var kept: [FlagsBrowserChange] = []
    private var count = 0

    /// The last changes, the newest first.
    func changes(limit: Int) -> [FlagsBrowserChange] { kept.suffix(max(limit, 0)).reversed() }

    /// Adds the newest change and numbers it.
    mutating func add(_ change: FlagReferenceChange, of flag: FlagsBrowserFlag, at time: Date, limit: Int) {
        count += 1
        kept.append(
            FlagsBrowserChange(
                id: count, time: time, flag: flag.id, key: flag.key, old: FlagsBrowserValue(change.old),
                new: FlagsBrowserValue(change.new), source: change.source))
        // Not at each change, since what is behind moves up.
        if kept.count / 2 >= limit { kept.removeFirst(kept.count - limit) }
    }
}
