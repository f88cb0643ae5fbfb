import Synchronization

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
    package let groups: [FlagCollectionDeclaration]
    package let index: FlagIndex
    package let keyPaths: [FlagKeyPath]
    package let tracker: FlagChangeTracker
    package let slots: [Unmanaged<FlagSlot>]
    package let generation: UInt32
    package let pins = PinnedFlagValues()
    private let changedDefaults = Mutex(FlagTable<ErasedFlagValue>())
    /// Spares reads the lock if none was ever changed.
    private let hasChangedDefaults = Atomic<Bool>(false)
    /// Whether the loader has reported an issue of a read, so that most reads resolve none.
    let hasReported = Atomic<Bool>(false)
    /// The observers of resolved values, or `nil` if there are none.
    let resolutionObservers: ResolutionObservers?
    /// The chain, which the loaders of a manager share.
    package let installedChain: InstalledChain
    /// The answer to all reads in place of the resolution order, or `nil` in the loaders that users make.
    let answer: (@Sendable (_ ordinal: Int, FlagDeclaration) -> ErasedFlagValue)?
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
        index = .index(of: collection, construction, keyConfiguration ?? collectionType.keyConfiguration)
        let declarations = index.shape.flags.map { construction.flags[$0.number] }
        self.declarations = declarations
        groups = index.shape.groups.map { construction.groups[$0.number] }
        slots = index.shape.flags.map { construction.slots[$0.number] }
        keyPaths = index.keyPaths
        let computed = declarations.indices.filter { declarations[$0].isComputed }
        root = computed.isEmpty ? nil : collection
        generation = construction.generation
        block = construction.block
        (installedChain, self.metadata, self.answer) = (chain, metadata, answer)
        tracker = FlagChangeTracker(
            index: index, slots: slots, generation: generation, computed: computed, pins: pins)
        resolutionObservers = ResolutionObservers(chain.observers, tracker)
        chain.add(tracker)
        block.bind(construction.slots, to: self)
    }

    deinit {
        installedChain.remove(tracker)
        block.endUse()
        endObserving()
    }

    package var issues: [FlagError] {
        var found = index.issues
        for (ordinal, flag) in declarations.enumerated() where flag.bounds != nil || flag.isComputed {
            if let expected = flag.computation?.rootType, expected != collectionType {
                let message = """
                    The flag declared at \(flag.site) computes its value from \(expected), but its loader was made for \
                    \(collectionType), so it is never computed. Let the closure take \(collectionType).
                    """
                found.append(FlagError(.wrongRoot, message))
            }
            guard let mistake = flag.mistakeInBounds else { continue }
            let message = """
                The bounds of flag "\(property(of: ordinal))" (\(flag.site)) can't be used: \(mistake). Correct the \
                default or the bounds.
                """
            found.append(FlagError(.invalidBounds, message, key: keyPaths[ordinal]))
        }
        return found
    }

    package var ordinals: Range<Int> { declarations.indices }
    package var reporter: FlagIssueReporter { installedChain.reporter }
    @inline(never) package var chain: FlagChain { installedChain.links }

    /// Returns the path of a flag's property in the source: `secrets.boomFeature`.
    func property(of ordinal: Int) -> String { index.property(index.shape.flags[ordinal]) }

    /// Returns a flag's metadata with its display name filled in.
    ///
    /// - Parameter step: A step that makes the flag secret if it has read a secret one.
    package func metadata(of ordinal: Int, _ step: FlagStep? = nil) -> FlagMetadata {
        var metadata = declarations[ordinal].metadata.named(index.shape.flags[ordinal].label)
        if let name = declarations[ordinal].name { metadata.name = name }
        if step?.isSecret == true { metadata.isSecret = true }
        return metadata
    }

    // MARK: Defaults and pinned values

    package func defaultValue(of ordinal: Int) -> ErasedFlagValue {
        let changed = hasChangedDefaults.load(ordering: .acquiring) ? changedDefaults.withLock { $0[ordinal] } : nil
        return changed ?? declarations[ordinal].defaultValue
    }

    /// Changes a default, or restores the declared one if the value is `nil`.
    package func setDefault(_ value: ErasedFlagValue?, of ordinal: Int) {
        var pending = PendingResumptions()
        let replaced = changedDefaults.withLock { changed in
            // A thread that finds the flag invalidated must wait for the lock.
            hasChangedDefaults.store(true, ordering: .releasing)
            tracker.invalidate(CollectionOfOne(ordinal), pending: &pending)
            return changed.replace(ordinal, by: value)
        }
        pending.resume()
        // Released here, outside the lock, because a value may own an object whose deinitializer reads flags.
        withExtendedLifetime(replaced) {}
        unpin(ordinal, by: .default)
        tracker.notifyObservation()
    }

    /// Begins a new session: flags that are pinned for a session are pinned anew at their next read, and each value is
    /// passed to observers again.
    package func beginSession() {
        resolutionObservers?.beginSession()
        let affected = ordinals.filter { resolutionObservers != nil || declarations[$0].updatePolicy == .session }
        var pending = PendingResumptions()
        pins.endSession { tracker.invalidate(affected, pending: &pending) }
        pending.resume()
        tracker.notifyObservation()
    }

    /// Returns whether a flag's pinned value or its live value comes from a source, so that a change of it ends the pin.
    ///
    /// - Parameter substitute: What is taken in place of providers' evaluations, or `nil` to ask all of them.
    func isUnpinned(_ ordinal: Int, by source: FlagSource, _ substitute: FlagChain.Substitute? = nil) -> Bool {
        let policy = declarations[ordinal].updatePolicy
        guard policy != .live, let pinned = pins.value(of: ordinal, policy) else { return false }
        return pinned.source == source || inspect(ordinal, isLive: true, substitute: substitute).source == source
    }

    /// Removes a flag's pinned value if that value or the live one comes from a source that was changed.
    func unpin(_ ordinal: Int, by source: FlagSource) {
        guard isUnpinned(ordinal, by: source) else { return }
        var pending = PendingResumptions()
        pins.remove(ordinal) { tracker.invalidate(CollectionOfOne(ordinal), pending: &pending) }
        pending.resume()
    }
}
