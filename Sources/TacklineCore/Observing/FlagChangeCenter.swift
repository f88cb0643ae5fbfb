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

    /// Puts the trackers back, or forgets them if nobody follows flags any more.
    func putBack(_ trackers: Trackers, _ queue: FlagChangeQueue) {
        state.withLock { state in
            state.trackers = queue.isUnfollowed ? Trackers(chain: FlagChain(links: [])) : trackers
        }
    }

    /// Forgets what is known of flags and providers if nobody follows them any more.
    ///
    /// Whoever looks at events at the moment forgets it instead. The queue is asked under the lock: another consumer
    /// may have come since the last one went, and what it knows must stay.
    func forget(_ queue: FlagChangeQueue) {
        let forgotten = state.withLock { state -> Trackers? in
            guard let trackers = state.trackers, queue.isUnfollowed else { return nil }
            state.trackers = Trackers(chain: FlagChain(links: []))
            return trackers
        }
        // Providers that left the chain may go now, outside of the lock.
        withExtendedLifetime(forgotten) {}
    }

    // MARK: Consumers

    /// Gives a consumer what is handed out from now on.
    func add(_ consumer: FlagChangeConsumer) {
        guard let buffer = consumer.buffer else { return }
        // Kept until the lock is let go: the last one to let go of a consumer lets go of its values.
        let living = state.withLock { state in
            switch consumer.place {
            case .flag(let ordinal): Self.add(buffer, to: &state.flagConsumers[ordinal, default: []])
            case .all: Self.add(buffer, to: &state.referenceConsumers)
            }
        }
        withExtendedLifetime(living) {}
    }

    /// Adds a consumer, and forgets those that have gone whenever the number of all comes to a power of two: without
    /// changes nobody else does.
    private static func add(_ buffer: FlagChangeBuffer, to consumers: inout [WeakConsumer]) -> [FlagChangeBuffer] {
        var living: [FlagChangeBuffer] = []
        if consumers.count >= 16, consumers.count & (consumers.count - 1) == 0 {
            living = consumers.compactMap { $0.consumer }
            consumers = living.map { WeakConsumer(consumer: $0) }
        }
        consumers.append(WeakConsumer(consumer: buffer))
        return living
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
