import TacklineCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: the moment of a change.

/// The recent changes of a browser's flags.
struct BrowserHistory: Sendable {
    /// The changes, oldest first.
    private var kept: [FlagsBrowserChange] = []
    private var count = 0
    /// The number of kept changes by flag id.
    private var counts: [String: Int] = [:]

    /// Returns the last changes, newest first.
    func changes(limit: Int) -> [FlagsBrowserChange] { kept.suffix(max(limit, 0)).reversed() }

    /// Adds and numbers the newest change. At most a tenth of the limit is kept for one flag, so that a flag that
    /// changes often displaces its own changes and not those of others.
    mutating func add(_ change: FlagChangeQueue.Change, of flag: FlagsBrowserFlag, at time: Date, limit: Int) {
        count += 1
        func shown(_ value: FlagChangeQueue.Seen) -> FlagsBrowserValue {
            FlagsBrowserValue(value.encoded ?? .null, isSecret: flag.metadata.isSecret)
        }
        kept.append(
            FlagsBrowserChange(
                id: count, time: time, flag: flag.id, key: flag.key, old: shown(change.old), new: shown(change.new),
                source: change.source))
        counts[flag.id, default: 0] += 1
        if counts[flag.id, default: 0] > max(limit / 10, 1), let oldest = kept.firstIndex(where: { $0.flag == flag.id })
        {
            forget(oldest..<(oldest + 1))
        }
        // Not done at each change, because removal moves all later elements.
        if kept.count / 2 >= limit { forget(0..<(kept.count - limit)) }
    }

    private mutating func forget(_ range: Range<Int>) {
        for change in kept[range] { counts[change.flag, default: 1] -= 1 }
        kept.removeSubrange(range)
        if counts.count > 2 * kept.count { counts = counts.filter { $0.value > 0 } }
    }

    /// The number of the newest change, 0 if there is none.
    var newest: Int { count }

    /// Sets the author of the first change after `number` of each flag in `flags`, because an edit causes one change of
    /// each flag.
    ///
    /// - Returns: Whether a change without an author was found.
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
