/// What trackers need while events are looked at, and what they found.
final class FlagTrackingContext {
    /// What the events still to be looked at say about a key.
    enum NextChange {
        /// Nothing: what the provider holds now is what it holds as of the present event.
        case none
        /// The key changed later, from this value.
        case exact(EncodedFlagValue?)
        /// The key may have changed later.
        case uncertain
    }

    let loaded: LoadedFlags
    var chain: FlagChain
    /// The events of the present batch that are still to be looked at.
    var rest: ArraySlice<FlagChangeQueue.Event> = []
    /// The changes in their order that were not handed out yet.
    private var changes: [TrackedFlagChange] = []
    /// The flags that changed or may have.
    private(set) var touched: Set<Int> = []

    init(_ loaded: LoadedFlags, chain: FlagChain) {
        self.loaded = loaded
        self.chain = chain
    }

    /// Notes a change.
    func note(_ change: TrackedFlagChange) {
        changes.append(change)
        touched.insert(change.ordinal)
    }

    /// Takes what was noted since the last time.
    func takeChanges() -> [TrackedFlagChange] {
        defer { changes = [] }
        return changes
    }

    /// Notes that a flag may have changed and changed back.
    func touch(_ ordinal: Int) {
        touched.insert(ordinal)
    }

    /// Looks ahead. Call it after asking the provider: what it told by then has been enqueued by then.
    func nextChange(of key: FlagKeyPath, link: UInt64) -> NextChange {
        if let next = FlagTrackingContext.nextChange(of: key, link: link, in: rest) { return next }
        let queue = loaded.invalidator.queue
        return queue.peek { FlagTrackingContext.nextChange(of: key, link: link, in: $0[...]) } ?? .none
    }

    private static func nextChange(
        of key: FlagKeyPath, link: UInt64, in events: ArraySlice<FlagChangeQueue.Event>
    ) -> NextChange? {
        for event in events {
            switch event {
            case .gap: return .uncertain
            case .notice(link, .reset): return .uncertain
            case .notice(link, .changed(let changes)):
                if let change = changes.first(where: { $0.key == key }) { return .exact(change.old) }
                if changes.contains(where: { $0.key.isPrefix(of: key) || key.isPrefix(of: $0.key) }) {
                    return .uncertain
                }
            default: continue
            }
        }
        return nil
    }
}
