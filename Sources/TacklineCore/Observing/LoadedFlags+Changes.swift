extension LoadedFlags {
    /// Looks at the events that wait, and hands out what changed. Called outside of every lock.
    ///
    /// One thread at a time does so, for all consumers; others return at once, and whoever does it comes back to what
    /// they left.
    ///
    /// - Parameter rounds: How often to come back for what arrived meanwhile. What is left then is done by a task.
    func drainChanges(rounds: Int = .max) {
        var rounds = rounds
        while !invalidator.queue.isEmpty {
            guard rounds > 0 else { return invalidator.queue.scheduleDrain() }
            guard var trackers = changes.take() else { return }
            let events = invalidator.queue.takeEvents()
            // Whose task this is does not matter: changes are what everybody else sees.
            let touched = FlagScope.withoutScope { look(at: events, with: &trackers) }
            changes.putBack(trackers, invalidator.queue)
            rounds -= 1
            // Closures of observers are not ours, so they run when everything else is done.
            for ordinal in touched { flags[ordinal].slot.observable?.valueDidChange() }
        }
    }

    /// Takes the events in, one after the other, and hands out what changed.
    ///
    /// - Returns: The flags to tell Observation about.
    private func look(
        at events: [FlagChangeQueue.Event], with trackers: inout FlagChangeCenter.Trackers
    ) -> Set<Int> {
        let context = FlagTrackingContext(self, chain: trackers.chain)
        for index in events.indices {
            context.rest = events[(index + 1)...]
            take(events[index], context, &trackers)
        }
        context.rest = []
        publish(context, &trackers)
        trackers.chain = context.chain
        return context.touched
    }

    /// Hands out what was found until here.
    private func publish(_ context: FlagTrackingContext, _ trackers: inout FlagChangeCenter.Trackers) {
        // What computed flags read may have changed with any event.
        for ordinal in trackers.computed { trackers.byOrdinal[ordinal]?.conclude(context) }
        let found = context.takeChanges()
        guard let first = found.first else { return }
        for consumer in changes.referenceConsumers { consumer.publish(found) }
        if context.touched.count == 1 {
            for consumer in changes.consumers(ofFlag: first.ordinal) { consumer.publish(found) }
            return
        }
        for (ordinal, own) in Dictionary(grouping: found, by: { $0.ordinal }) {
            for consumer in changes.consumers(ofFlag: ordinal) { consumer.publish(own) }
        }
    }

    private func take(
        _ event: FlagChangeQueue.Event, _ context: FlagTrackingContext, _ trackers: inout FlagChangeCenter.Trackers
    ) {
        switch event {
        case .restart:
            trackers.byOrdinal = [:]
            trackers.computed = []
            context.chain = chain
        case .attach(let ordinals, let consumer):
            // What happened before is for those who were there.
            publish(context, &trackers)
            for ordinal in ordinals where trackers.byOrdinal[ordinal] == nil {
                let tracker = FlagTracker(flags[ordinal].declaration, ordinal: ordinal, context)
                trackers.byOrdinal[ordinal] = tracker
                if tracker.isComputed { trackers.computed.append(ordinal) }
            }
            if let consumer { changes.add(consumer) }
        case .notice(let link, let notice):
            guard let position = context.chain.links.firstIndex(where: { $0.number == link }) else { return }
            take(notice, fromLink: position, context, &trackers)
        case .flag(let ordinal):
            trackers.byOrdinal[ordinal]?.askUnobserved(context)
            trackers.byOrdinal[ordinal]?.conclude(context)
        case .everything, .gap:
            let isGap = if case .gap = event { true } else { false }
            let chain = self.chain
            let isSame =
                chain.mode == context.chain.mode && chain.links.map(\.number) == context.chain.links.map(\.number)
            context.chain = chain
            for ordinal in trackers.byOrdinal.keys {
                if isSame, !isGap {
                    trackers.byOrdinal[ordinal]?.askUnobserved(context)
                } else {
                    trackers.byOrdinal[ordinal]?.ask(context)
                }
                trackers.byOrdinal[ordinal]?.conclude(context)
            }
        }
    }

    private func take(
        _ notice: FlagProviderNotice, fromLink position: Int, _ context: FlagTrackingContext,
        _ trackers: inout FlagChangeCenter.Trackers
    ) {
        switch notice {
        case .reset:
            for ordinal in trackers.byOrdinal.keys {
                trackers.byOrdinal[ordinal]?.ask(link: position, context)
                trackers.byOrdinal[ordinal]?.conclude(context)
            }
        case .changed(let providerChanges):
            var affected: [Int] = []
            for change in providerChanges {
                for ordinal in index.ordinals(affectedBy: change) where trackers.byOrdinal[ordinal] != nil {
                    if index.entries[ordinal].keyPath == change.key {
                        trackers.byOrdinal[ordinal]?.take(change.new, fromLink: position, context)
                    } else {
                        trackers.byOrdinal[ordinal]?.ask(link: position, context)
                    }
                    if !affected.contains(ordinal) { affected.append(ordinal) }
                }
            }
            for ordinal in affected { trackers.byOrdinal[ordinal]?.conclude(context) }
        }
    }

    /// Follows flags from now on, for a consumer if there is one.
    func attach(_ ordinals: [Int], _ consumer: FlagChangeConsumer?) {
        var wakes = FlagWakes()
        invalidator.queue.add(.attach(ordinals, consumer), ordinals: [], waking: &wakes)
        wakes.wake()
        drainChanges(rounds: 1)
    }
}
