/// Values by key, up to a limit. A new value replaces the least recently used one.
struct RecentValues<Key: Hashable, Value> {
    private struct Entry {
        var key: Key
        var value: Value
        /// The places of the entries that were used next before and next after this one.
        var older: Int?
        var newer: Int?
    }

    private let limit: Int
    private var entries: [Entry] = []
    private var places: [Key: Int] = [:]
    private var oldest: Int?
    private var newest: Int?

    init(limit: Int) { self.limit = max(1, limit) }

    /// The number of values.
    var count: Int { entries.count }

    /// Returns the value for a key and marks it as the most recently used one.
    mutating func value(for key: Key) -> Value? {
        guard let place = places[key] else { return nil }
        unlink(place)
        link(place)
        return entries[place].value
    }

    /// Sets the value for a key.
    ///
    /// - Returns: The replaced value, which the caller releases after its locks.
    mutating func setValue(_ value: Value, for key: Key) -> Value? {
        var replaced: Value?
        let place: Int
        if let known = places[key] {
            place = known
            unlink(place)
            replaced = entries[place].value
            entries[place].value = value
        } else if entries.count >= limit, let oldest {
            place = oldest
            unlink(place)
            replaced = entries[place].value
            places[entries[place].key] = nil
            entries[place] = Entry(key: key, value: value)
        } else {
            place = entries.count
            entries.append(Entry(key: key, value: value))
        }
        places[key] = place
        link(place)
        return replaced
    }

    private mutating func unlink(_ place: Int) {
        let (older, newer) = (entries[place].older, entries[place].newer)
        if let older { entries[older].newer = newer } else { oldest = newer }
        if let newer { entries[newer].older = older } else { newest = older }
    }

    /// Makes an entry the newest. It must not be linked.
    private mutating func link(_ place: Int) {
        entries[place].older = newest
        entries[place].newer = nil
        if let newest { entries[newest].newer = place } else { oldest = place }
        newest = place
    }
}
