/// A tracker of a flag of any type.
protocol FlagTracking: Sendable {
    var isComputed: Bool { get }
    /// Takes over what a provider told.
    mutating func take(_ answer: EncodedFlagValue?, fromLink index: Int, _ context: FlagTrackingContext)
    /// Asks one provider.
    mutating func ask(link index: Int, _ context: FlagTrackingContext)
    /// Asks all providers.
    mutating func ask(_ context: FlagTrackingContext)
    /// Asks the providers that cannot tell changes.
    mutating func askUnobserved(_ context: FlagTrackingContext)
    /// Notes a change if the value differs from the last one.
    mutating func conclude(_ context: FlagTrackingContext)
    /// Hands the noted changes out.
    ///
    /// - Returns: Whether there were any, or could have been.
    mutating func flush(_ consumers: [any FlagChangePublishing]) -> Bool
}

/// A buffer for changes of any type.
protocol FlagChangePublishing: AnyObject, Sendable {}
extension FlagChangeBuffer: FlagChangePublishing {}

/// What trackers need while events are looked at.
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
    let hasReferenceConsumers: Bool
    /// The events of the present batch that are still to be looked at.
    var rest: ArraySlice<FlagChangeQueue.Event> = []
    var referenceChanges: [FlagReferenceChange] = []

    init(_ loaded: LoadedFlags, chain: FlagChain, hasReferenceConsumers: Bool) {
        self.loaded = loaded
        self.chain = chain
        self.hasReferenceConsumers = hasReferenceConsumers
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
