/// The recent changes, the newest first.
struct BrowserHistory: Sendable {
    private(set) var changes: [FlagsBrowserChange] = []
    private var count = 0

    /// Adds changes in the order in which they happened, and numbers them.
    mutating func add(_ records: [FlagsBrowserChange], limit: Int) {
        for var record in records.suffix(max(limit, 0)) {
            count += 1
            record.id = count
            changes.insert(record, at: 0)
        }
        if changes.count > limit { changes.removeLast(changes.count - max(limit, 0)) }
    }
}
