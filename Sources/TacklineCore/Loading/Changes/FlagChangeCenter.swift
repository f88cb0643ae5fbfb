import Synchronization

/// A loader's trackers and the consumers of what they find.
final class FlagChangeCenter: Sendable {
    /// What whoever looks at events works with. One at a time has it.
    struct Trackers: Sendable {
        var chain: FlagChain
        var byOrdinal: [Int: FlagTracker] = [:]
        /// Those of computed flags, which are looked at after every event.
        var computed: [Int] = []
    }

    private struct State {
        /// `nil` while somebody looks at events.
        var trackers: Trackers?
        var flagConsumers: [Int: [WeakConsumer]] = [:]
        var referenceConsumers: [WeakConsumer] = []
    }

    private struct WeakConsumer {
        weak var consumer: FlagChangeBuffer?
    }

    private let state = Mutex(State(trackers: Trackers(chain: FlagChain(links: []))))

    // MARK: Trackers

    /// Takes the trackers; `nil` if somebody else has them.
    func take() -> Trackers? {
        state.withLock { state in
            defer { state.trackers = nil }
            return state.trackers
        }
    }

    func putBack(_ trackers: Trackers) {
        state.withLock { $0.trackers = trackers }
    }

    /// Forgets what is known of flags and providers, since nobody follows them any more.
    ///
    /// Whoever looks at events at the moment keeps it until the next time.
    func forget() {
        let forgotten = state.withLock { state -> Trackers? in
            guard let trackers = state.trackers else { return nil }
            state.trackers = Trackers(chain: FlagChain(links: []))
            return trackers
        }
        // Providers that left the chain may go now, outside of the lock.
        withExtendedLifetime(forgotten) {}
    }

    // MARK: Consumers

    func add(_ consumer: FlagChangeBuffer, forFlag ordinal: Int) {
        state.withLock { $0.flagConsumers[ordinal, default: []].append(WeakConsumer(consumer: consumer)) }
    }

    func add(_ consumer: FlagChangeBuffer) {
        state.withLock { $0.referenceConsumers.append(WeakConsumer(consumer: consumer)) }
    }

    /// The consumers of one flag's changes.
    func consumers(ofFlag ordinal: Int) -> [FlagChangeBuffer] {
        state.withLock { state in
            guard let consumers = state.flagConsumers[ordinal] else { return [] }
            let living = consumers.compactMap { $0.consumer }
            if living.count < consumers.count {
                state.flagConsumers[ordinal] = living.isEmpty ? nil : living.map { WeakConsumer(consumer: $0) }
            }
            return living
        }
    }

    /// The consumers of the changes of all flags.
    var referenceConsumers: [FlagChangeBuffer] {
        state.withLock { state in
            let living = state.referenceConsumers.compactMap { $0.consumer }
            if living.count < state.referenceConsumers.count {
                state.referenceConsumers = living.map { WeakConsumer(consumer: $0) }
            }
            return living
        }
    }
}
