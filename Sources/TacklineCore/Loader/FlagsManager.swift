import Synchronization

/// A manager of several collections with one chain of providers.
///
/// Collections are identified by their types, so types of different modules may have the same name. Use a manager from
/// any thread.
///
/// ```swift
/// let manager = FlagsManager(providers: [overrides, remote])
/// let user = manager.addCollection(UserExperiments.self)
/// let search = manager.addCollection(SearchFlags.self, keyConfiguration: .init(prefix: "search"))
/// manager.loader(for: UserExperiments.self)?.allowsSSON
/// ```
public final class FlagsManager: Sendable {
    private struct State: Sendable {
        /// The loaders, each a ``FlagsLoader``, which is identified by its collection type.
        var loaders: [(loader: any AnyObject & Sendable, core: LoaderCore)] = []
        /// The queues of the sequences of changes, which observe each collection that is added.
        var queues = WeakList<FlagChangeQueue>()

        func loader<Collection: FlagCollectionProtocol>(of type: Collection.Type) -> FlagsLoader<Collection>? {
            loaders.lazy.compactMap { $0.loader as? FlagsLoader<Collection> }.first
        }
    }

    /// The chain, which the loaders share.
    package let chain: InstalledChain
    private let state = Mutex(State())
    private let keyConfiguration: KeyConfiguration?
    private let observation: FlagObservationMode

    /// Creates a manager without collections.
    ///
    /// - Parameters:
    ///   - keyConfiguration: The key configuration of collections that are added without one, or `nil` for
    ///     ``FlagCollectionProtocol/keyConfiguration`` of each collection.
    ///   - environment: The environment. In production, overrides are left out of the chain.
    ///   - providers: The chain of all collections, from the first provider to the last.
    ///   - mode: A switch that leaves providers out whose values come from elsewhere, or `nil` to ask all.
    ///   - observation: The observation mode of collections that are added without their own.
    ///   - issueReporter: The destination of the issues of all collections and providers.
    ///   - observers: The observers of the values that reads of any collection are given.
    public convenience init(
        keyConfiguration: KeyConfiguration? = nil, environment: DeploymentEnvironment = .detected,
        providers: [any FlagProvider], mode: FlagModeSwitch? = nil, observation: FlagObservationMode = .automatic,
        issueReporter: FlagIssueReporter = .current, observers: [any FlagResolutionObserver] = []
    ) {
        self.init(
            keyConfiguration: keyConfiguration,
            chain: InstalledChain(
                providers, environment: environment, mode: mode, reporter: issueReporter, observers: observers),
            observation: observation)
    }

    package init(keyConfiguration: KeyConfiguration?, chain: InstalledChain, observation: FlagObservationMode) {
        (self.keyConfiguration, self.chain, self.observation) = (keyConfiguration, chain, observation)
    }

    /// The chain, which all collections share. See ``FlagsLoader/providers``.
    ///
    /// Setting it is atomic: reads of all collections see the old chain, and then the new one.
    public var providers: [any FlagProvider] {
        get { chain.links.providers }
        set { chain.updateProviders { $0 = newValue } }
    }

    /// Changes the chain of all collections in one step. See ``FlagsLoader/updateProviders(_:)``.
    public func updateProviders(_ change: (inout [any FlagProvider]) throws -> Void) rethrows {
        try chain.updateProviders(change)
    }

    // MARK: Collections

    /// Returns the loader of a collection, and creates it if the collection is new. If it isn't, the other arguments
    /// are ignored.
    ///
    /// A key that another collection of the manager has too is reported, and both flags then take the same provider's
    /// value.
    ///
    /// - Parameters:
    ///   - type: The collection. It identifies the loader.
    ///   - description: The description of the collection for people.
    ///   - keyConfiguration: The key configuration, or `nil` for the manager's.
    ///   - observation: The observation mode, or `nil` for the manager's.
    @discardableResult
    public func addCollection<Collection: FlagCollectionProtocol>(
        _ type: Collection.Type, description: FlagMetadata = FlagMetadata(), keyConfiguration: KeyConfiguration? = nil,
        observation: FlagObservationMode? = nil
    ) -> FlagsLoader<Collection> {
        if let known = loader(for: type) { return known }
        let new = FlagsLoader<Collection>(
            description: description, keyConfiguration: keyConfiguration ?? self.keyConfiguration, chain: chain,
            observation: observation ?? self.observation)
        let (known, queues) = state.withLock { state in
            // Another thread may have added the collection meanwhile.
            let known = state.loader(of: type)
            if known == nil { state.loaders.append((new, new.core)) }
            return (known, state.queues.strong())
        }
        if let known { return known }
        queues.forEach { $0.observe(new.core) }
        let others = cores.filter { $0 !== new.core }
        for key in new.core.index.keyPaths where others.contains(where: { $0.index.ordinal(of: key) != nil }) {
            let message = """
                Two collections of one manager have a flag with the key "\(key)", so both flags follow one value. Give \
                one collection a prefix with addCollection(_:keyConfiguration:).
                """
            chain.reporter.report(FlagError(.duplicateKey, message, key: key))
        }
        return new
    }

    /// Returns the loader of a collection, or `nil` if the collection was not added.
    public func loader<Collection: FlagCollectionProtocol>(for type: Collection.Type) -> FlagsLoader<Collection>? {
        state.withLock { $0.loader(of: type) }
    }

    /// Removes a collection. A loader that you keep goes on working with the manager's chain.
    public func removeCollection<Collection: FlagCollectionProtocol>(_ type: Collection.Type) {
        let removed = state.withLock { state in
            let place = state.loaders.firstIndex { $0.core.rootType == ObjectIdentifier(type) }
            return place.map { state.loaders.remove(at: $0) }
        }
        guard let removed else { return }
        state.withLock { $0.queues.strong() }.forEach { $0.stopObserving(removed.core) }
        for key in removed.core.index.keyPaths { chain.reporter.resolve(.duplicateKey, key: key) }
    }

    /// Begins a new session in all collections. See ``FlagsLoader/beginSession()``.
    public func beginSession() { for core in cores { core.beginSession() } }

    private var cores: [LoaderCore] { state.withLock { $0.loaders.map { $0.core } } }

    // MARK: Flags

    /// The root of each collection, in the order in which they were added.
    public var collections: [FlagGroup] { cores.map { FlagGroup(owner: $0, ordinal: -1) } }

    /// Returns the flag with a key in the first collection that has one, or `nil` if there is none.
    public func flag(at key: FlagKeyPath) -> AnyFlagHandle? {
        cores.lazy.compactMap { core in core.index.ordinal(of: key).map { AnyFlagHandle(core: core, ordinal: $0) } }
            .first
    }

    /// The changes of all flags of all collections, including those that are added later, as those of a group
    /// (``FlagGroup/changes``).
    public var changes: some AsyncSequence<FlagChange<EncodedFlagValue>, Never> & Sendable {
        FlagUpdates(changesIn: changeQueue)
    }

    package func changeQueue() -> FlagChangeQueue {
        let queue = FlagChangeQueue()
        state.withLock { $0.queues.append(queue) }
        for core in cores { queue.observe(core) }
        return queue
    }
}
