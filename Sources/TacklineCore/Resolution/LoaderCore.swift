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
    /// The keys of the flags by ordinal.
    package let keyPaths: [FlagKeyPath]
    package let tracker: FlagChangeTracker
    package let slots: [Unmanaged<FlagSlot>]
    package let generation: UInt32
    package let pins = PinnedFlagValues()
    /// The listener of reads, or `nil` while reads are not registered with Observation.
    package let readListener = Mutex<(any FlagReadListener)?>(nil)
    private let defaults = ChangedDefaults()
    /// Whether the loader has reported an issue of a read, so that most reads resolve none.
    let hasReported = Atomic<Bool>(false)
    /// The observers of resolved values, or `nil` if there are none.
    let resolutionObservers: ResolutionObservers?
    /// The chain, which the loaders of a manager share.
    package let installedChain: InstalledChain
    /// The closures of the computed flags by ordinal.
    let computations: [Int: FlagComputation]
    /// The answer to all reads in place of the resolution order, or `nil` in the loaders that users make.
    let answer: (@Sendable (_ ordinal: Int, FlagDeclaration) -> ErasedFlagValue)?
    let shape: FlagShape
    private let block: FlagBlock

    /// Binds the slots of a collection that was just constructed, and gives its flags key paths.
    ///
    /// - Parameter keyConfiguration: The key configuration, or `nil` for that of the collection.
    package init(
        _ collection: any FlagCollectionProtocol, _ construction: FlagConstruction,
        keyConfiguration: KeyConfiguration? = nil, metadata: FlagMetadata, chain: InstalledChain,
        answer: (@Sendable (_ ordinal: Int, FlagDeclaration) -> ErasedFlagValue)? = nil
    ) {
        collectionType = type(of: collection)
        rootType = ObjectIdentifier(collectionType)
        // Only computed flags read the root collection.
        root = construction.computations.isEmpty ? nil : collection
        shape = FlagShape.shape(of: collection, construction)
        index = shape.index(for: keyConfiguration ?? collectionType.keyConfiguration, root: rootType)
        keyPaths = index.keyPaths
        declarations = shape.flagPositions.compactMap { construction.members[$0].declaration.flag }
        groups = shape.groupPositions.compactMap { construction.members[$0].declaration.collection }
        computations = shape.computations(of: construction)
        issues = shape.issues(declarations, computations, index, root: collectionType)
        slots = shape.slots(of: construction)
        generation = construction.generation
        block = construction.block
        self.answer = answer
        self.metadata = metadata
        installedChain = chain
        resolutionObservers = chain.observers.isEmpty ? nil : ResolutionObservers(chain.observers)
        tracker = FlagChangeTracker(index: index, slots: slots, generation: generation)
        chain.add(self)
        block.bind(construction.slots, to: self)
        repeatValuesForObservers()
    }

    deinit {
        installedChain.remove(tracker)
        block.endUse()
        readListener.withLock { $0 }?.loaderWasDeallocated()
    }

    package var ordinals: Range<Int> { declarations.indices }
    package var reporter: FlagIssueReporter { installedChain.reporter }
    package var launchGuard: (any FlagValueGuard)? { installedChain.launchGuard }
    /// The chain in force.
    @inline(never) package var chain: FlagChain { installedChain.links }

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

    /// Records that some providers left the chain or that others came, once the new chain is in force.
    func chainWasReplaced(without removed: Set<String>) {
        reporter.resolveAll(ofProviders: removed)
        notifyObservation()
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
