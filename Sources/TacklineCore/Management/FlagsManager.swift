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
        var providers: [any FlagProvider]
        /// Counts how often the chain was set.
        var generation = 0
        var loaders: [(type: ObjectIdentifier, loader: any ManagedLoader)] = []
    }

    private let state: Mutex<State>
    private let keyConfiguration: KeyConfiguration
    private let issueReporter: FlagIssueReporter

    /// Makes a manager without collections.
    ///
    /// - Parameters:
    ///   - keyConfiguration: How keys are made, for collections that are added without one of their own.
    ///   - providers: The chain of all collections, asked from the first to the last.
    ///   - issueReporter: Where issues go that cannot be thrown.
    public init(
        keyConfiguration: KeyConfiguration = KeyConfiguration(),
        providers: [any FlagProvider],
        issueReporter: FlagIssueReporter = .current
    ) {
        self.keyConfiguration = keyConfiguration
        self.issueReporter = issueReporter
        state = Mutex(State(providers: providers))
    }

    /// The chain of all collections.
    ///
    /// Setting it gives it to one loader after the other; each of them changes atomically.
    public var providers: [any FlagProvider] {
        get { state.withLock { $0.providers } }
        set {
            state.withLock { state in
                state.providers = newValue
                state.generation += 1
            }
            distributeProviders()
        }
    }

    /// Gives every loader the chain, again if another thread has set one meanwhile: the last one set is the last one
    /// that each loader gets.
    private func distributeProviders() {
        while true {
            let (generation, providers, loaders) = state.withLock { ($0.generation, $0.providers, $0.loaders) }
            for entry in loaders { entry.loader.loadedFlags.setProviders(providers) }
            if state.withLock({ $0.generation == generation }) { return }
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
            issueReporter: issueReporter)
        let (kept, others, providers, generation) = state.withLock { state in
            // Another thread may have been faster.
            if let known = state.loaders.first(where: { $0.type == ObjectIdentifier(type) }) {
                return (known.loader, [any ManagedLoader](), state.providers, state.generation)
            }
            let others = state.loaders.map(\.loader)
            state.loaders.append((ObjectIdentifier(type), loader))
            return (loader as any ManagedLoader, others, state.providers, state.generation)
        }
        guard kept.loadedFlags === loader.loaded else { return kept as? FlagsLoader<Collection> ?? loader }
        loader.loaded.setProviders(providers)
        if state.withLock({ $0.generation != generation }) { distributeProviders() }
        report(sharedKeysOf: loader.loaded, with: others)
        return loader
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
        // The loader may go now, outside of the lock.
        withExtendedLifetime(removed) {}
    }

    /// The root of each collection, in the order in which they were added.
    public var collections: [FlagGroup] {
        state.withLock { $0.loaders.map { FlagGroup(owner: $0.loader.loadedFlags, ordinal: -1) } }
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
