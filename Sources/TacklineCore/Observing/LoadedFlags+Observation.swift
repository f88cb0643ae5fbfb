import Synchronization

extension LoadedFlags {
    /// Begins to register reads with Observation, for as long as the loader lives. Once is enough.
    package func beginObserving() {
        guard isObserving.compareExchange(expected: false, desired: true, ordering: .acquiringAndReleasing).exchanged
        else { return }
        invalidator.queue.becomePrompt()
        for flag in flags { flag.slot.beginObserving(life: flag.life) }
    }

    /// Follows the flag, so that readers are told only if its value differs.
    package func flagIsObserved(_ ordinal: Int) {
        let isNew = observedFlags.withLock { $0.insert(ordinal).inserted }
        if isNew { attach([ordinal], nil) }
    }

    /// Lets go of those who still wait for a change of a flag: there will be none.
    func endObserving() {
        guard isObserving.load(ordering: .acquiring) else { return }
        for flag in flags { flag.slot.observable?.valueDidChange() }
    }
}

extension FlagsLoader {
    /// Begins to register reads with Observation because a view reads the loader, unless the mode forbids it.
    package func beginObservingForView() {
        if observationMode != .untracked { loaded.beginObserving() }
    }
}
