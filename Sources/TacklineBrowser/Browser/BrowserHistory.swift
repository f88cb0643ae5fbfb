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
    /// How many of them are of one flag.
    private var counts: [String: Int] = [:]

    /// The last changes, the newest first.
    func changes(limit: Int) -> [FlagsBrowserChange] { kept.suffix(max(limit, 0)).reversed() }

    /// Adds the newest change and numbers it. A flag that changes often pushes out its own changes, not those of others: of
    /// one flag a tenth of the limit is kept.
    mutating func add(_ change: UntypedFlagChange, of flag: FlagsBrowserFlag, at time: Date, limit: Int) {
        count += 1
        kept.append(
            FlagsBrowserChange(
                id: count, time: time, flag: flag.id, key: flag.key, old: FlagsBrowserValue(change.old),
                new: FlagsBrowserValue(change.new), source: change.source))
        counts[flag.id, default: 0] += 1
        if counts[flag.id, default: 0] > max(limit / 10, 1), let oldest = kept.firstIndex(where: { $0.flag == flag.id })
        {
            forget(oldest..<(oldest + 1))
        }
        // Not at each change, since what is behind moves up.
        if kept.count / 2 >= limit { forget(0..<(kept.count - limit)) }
    }

    private mutating func forget(_ range: Range<Int>) {
        for change in kept[range] { counts[change.flag, default: 1] -= 1 }
        kept.removeSubrange(range)
        if counts.count > 2 * kept.count { counts = counts.filter { $0.value > 0 } }
    }

    /// The number of the newest change, 0 if there is none.
    var newest: Int { count }

    /// Says who made the first changes of some flags behind a change: an edit makes one of each flag.
    ///
    /// - Returns: Whether there are any of which it was not known.
    mutating func attribute(to author: FlagsBrowserAuthor, flags: Set<String>, after number: Int) -> Bool {
        var isAny = false
        var rest = flags
        let first = kept.lastIndex { $0.id <= number }.map { $0 + 1 } ?? 0
        for index in kept.indices[first...] where rest.remove(kept[index].flag) != nil && kept[index].author == nil {
            kept[index].author = author
            isAny = true
        }
        return isAny
    }
}
