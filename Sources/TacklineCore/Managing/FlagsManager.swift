import Synchronization

/// Several collections over one chain of providers.
///
/// Collections are told apart by their type, so two with one simple name do not get in each other's way. Safe from any
/// thread.
///
/// ```swift
/// let manager = FlagsManager(providers: [overrides, remote])
/// let user = manager.addCollection(UserExperiments.self)
/// let search = manager.addCollection(SearchFlags.self, keyConfiguration: .init(prefix: "search"))
/// manager.loader(for: UserExperiments.self)?.allowsSSON
/// ```
public final class FlagsManager: Sendable {
    private struct State: Sendable {
        var chain: ProviderChain
        var revision: UInt64 = 0
        var loaders: [(type: ObjectIdentifier, loader: any ManagedLoader)] = []
        /// The consumers of ``FlagsManager/changes``, which collections are added to.
        var consumers: [WeakConsumer] = []

        /// Adds a loader that has the chain of a revision.
        mutating func add(_ loader: any ManagedLoader, for type: ObjectIdentifier, at revision: UInt64) -> Addition {
            // Another thread may have been faster.
            if let known = loaders.first(where: { $0.type == type }) { return .known(known.loader) }
            guard revision == self.revision else { return .outdated }
            let others = loaders.map(\.loader)
            loaders.append((type, loader))
            return .added(others: others)
        }
    }

    private struct WeakConsumer: Sendable {
        weak var consumer: FlagChangeSubscription?
    }

    private enum Addition: Sendable {
        case added(others: [any ManagedLoader])
        case known(any ManagedLoader)
        /// The chain was set meanwhile.
        case outdated
    }

    private let state: Mutex<State>
    private let keyConfiguration: KeyConfiguration
    private let issueReporter: FlagIssueReporter
    private let modeSwitch: FlagModeSwitch?
    /// Where the program runs, as the manager was told.
    public let environment: FlagEnvironment

    /// Makes a manager without collections.
    ///
    /// - Parameters:
    ///   - keyConfiguration: How keys are made, for collections that are added without one of their own.
    ///   - chain: The chain of all collections. In production, providers that are marked as overrides are left out and
    ///     reported.
    ///   - environment: Where the program runs.
    ///   - modeSwitch: Switches between live and local values; `nil` for always live.
    ///   - issueReporter: Where issues go that cannot be thrown.
    public init(
        keyConfiguration: KeyConfiguration = KeyConfiguration(),
        chain: ProviderChain,
        environment: FlagEnvironment = .detected,
        modeSwitch: FlagModeSwitch? = nil,
        issueReporter: FlagIssueReporter = .current
    ) {
        self.keyConfiguration = keyConfiguration
        self.environment = environment
        self.modeSwitch = modeSwitch
        self.issueReporter = issueReporter
        state = Mutex(State(chain: chain.admitted(to: environment, reporter: issueReporter)))
    }

    /// Makes a manager without collections, with a chain in the order of a list.
    ///
    /// - Parameters:
    ///   - keyConfiguration: How keys are made, for collections that are added without one of their own.
    ///   - providers: The chain of all collections, asked from the first to the last. In production, providers that are
    ///     marked as overrides are left out and reported.
    ///   - environment: Where the program runs.
    ///   - modeSwitch: Switches between live and local values; `nil` for always live.
    ///   - issueReporter: Where issues go that cannot be thrown.
    public convenience init(
        keyConfiguration: KeyConfiguration = KeyConfiguration(),
        providers: [any FlagProvider],
        environment: FlagEnvironment = .detected,
        modeSwitch: FlagModeSwitch? = nil,
        issueReporter: FlagIssueReporter = .current
    ) {
        self.init(
            keyConfiguration: keyConfiguration, chain: ProviderChain(providers), environment: environment,
            modeSwitch: modeSwitch, issueReporter: issueReporter)
    }

    /// The chain of all collections.
    ///
    /// Setting it gives it to one loader after the other; each of them changes atomically. Overrides that the
    /// environment does not take are left out and reported.
    public var providers: [any FlagProvider] {
        get { chain.providers }
        set { chain = ProviderChain(newValue) }
    }

    /// The chain of all collections, with the priorities of its providers. Setting it is setting ``providers``.
    public var chain: ProviderChain {
        get { state.withLock { $0.chain } }
        set { install(newValue, over: nil) }
    }

    /// Changes the chain of all collections in one step. See ``FlagsLoader/updateChain(_:)``.
    ///
    /// - Parameter change: Called again, with the newer chain, if somebody else changed the chain meanwhile.
    /// - Throws: What the closure throws. Nothing has changed then.
    public func updateChain<Failure: Error>(
        _ change: (inout ProviderChain) throws(Failure) -> Void
    ) throws(Failure) {
        while true {
            let (old, revision) = state.withLock { ($0.chain, $0.revision) }
            var new = old
            try change(&new)
            if install(new, over: revision) { return }
        }
    }

    @discardableResult
    private func install(_ chain: ProviderChain, over revision: UInt64?) -> Bool {
        let admitted = chain.admitted(to: environment, reporter: issueReporter)
        let old = state.withLock { state -> ProviderChain? in
            guard revision == nil || revision == state.revision else { return nil }
            let old = state.chain
            state.chain = admitted
            state.revision += 1
            return old
        }
        guard let old else { return false }
        distributeChain()
        // Providers that left the chain may go now, outside of the lock.
        withExtendedLifetime(old) {}
        return true
    }

    /// Gives the chain to all loaders.
    ///
    /// Repeated until the chain that was given is still the manager's, so that of two threads that change it at the
    /// same time the slower one does not leave an old chain behind.
    private func distributeChain() {
        var given: UInt64?
        while true {
            let (chain, loaders, revision) = state.withLock { state in
                (state.chain, state.loaders.map(\.loader), state.revision)
            }
            guard given != revision else { return }
            for loader in loaders { loader.loadedFlags.setChain(chain) }
            given = revision
        }
    }

    /// Makes a loader for a collection, or returns the one that there is.
    ///
    /// A key that another collection of the manager has already is reported; the first writer's and the second's flag
    /// then have one value.
    ///
    /// - Parameters:
    ///   - type: The collection. It identifies the loader.
    ///   - description: What people should know about it.
    ///   - keyConfiguration: How its keys are made; `nil` for the manager's way.
    @discardableResult
    public func addCollection<Collection: FlagCollectionProtocol>(
        _ type: Collection.Type,
        description: FlagMetadata = FlagMetadata(),
        keyConfiguration: KeyConfiguration? = nil
    ) -> FlagsLoader<Collection> {
        if let known = loader(for: type) { return known }
        let loader = FlagsLoader(
            type, description: description, keyConfiguration: keyConfiguration ?? self.keyConfiguration, providers: [],
            environment: environment, modeSwitch: modeSwitch, issueReporter: issueReporter)
        while true {
            let (chain, revision) = state.withLock { ($0.chain, $0.revision) }
            // Nobody sees the loader before it has the chain.
            loader.loaded.setChain(chain)
            switch state.withLock({ $0.add(loader, for: ObjectIdentifier(type), at: revision) }) {
            case .added(let others):
                for consumer in consumers { consumer.followAll(loader.loaded) }
                report(sharedKeysOf: loader.loaded, with: others)
                return loader
            case .known(let known):
                return known as? FlagsLoader<Collection> ?? loader
            case .outdated:
                continue
            }
        }
    }

    /// Begins a new session in all collections. See ``FlagsLoader/beginSession()``.
    public func beginSession() {
        let loaders = state.withLock { $0.loaders.map(\.loader) }
        for loader in loaders { loader.loadedFlags.beginSession() }
    }

    /// Returns the loader of a collection, or `nil` if it was not added.
    public func loader<Collection: FlagCollectionProtocol>(for type: Collection.Type) -> FlagsLoader<Collection>? {
        state.withLock { state in
            state.loaders.first { $0.type == ObjectIdentifier(type) }?.loader as? FlagsLoader<Collection>
        }
    }

    /// Forgets a collection. Its loader goes on as long as somebody keeps it, with the chain that it has.
    public func removeCollection<Collection: FlagCollectionProtocol>(_ type: Collection.Type) {
        let removed = state.withLock { state in
            let removed = state.loaders.filter { $0.type == ObjectIdentifier(type) }
            state.loaders.removeAll { $0.type == ObjectIdentifier(type) }
            return removed
        }
        for entry in removed { for consumer in consumers { consumer.leave(entry.loader.loadedFlags) } }
        // The loader may go now, outside of the lock.
        withExtendedLifetime(removed) {}
    }

    /// The root of each collection, in the order in which they were added.
    public var collections: [FlagGroup] {
        state.withLock { $0.loaders.map { FlagGroup(owner: $0.loader.loadedFlags, ordinal: -1) } }
    }

    /// The changes of all flags of all collections, those that are added later included. Each consumer gets all of them.
    ///
    /// Each collection keeps the order of its own commits.
    public var changes: FlagReferenceChanges {
        FlagReferenceChanges { [self] limit in
            let subscription = FlagChangeSubscription(buffer: FlagChangeBuffer(limit: limit))
            let loaders = state.withLock { state in
                state.consumers.append(WeakConsumer(consumer: subscription))
                return state.loaders
            }
            for entry in loaders { subscription.followAll(entry.loader.loadedFlags) }
            return subscription
        }
    }

    private var consumers: [FlagChangeSubscription] {
        state.withLock { state in
            state.consumers.removeAll { $0.consumer == nil }
            return state.consumers.compactMap(\.consumer)
        }
    }

    /// Describes the flags of all collections, for tools that cannot run the app.
    ///
    /// - Complexity: O(*n*) in the number of flags; every default is encoded.
    public func manifest() -> FlagManifest {
        FlagManifest(collections)
    }

    /// Every flag of every collection.
    public var allFlags: [FlagReference] {
        collections.flatMap(\.allFlags)
    }

    /// Returns the flag at a path, in the first collection that has one.
    public func flag(at path: String) -> FlagReference? {
        let loaders = state.withLock { $0.loaders }
        for entry in loaders {
            let loaded = entry.loader.loadedFlags
            if let ordinal = loaded.index.ordinal(forText: path) {
                return FlagReference(loaded: loaded, ordinal: ordinal)
            }
        }
        return nil
    }

    private func report(sharedKeysOf loaded: LoadedFlags, with others: [any ManagedLoader]) {
        for other in others.map(\.loadedFlags) {
            for entry in loaded.index.entries where other.index.ordinal(forText: entry.keyPath.text) != nil {
                issueReporter.report(
                    FlagIssue(
                        .duplicateKey,
                        message: """
                            Two collections of one manager have a flag with the key "\(entry.keyPath)", so both follow \
                            one value. Give one collection a prefix with addCollection(_:keyConfiguration:).
                            """,
                        key: entry.keyPath))
            }
        }
    }
}

/// A loader of any collection.
private protocol ManagedLoader: AnyObject, Sendable {
    var loadedFlags: LoadedFlags { get }
}

extension FlagsLoader: ManagedLoader {
    fileprivate var loadedFlags: LoadedFlags { loaded }
}
