package import Synchronization

/// The data of a loader. It resolves the loader's flags.
///
/// The loader and its handles hold the data. When the last of them is deallocated, the slots are given back. Call the
/// methods from any thread. No lock is held while code of providers, values, or computed flags runs.
package final class LoaderCore: Sendable {
    package let collectionType: any FlagCollectionProtocol.Type
    /// The root collection if a flag is computed, or `nil`. It holds pointers to slots and keeps no loader alive.
    package let root: (any Sendable)?
    package let rootType: ObjectIdentifier
    package let metadata: FlagMetadata
    /// The flags by ordinal, which is the number of a flag in the order of the collection's properties.
    package let declarations: [FlagDeclaration]
    /// The nested collections by number.
    package let groups: [FlagCollectionDeclaration]
    /// The mistakes in the declaration of the collection.
    package let issues: [FlagError]
    package let index: FlagIndex
    package let reporter: FlagIssueReporter
    package let tracker: FlagChangeTracker
    package let slots: [Unmanaged<FlagSlot>]
    package let generation: UInt32
    package let pins = PinnedFlagValues()
    /// The listener of reads, or `nil` while reads are not registered with Observation.
    package let readListener = Mutex<(any FlagReadListener)?>(nil)
    private let defaults = ChangedDefaults()
    let issueLog = FlagIssueLog()
    /// The observers of resolved values, or `nil` if there are none.
    let resolutionObservers: ResolutionObservers?
    /// The guard that may hold values back, or `nil` if there is none.
    package let launchGuard: (any FlagValueGuard)?
    /// The observer of the guard. It is kept here because the guard holds it weakly.
    private let guardObserver: FlagProviderObserver?
    private let installedChain = Mutex(FlagChain.empty)
    /// The closures of the computed flags by ordinal. It is empty if no flag is computed.
    let computations: [FlagComputation?]
    /// The answer to all reads in place of the resolution order, or `nil` in the loaders that users make.
    let answer: (@Sendable (_ ordinal: Int) -> ErasedFlagValue)?
    /// By position in the construction, the ordinals of flags and the numbers of collections, or -1.
    let ordinalsByPosition: [Int]
    private let block: FlagBlock

    /// The result of constructing and reading a collection.
    package struct Contents: Sendable {
        package let collectionType: any FlagCollectionProtocol.Type
        package let root: (any Sendable)?
        /// The flags by ordinal.
        package let declarations: [FlagDeclaration]
        /// The closures of the computed flags by ordinal. It is empty if no flag is computed.
        package let computations: [FlagComputation?]
        package let groups: [FlagCollectionDeclaration]
        package let index: FlagIndex
        package let issues: [FlagError]
        package let block: FlagBlock
        /// All slots of the block.
        package let allSlots: [Unmanaged<FlagSlot>]
        /// The slots by ordinal.
        package let slots: [Unmanaged<FlagSlot>]
        /// By position in the construction, the ordinals of flags and the numbers of collections, or -1 for those that
        /// are not properties.
        package let ordinals: [Int]
        package let generation: UInt32
    }

    package init(
        _ contents: Contents, metadata: FlagMetadata, providers: ProviderChain, reporter: FlagIssueReporter,
        observers: [any FlagResolutionObserver] = [], launchGuard: (any FlagValueGuard)? = nil,
        answer: (@Sendable (_ ordinal: Int) -> ErasedFlagValue)? = nil
    ) {
        collectionType = contents.collectionType
        root = contents.root
        rootType = ObjectIdentifier(contents.collectionType)
        declarations = contents.declarations
        groups = contents.groups
        index = contents.index
        issues = contents.issues
        slots = contents.slots
        generation = contents.generation
        computations = contents.computations
        ordinalsByPosition = contents.ordinals
        self.answer = answer
        block = contents.block
        self.metadata = metadata
        self.reporter = reporter
        resolutionObservers = observers.isEmpty ? nil : ResolutionObservers(observers)
        let tracker = FlagChangeTracker(index: index, slots: slots, generation: generation)
        self.tracker = tracker
        self.launchGuard = launchGuard
        guardObserver = launchGuard.map { launchGuard in
            let observer = FlagProviderObserver(reporter: reporter) { _, pending in
                tracker.invalidateAll(pending: &pending)
            }
            launchGuard.observe(observer)
            return observer
        }
        block.bind(contents.allSlots, to: self)
        repeatValuesForObservers()
        setChain(providers)
    }

    deinit {
        block.endUse()
        readListener.withLock { $0 }?.loaderWasDeallocated()
    }

    package var ordinals: Range<Int> { declarations.indices }
    /// The chain in force.
    @inline(never) package var chain: FlagChain { installedChain.withLock { $0 } }

    /// Returns a flag's metadata with its display name filled in.
    ///
    /// - Parameter step: A step that makes the flag secret if it has read a secret one.
    package func metadata(of ordinal: Int, _ step: FlagStep? = nil) -> FlagMetadata {
        let declaration = declarations[ordinal]
        var metadata = declaration.metadata.named(declaration.name, orElse: index.entries[ordinal].label)
        if step?.isSecret == true { metadata.isSecret = true }
        return metadata
    }

    /// Notifies Observation of the changes that a call has made, at once and on the current thread.
    package func notifyObservation() { readListener.withLock { $0 }?.flagsWereWritten() }

    // MARK: The chain

    /// The chain as it was given, without the overrides that were refused.
    package var givenChain: ProviderChain { chain.given.providers }

    /// Replaces the chain. A read sees the old chain or the new one.
    package func setChain(_ chain: ProviderChain) { install(chain, over: nil) }

    /// Changes the chain. `change` is called again if another thread changes it meanwhile. See ``ChainUpdate``.
    package func updateChain<Failure: Error>(_ change: (inout ProviderChain) throws(Failure) -> Void) throws(Failure) {
        while true {
            let current = chain
            var new = current.given.providers
            let update = ChainUpdate(of: self)
            try update.run { () throws(Failure) in try change(&new) }
            if install(new, over: update.closureChangedChain ? nil : current.revision) { return }
        }
    }

    /// Installs a chain without the overrides that its environment refuses. Every chain is installed here.
    ///
    /// - Parameter revision: The revision that the chain was made from, or `nil` to replace any.
    /// - Returns: `false`, with nothing changed, if another chain has been installed since that revision.
    @discardableResult
    private func install(_ chain: ProviderChain, over revision: UInt64?) -> Bool {
        while true {
            let current = self.chain
            if let revision, revision != current.revision { return false }
            let admitted = chain.admitted(after: current.given)
            let hasNewGate = admitted.gate !== current.given.gate
            let new = FlagChain(
                links: links(of: admitted.providers), given: admitted,
                gateObserver: hasNewGate ? admitted.gate.map(observer(of:)) : current.gateObserver,
                revision: current.revision + 1)
            var pending = PendingResumptions()
            let old = installedChain.withLock { installed -> FlagChain? in
                guard installed === current else { return nil }
                installed = new
                // Nothing is cached before the first chain is in force.
                if current.revision > 0 { tracker.invalidateAll(pending: &pending) }
                return current
            }
            pending.resume()
            guard let old else { continue }
            ChainUpdate.recordChange(of: self)
            if old.revision > 0 {
                issueLog.resolveAll(exceptOfProviders: new.links.map(\.id))
                old.links.forEach { $0.observer.retire() }
                notifyObservation()
            }
            // Reported once the chain is in force, so that a reporter may change the chain.
            if let issue = admitted.issue { reporter.report(issue) }
            if hasNewGate, let issue = admitted.gate?.issue { reporter.report(issue) }
            // Providers that left the chain are released here, outside the lock.
            withExtendedLifetime(old) {}
            return true
        }
    }

    /// Returns an observer of a gate, which holds it weakly. A change of the mode ends all pinned values.
    private func observer(of gate: any ProviderGate) -> FlagProviderObserver {
        let observer = FlagProviderObserver(reporter: reporter) { [tracker, pins] _, pending in
            pins.endAll { tracker.invalidateAll(pending: &pending) }
        }
        gate.observe(observer)
        return observer
    }

    @inline(never) private func links(of chain: ProviderChain) -> [FlagChain.Link] {
        zip(chain.entries, chain.ids).map { entry, id in
            FlagChain.Link(
                id: id, provider: entry.provider,
                observer: tracker.makeObserver(reporter, of: ObjectIdentifier(self)), kind: entry.kind)
        }
    }

    // MARK: Defaults and pinned values

    /// Returns the default that is in force.
    package func defaultValue(of ordinal: Int) -> ErasedFlagValue {
        defaults.value(of: ordinal) ?? declarations[ordinal].defaultValue
    }

    /// Changes a default, or restores the declared one if the value is `nil`.
    package func setDefault(_ value: ErasedFlagValue?, of ordinal: Int) {
        var pending = PendingResumptions()
        defaults.set(value, of: ordinal) { tracker.invalidate(CollectionOfOne(ordinal), pending: &pending) }
        pending.resume()
        unpin(ordinal) { $0 == .default }
        notifyObservation()
    }

    /// Begins a new session: flags that are pinned for a session are pinned anew at their next read, and each value is
    /// passed to observers again.
    package func beginSession() {
        resolutionObservers?.beginSession()
        // Observers are passed every value again.
        let pinned = ordinals.filter { resolutionObservers != nil || declarations[$0].updatePolicy == .session }
        var pending = PendingResumptions()
        pins.beginSession { tracker.invalidate(pinned, pending: &pending) }
        pending.resume()
        notifyObservation()
    }

    /// Returns whether a change affects the source of a flag's pinned value or the source of its live value.
    ///
    /// - Parameter chain: The chain to ask, or `nil` for the one in force.
    @inline(never) package func isUnpinned(
        _ ordinal: Int, in chain: FlagChain? = nil, by isAffected: (FlagSource) -> Bool
    ) -> Bool {
        guard let pinned = pins.value(of: declarations[ordinal], ordinal) else { return false }
        return isAffected(pinned.source) || isAffected(inspect(ordinal, isLive: true, in: chain).source)
    }

    /// Removes a flag's pinned value if a change affects the source of that value or the source of the live value.
    package func unpin(_ ordinal: Int, if isAffected: (FlagSource) -> Bool) {
        guard isUnpinned(ordinal, by: isAffected) else { return }
        var pending = PendingResumptions()
        pins.remove(ordinal) { tracker.invalidate(CollectionOfOne(ordinal), pending: &pending) }
        pending.resume()
    }
}
