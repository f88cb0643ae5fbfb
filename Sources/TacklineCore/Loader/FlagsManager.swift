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
        /// The chain as it was set, without the overrides that were refused.
        var chain: AdmittedChain
        /// The number of times that the chain was set.
        var revision: UInt64 = 0
        /// The loaders, one for each collection type.
        var loaders: [Managed] = []
        /// The queues of the sequences of changes, which observe each collection that is added.
        var queues = WeakList<FlagChangeQueue>()
    }

    private struct Managed: Sendable {
        /// A ``FlagsLoader``, which is identified by its collection type.
        let loader: any AnyObject & Sendable
        let core: LoaderCore
    }

    private let state: Mutex<State>
    private let keyConfiguration: KeyConfiguration?
    private let observation: FlagObservationMode
    private let issueReporter: FlagIssueReporter
    private let observers: [any FlagResolutionObserver]
    private let launchGuard: (any FlagValueGuard)?
    private let issueLog = FlagIssueLog()

    /// Creates a manager without collections.
    ///
    /// - Parameters:
    ///   - keyConfiguration: The key configuration of collections that are added without one, or `nil` for
    ///     ``FlagCollectionProtocol/keyConfiguration`` of each collection.
    ///   - providers: The chain of all collections, from the first provider to the last. In production, overrides are
    ///     left out and reported.
    ///   - observation: The observation mode of collections that are added without their own.
    ///   - issueReporter: The destination of the issues of all collections and providers.
    ///   - observers: The observers of the values that reads of any collection are given.
    public convenience init(
        keyConfiguration: KeyConfiguration? = nil, providers: ProviderChain,
        observation: FlagObservationMode = .automatic, issueReporter: FlagIssueReporter = .current,
        observers: [any FlagResolutionObserver] = []
    ) {
        self.init(
            keyConfiguration: keyConfiguration, providers: providers, observation: observation,
            issueReporter: issueReporter, observers: observers, guardedBy: nil)
    }

    /// Creates a manager whose collections' values a guard may hold back.
    package init(
        keyConfiguration: KeyConfiguration?, providers: ProviderChain, observation: FlagObservationMode,
        issueReporter: FlagIssueReporter, observers: [any FlagResolutionObserver],
        guardedBy launchGuard: (any FlagValueGuard)?
    ) {
        self.launchGuard = launchGuard
        self.observers = observers
        self.keyConfiguration = keyConfiguration
        self.observation = observation
        self.issueReporter = issueReporter
        let admitted = providers.admitted(after: .empty)
        state = Mutex(State(chain: admitted))
        if let issue = admitted.issue { issueReporter.report(issue) }
    }

    // MARK: The chain

    /// The chain of all collections.
    ///
    /// A new chain is installed in one loader after the other, and in each of them atomically. See
    /// ``FlagsLoader/providers``.
    public var providers: ProviderChain {
        get { state.withLock { $0.chain.providers } }
        set { install(newValue, over: nil) }
    }

    /// Changes the chain of all collections in one step. See ``FlagsLoader/updateProviders(_:)``.
    ///
    /// - Parameter change: Edits the chain. It is called again, with the newer chain, if another thread changed the
    ///   chain meanwhile. If it changes the chain of the manager itself, its edit replaces that change.
    /// - Throws: The error of the closure. Nothing has changed then.
    public func updateProviders<Failure: Error>(
        _ change: (inout ProviderChain) throws(Failure) -> Void
    ) throws(Failure) {
        while true {
            let (old, revision) = state.withLock { ($0.chain.providers, $0.revision) }
            var new = old
            let update = ChainUpdate(of: self)
            try update.run { () throws(Failure) in try change(&new) }
            if install(new, over: update.closureChangedChain ? nil : revision) { return }
        }
    }

    /// Puts a chain in force for all collections.
    ///
    /// - Parameter revision: The revision that the chain was made from, or `nil` to replace any.
    /// - Returns: `false`, with nothing changed, if the chain was set since that revision.
    @discardableResult
    private func install(_ chain: ProviderChain, over revision: UInt64?) -> Bool {
        while true {
            let (present, count) = state.withLock { ($0.chain, $0.revision) }
            if let revision, revision != count { return false }
            let admitted = chain.admitted(after: present)
            let isInstalled = state.withLock { state in
                guard state.revision == count else { return false }
                state.chain = admitted
                state.revision += 1
                return true
            }
            guard isInstalled else { continue }
            ChainUpdate.recordChange(of: self)
            distributeChain()
            // Reported once the chain is in force, so that a reporter may change the chain.
            if let issue = admitted.issue { issueReporter.report(issue) }
            // Providers that left the chain are released here, outside the lock.
            withExtendedLifetime(present) {}
            return true
        }
    }

    /// Installs the chain in all loaders.
    ///
    /// It is repeated if the chain has changed meanwhile. So if two threads set the chain at the same time, the slower
    /// one doesn't leave an old chain in the loaders.
    private func distributeChain() {
        var installed: UInt64?
        while true {
            let (chain, loaders, revision) = state.withLock { ($0.chain, $0.loaders, $0.revision) }
            guard installed != revision else { return }
            for loader in loaders { loader.core.setChain(chain.deployed) }
            installed = revision
        }
    }

    /// The decision whether the manager's chain takes overrides.
    package var admission: OverrideAdmission { state.withLock { $0.chain.admission } }

    // MARK: Collections

    /// Returns the loader of a collection, and creates it if the collection is new. If it isn't, the other arguments
    /// are ignored.
    ///
    /// A key that another collection of the manager has too is reported, and both flags then take the same provider's
    /// value. So is a key that begins a key of another collection.
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
            type, description: description, keyConfiguration: keyConfiguration ?? self.keyConfiguration, providers: [],
            observation: observation ?? self.observation, issueReporter: issueReporter, observers: observers,
            guardedBy: launchGuard)
        while true {
            let (chain, revision) = state.withLock { ($0.chain, $0.revision) }
            // Set before another thread can see the loader.
            new.core.setChain(chain.deployed)
            let others = state.withLock { state -> [Managed]? in
                let isKnown = state.loaders.contains { $0.loader is FlagsLoader<Collection> }
                guard state.revision == revision, !isKnown else { return nil }
                defer { state.loaders.append(Managed(loader: new, core: new.core)) }
                return state.loaders
            }
            if let others {
                queues.forEach { $0.observe(new.core) }
                report(sharedKeysOf: new.core, with: others)
                return new
            }
            // Another thread has added the collection or set the chain meanwhile.
            if let known = loader(for: type) { return known }
        }
    }

    /// Returns the loader of a collection, or `nil` if the collection was not added.
    public func loader<Collection: FlagCollectionProtocol>(for type: Collection.Type) -> FlagsLoader<Collection>? {
        state.withLock { $0.loaders.lazy.compactMap { $0.loader as? FlagsLoader<Collection> }.first }
    }

    /// Removes a collection. A loader that you keep goes on working with the chain that it has.
    public func removeCollection<Collection: FlagCollectionProtocol>(_ type: Collection.Type) {
        let removed = state.withLock { state in
            let place = state.loaders.firstIndex { $0.loader is FlagsLoader<Collection> }
            return place.map { state.loaders.remove(at: $0) }
        }
        guard let removed else { return }
        queues.forEach { $0.stopObserving(removed.core) }
        let others = cores
        for key in removed.core.index.keyPaths
        where others.count(where: { $0.index.ordinal(forText: key.text) != nil }) == 1 {
            issueLog.resolve(.duplicateKey, key: key)
        }
    }

    /// Begins a new session in all collections. See ``FlagsLoader/beginSession()``.
    public func beginSession() { for core in cores { core.beginSession() } }

    private var cores: [LoaderCore] { state.withLock { $0.loaders.map(\.core) } }

    private func report(sharedKeysOf core: LoaderCore, with others: [Managed]) {
        for other in others {
            for key in core.index.keyPaths where other.core.index.ordinal(forText: key.text) != nil {
                let message = """
                    Two collections of one manager have a flag with the key "\(key)", so both flags follow one value. \
                    Give one collection a prefix with addCollection(_:keyConfiguration:).
                    """
                issueLog.report(FlagError(.duplicateKey, message, key: key), to: [issueReporter])
            }
            for (own, ordinal) in core.index.overlaps(with: other.core.index) {
                let key = core.index.keyPaths[own]
                let message = """
                    Two collections of one manager have flags with the keys "\(key)" and \
                    "\(other.core.index.keyPaths[ordinal])", so one name is a flag and a group. Give one collection a \
                    prefix with addCollection(_:keyConfiguration:).
                    """
                issueReporter.report(FlagError(.overlappingKeys, message, key: key))
            }
        }
    }

    // MARK: Flags

    /// The root of each collection, in the order in which they were added.
    public var collections: [FlagGroup] { cores.map { FlagGroup(owner: $0, ordinal: -1) } }

    /// All flags of all collections.
    public var allFlags: [AnyFlagHandle] { collections.flatMap(\.allFlags) }

    /// Returns the flag at a path in the first collection that has one, or `nil` if there is none.
    public func flag(at path: String) -> AnyFlagHandle? {
        for core in cores {
            if let ordinal = core.index.ordinal(forText: path) {
                return AnyFlagHandle(core: core, ordinal: ordinal)
            }
        }
        return nil
    }

    /// The changes of all flags of all collections, including those that are added later, as those of a group
    /// (``FlagGroup/changes``).
    public var changes: some AsyncSequence<FlagChange<EncodedFlagValue>, Never> & Sendable {
        FlagChanges { self.changeQueue() }
    }

    /// Returns a queue that observes all flags from now on.
    package func changeQueue() -> FlagChangeQueue {
        let queue = FlagChangeQueue()
        state.withLock { $0.queues.append(queue) }
        for core in cores { queue.observe(core) }
        return queue
    }

    /// The queues that still exist.
    private var queues: StrongList<FlagChangeQueue> { state.withLock { $0.queues.strong() } }
}
