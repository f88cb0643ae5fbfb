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

    /// The number of the newest change, 0 if there is none.
    var newest: Int { count }

    /// Says who made the changes of some flags behind a change.
    ///
    /// - Returns: Whether there are any.
    mutating func attribute(to author: FlagsBrowserAuthor, flags: Set<String>, after number: Int) -> Bool {
        var isAny = false
        for index in kept.indices.reversed() {
            guard kept[index].id > number else { break }
            guard flags.contains(kept[index].flag) else { continue }
            kept[index].author = author
            isAny = true
        }
        return isAny
    }
}
