import Synchronization

/// Several collections with one chain of providers.
///
/// Collections are identified by their type, so types of different modules may have the same name. Safe from any thread.
///
/// ```swift
/// let manager = FlagsManager(providers: [overrides, remote])
/// let user = manager.addCollection(UserExperiments.self)
/// let search = manager.addCollection(SearchFlags.self, keyConfiguration: .init(prefix: "search"))
/// manager.loader(for: UserExperiments.self)?.allowsSSON
/// ```
public final class FlagsManager: Sendable {
    private struct State: Sendable {
        /// The chain as it was set, without overrides that were refused.
        var chain: AdmittedChain
        /// How often the chain was set.
        var revision: UInt64 = 0
        /// One for each collection type.
        var loaders: [Managed] = []
        /// The consumers of ``FlagsManager/changes``, which follow each added collection.
        var consumers: [WeakConsumer] = []
    }

    private struct Managed: Sendable {
        /// A ``FlagsLoader``, whose collection type tells it from the others.
        let loader: any AnyObject & Sendable
        let core: LoaderCore
    }

    private struct WeakConsumer: Sendable { weak var consumer: FlagsFollower? }

    private let state: Mutex<State>
    private let keyConfiguration: KeyConfiguration
    private let observation: FlagObservationMode
    private let issueReporter: FlagIssueReporter

    /// Makes a manager without collections.
    ///
    /// - Parameters:
    ///   - keyConfiguration: How keys are made, for collections that are added without their own configuration.
    ///   - providers: The chain of all collections, asked from the first to the last. In production, providers that are
    ///     marked as overrides are left out and reported.
    ///   - observation: Whether reads are registered with Observation, for collections that are added without their own
    ///     mode.
    ///   - issueReporter: Receives issues that cannot be thrown.
    public init(
        keyConfiguration: KeyConfiguration = KeyConfiguration(), providers: ProviderChain,
        observation: FlagObservationMode = .automatic, issueReporter: FlagIssueReporter = .current
    ) {
        self.keyConfiguration = keyConfiguration
        self.observation = observation
        self.issueReporter = issueReporter
        state = Mutex(State(chain: providers.admitted(after: .empty, reporter: issueReporter)))
    }

    // MARK: The chain

    /// The chain of all collections.
    ///
    /// A new chain is given to one loader after the other; each of them changes atomically. See ``FlagsLoader/providers``.
    public var providers: ProviderChain {
        get { state.withLock { $0.chain.providers } }
        set { install(newValue, over: nil) }
    }

    /// Changes the chain of all collections in one step. See ``FlagsLoader/updateProviders(_:)``.
    ///
    /// - Parameter change: Called again, with the newer chain, if another thread changed the chain meanwhile.
    /// - Throws: What the closure throws. Nothing has changed then.
    public func updateProviders<Failure: Error>(
        _ change: (inout ProviderChain) throws(Failure) -> Void
    ) throws(Failure) {
        while true {
            let (old, revision) = state.withLock { ($0.chain.providers, $0.revision) }
            var new = old
            try change(&new)
            if install(new, over: revision) { return }
        }
    }

    /// Puts a chain in force for all collections.
    ///
    /// - Parameter revision: The revision that the chain was made from; `nil` to replace any.
    /// - Returns: `false`, with nothing changed, if the chain was set since that revision.
    @discardableResult
    private func install(_ chain: ProviderChain, over revision: UInt64?) -> Bool {
        while true {
            let (present, count) = state.withLock { ($0.chain, $0.revision) }
            if let revision, revision != count { return false }
            let admitted = chain.admitted(after: present, reporter: issueReporter)
            let isInstalled = state.withLock { state in
                guard state.revision == count else { return false }
                state.chain = admitted
                state.revision += 1
                return true
            }
            guard isInstalled else { continue }
            distributeChain()
            // Providers that left the chain are released here, outside of the lock.
            withExtendedLifetime(present) {}
            return true
        }
    }

    /// Gives the chain to all loaders.
    ///
    /// Repeated if the chain has changed meanwhile, so that of two threads that set it at the same time the slower one does
    /// not leave an old chain in the loaders.
    private func distributeChain() {
        var given: UInt64?
        while true {
            let (chain, loaders, revision) = state.withLock { ($0.chain, $0.loaders, $0.revision) }
            guard given != revision else { return }
            for loader in loaders { loader.core.setChain(chain.deployed) }
            given = revision
        }
    }

    /// Whether the chain admits overrides, and why.
    package var admission: OverrideAdmission { state.withLock { $0.chain.admission } }

    // MARK: Collections

    /// Makes a loader for a collection, or returns the existing one, which ignores the other arguments.
    ///
    /// A key that another collection of the manager has too is reported; both flags then follow the same value.
    ///
    /// - Parameters:
    ///   - type: The collection. It identifies the loader.
    ///   - description: What people should know about the collection.
    ///   - keyConfiguration: How its keys are made; `nil` for the manager's configuration.
    ///   - observation: Whether reads are registered with Observation; `nil` for the manager's mode.
    @discardableResult
    public func addCollection<Collection: FlagCollectionProtocol>(
        _ type: Collection.Type, description: FlagMetadata = FlagMetadata(), keyConfiguration: KeyConfiguration? = nil,
        observation: FlagObservationMode? = nil
    ) -> FlagsLoader<Collection> {
        if let known = loader(for: type) { return known }
        let new = FlagsLoader(
            type, description: description, keyConfiguration: keyConfiguration ?? self.keyConfiguration, providers: [],
            observation: observation ?? self.observation, issueReporter: issueReporter)
        while true {
            let (chain, revision) = state.withLock { ($0.chain, $0.revision) }
            // Set before anybody else can see the loader.
            new.core.setChain(chain.deployed)
            let others = state.withLock { state -> [Managed]? in
                let isKnown = state.loaders.contains { $0.loader is FlagsLoader<Collection> }
                guard state.revision == revision, !isKnown else { return nil }
                defer { state.loaders.append(Managed(loader: new, core: new.core)) }
                return state.loaders
            }
            if let others {
                for consumer in consumers { consumer.follow(new.core) }
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

    /// Removes a collection. A loader that is still referenced goes on working, with the chain that it has.
    public func removeCollection<Collection: FlagCollectionProtocol>(_ type: Collection.Type) {
        let removed = state.withLock { state in
            let place = state.loaders.firstIndex { $0.loader is FlagsLoader<Collection> }
            return place.map { state.loaders.remove(at: $0) }
        }
        if let removed { for consumer in consumers { consumer.leave(removed.core) } }
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
                issueReporter.report(FlagIssue(.duplicateKey, message: message, key: key))
            }
        }
    }

    // MARK: Flags

    /// The root of each collection, in the order in which they were added.
    public var collections: [FlagGroup] { cores.map { FlagGroup(owner: $0, ordinal: -1) } }

    /// Every flag of every collection.
    public var allFlags: [FlagReference] { collections.flatMap(\.allFlags) }

    /// Returns the flag at a path, in the first collection that has one.
    public func flag(at path: String) -> FlagReference? {
        for core in cores {
            if let ordinal = core.index.ordinal(forText: path) { return FlagReference(core: core, ordinal: ordinal) }
        }
        return nil
    }

    /// The changes of all flags of all collections, also of those that are added later. Each consumer gets all of them, in
    /// the order of the commits of each collection.
    public var changes: FlagReferenceChanges {
        FlagReferenceChanges { [self] in
            let follower = FlagsFollower()
            state.withLock { $0.consumers.append(WeakConsumer(consumer: follower)) }
            for core in cores { follower.follow(core) }
            return follower
        }
    }

    /// The consumers that still exist.
    private var consumers: [FlagsFollower] {
        state.withLock { state in
            state.consumers.removeAll { $0.consumer == nil }
            return state.consumers.compactMap(\.consumer)
        }
    }
}
