import Synchronization

/// What happened to the flags of a loader, in the order in which it happened, until somebody looks at it.
///
/// The invalidator fills it under the locks of providers. It therefore only counts, enqueues and wakes, runs no code of
/// anybody else's, and holds nothing whose end could. Without listeners it costs a notice a fence and a load.
final class FlagChangeQueue: Sendable {
    /// Something that may have changed values.
    enum Event: Sendable {
        /// A provider told this; `link` is the number of its link in the chain.
        case notice(link: UInt64, FlagProviderNotice)
        /// The default of a flag changed, or a write went to a provider that cannot tell changes.
        case flag(Int)
        /// The chain changed, or anything else that concerns every flag.
        case everything
        /// Nobody listened until here, so what is known of the flags is out of date.
        case restart
        /// These flags are followed from here on, and for whom: ``FlagChangeConsumer``.
        case attach([Int], FlagChangeConsumer?)
        /// Events were dropped here, because nobody had looked at ``FlagChangeQueue/limit`` of them.
        case gap
    }

    /// Which events wake a consumer.
    enum Interest: Sendable {
        case flag(Int)
        case any
    }

    private struct State {
        var events: [Event] = []
        /// How many consumers want events kept; those of `values` do not.
        var followers = 0
        /// Whether events are looked at without anybody asking: for Observation.
        var isPrompt = false
        var isDrainScheduled = false
        var owner: FlagOwnerReference?
        var flagSignals: [Int: [FlagSignal]] = [:]
        var anySignals: [FlagSignal] = []

        /// Whether nobody wants events.
        var isUnfollowed: Bool { followers == 0 && !isPrompt }

        /// Drops what nobody looked at in time. Those who are to follow flags from here on stay.
        mutating func dropEvents() {
            events.removeAll { event in
                switch event {
                case .restart, .attach: false
                case .notice, .flag, .everything, .gap: true
                }
            }
            events.append(.gap)
        }

        /// Notes that a task shall look at the events; `false` if one does already.
        mutating func isDrainToSchedule() -> Bool {
            guard !isDrainScheduled, owner != nil else { return false }
            isDrainScheduled = true
            return true
        }
    }

    /// How many events wait at most. At this number they are dropped for a ``Event/gap``: the followers then learn the
    /// newest values, without those in between.
    static let limit = 131_072
    /// At this number events are looked at even if every consumer is busy elsewhere.
    private static let backlog = 256

    private let listeners = Atomic<Int>(0)
    private let state = Mutex(State())

    /// Sets whose events these are.
    func setOwner(_ owner: FlagOwnerReference) {
        state.withLock { $0.owner = owner }
    }

    // MARK: Filling

    /// Whether an event has anybody to go to.
    ///
    /// A consumer is counted before it reads for the first time, and a slot is invalidated before this is asked. The
    /// fences on both sides make sure that either this sees the consumer or the consumer's read sees the invalidation.
    var hasListeners: Bool {
        atomicMemoryFence(ordering: .sequentiallyConsistent)
        return listeners.load(ordering: .relaxed) > 0
    }

    /// Adds an event.
    ///
    /// - Parameters:
    ///   - ordinals: The flags that it concerns; `nil` for all.
    ///   - wakes: Takes whoever it may concern.
    func add(_ event: Event, ordinals: [Int]?, waking wakes: inout FlagWakes) {
        state.withLock { state in
            if !state.isUnfollowed {
                if state.events.count >= FlagChangeQueue.limit { state.dropEvents() }
                state.events.append(event)
                let isDue = state.isPrompt || state.events.count >= FlagChangeQueue.backlog
                if isDue, state.isDrainToSchedule() { wakes.add(self) }
            }
            for signal in state.anySignals { signal.mark(waking: &wakes) }
            if let ordinals {
                for ordinal in ordinals {
                    if let signals = state.flagSignals[ordinal] {
                        for signal in signals { signal.mark(waking: &wakes) }
                    }
                }
            } else {
                for signals in state.flagSignals.values { for signal in signals { signal.mark(waking: &wakes) } }
            }
        }
    }

    // MARK: Emptying

    /// Takes all events.
    func takeEvents() -> [Event] {
        state.withLock { state in
            defer { state.events = [] }
            return state.events
        }
    }

    /// Whether nobody wants events.
    var isUnfollowed: Bool { state.withLock { $0.isUnfollowed } }

    /// Whether there is anything to look at.
    var isEmpty: Bool { state.withLock { $0.events.isEmpty } }

    /// Lets a task of its own look at what is left.
    func scheduleDrain() {
        if state.withLock({ $0.isDrainToSchedule() }) { wake() }
    }

    /// Calls a closure with the events that wait. It runs under the lock.
    func peek<Result>(_ body: ([Event]) -> Result) -> Result {
        state.withLock { state in body(state.events) }
    }

    // MARK: Listeners

    /// Counts a consumer in, and wakes it from now on.
    func add(_ signal: FlagSignal, for interest: Interest, follows: Bool) {
        state.withLock { state in
            if follows {
                if state.isUnfollowed { state.events = [.restart] }
                state.followers += 1
            }
            switch interest {
            case .flag(let ordinal): state.flagSignals[ordinal, default: []].append(signal)
            case .any: state.anySignals.append(signal)
            }
        }
        listeners.add(1, ordering: .relaxed)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
    }

    /// Counts a consumer out.
    ///
    /// - Returns: Whether nobody follows changes any more.
    @discardableResult
    func remove(_ signal: FlagSignal, for interest: Interest, follows: Bool) -> Bool {
        listeners.subtract(1, ordering: .relaxed)
        let (isUnfollowed, dropped) = state.withLock { state in
            if follows { state.followers -= 1 }
            let isUnfollowed = state.isUnfollowed
            let dropped = isUnfollowed ? state.events : []
            if isUnfollowed { state.events = [] }
            switch interest {
            case .flag(let ordinal):
                state.flagSignals[ordinal]?.removeAll { $0 === signal }
                if state.flagSignals[ordinal]?.isEmpty == true { state.flagSignals[ordinal] = nil }
            case .any:
                state.anySignals.removeAll { $0 === signal }
            }
            return (isUnfollowed, dropped)
        }
        withExtendedLifetime(dropped) {}
        return isUnfollowed
    }

    /// Lets events be looked at as they come, for as long as the loader lives.
    func becomePrompt() {
        let isNew = state.withLock { state in
            guard !state.isPrompt else { return false }
            if state.followers == 0 { state.events = [.restart] }
            state.isPrompt = true
            return true
        }
        guard isNew else { return }
        listeners.add(1, ordering: .relaxed)
        atomicMemoryFence(ordering: .sequentiallyConsistent)
    }
}

extension FlagChangeQueue: FlagWaking {
    /// Begins the task that looks at the events. Call it once for each time that it is to be scheduled.
    package func wake() {
        Task.detached { [self] in
            let owner = state.withLock { state in
                state.isDrainScheduled = false
                return state.owner
            }
            (owner?.owner as? LoadedFlags)?.drainChanges()
        }
    }
}
