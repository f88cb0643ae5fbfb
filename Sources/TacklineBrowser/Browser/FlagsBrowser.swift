import Synchronization
public import TacklineCore
public import TacklineComposition

/// The browser of the flags of this process: what there is to see, and what may be done.
///
/// ```swift
/// let browser = FlagsBrowser(userFlags, searchFlags)
/// let flags = browser.snapshot().flags(matching: FlagsBrowserFilter(text: "checkout"))
/// try await browser.perform(.set(flag: flags[0].id, to: .text("true")))
/// ```
///
/// It follows the loaders from when it is made: it remembers what changed, whoever did it, and the edits that it made,
/// which can be undone. Faces draw its ``snapshot()`` and send it commands; several faces may share one. It keeps the
/// data of the loaders alive. Safe from any thread.
public final class FlagsBrowser: FlagsBrowserBackend {
    let configuration: FlagsBrowserConfiguration
    /// Where the program runs: the strictest environment of the loaders.
    public let environment: DeploymentEnvironment
    private let roots: @Sendable () -> [FlagGroup]
    let collectors: [ChangeCollector]
    let state: Mutex<State>
    /// Lets one edit happen after the other.
    let turns = EditingTurns()
    private let follower = Mutex<Task<Void, Never>?>(nil)

    struct State: Sendable {
        var revision = 1
        /// The changes counted by the loaders when the revision was last raised.
        var changeCount: UInt64 = 0
        var layouts: [BrowserLayout] = []
        var drawings: [ObjectIdentifier: BrowserDrawing] = [:]
        var history = BrowserHistory()
        /// In their order, those that can be done again included.
        var edits: [BrowserEdit] = []
        var lastEdit = 0
        var pins: Set<String> = []
        var listeners: [Int: AsyncStream<FlagsBrowserUpdate>.Continuation] = [:]
        var lastListener = 0
    }

    /// Makes a browser of the collections of some loaders.
    ///
    /// - Parameters:
    ///   - loaders: The loaders, in the order of their sections.
    ///   - configuration: How it is set up.
    public convenience init<each Collection: FlagCollectionProtocol>(
        _ loaders: repeat FlagsLoader<each Collection>,
        configuration: FlagsBrowserConfiguration = FlagsBrowserConfiguration()
    ) {
        var roots: [FlagGroup] = []
        for loader in repeat each loaders { roots.append(loader.root) }
        self.init(roots: roots, configuration: configuration)
    }

    /// Makes a browser of the collections of some loaders, given by their roots: `[user.root, search.root]`.
    ///
    /// - Parameters:
    ///   - roots: The roots, in the order of their sections. One without a loader is left out, and so is one that is
    ///     nested in another collection. One that is given twice counts once.
    ///   - configuration: How it is set up.
    public convenience init(
        roots: [FlagGroup], configuration: FlagsBrowserConfiguration = FlagsBrowserConfiguration()
    ) {
        var known: Set<ObjectIdentifier> = []
        let usable = roots.filter { root in
            guard let core = root.core, root.ordinal == -1 else { return false }
            return known.insert(ObjectIdentifier(core)).inserted
        }
        let environments = usable.compactMap(\.environment)
        // The strictest decides for all.
        let strictest =
            environments.first { !$0.admitsOverrides } ?? environments.first { $0.isProduction } ?? environments.first
        self.init(
            roots: { usable }, changes: usable.map(\.changes), environment: strictest ?? .detected,
            configuration: configuration)
    }

    /// Makes a browser of all collections of a manager, those that are added later included.
    ///
    /// - Parameters:
    ///   - manager: The manager. It is kept.
    ///   - configuration: How it is set up.
    public convenience init(
        manager: FlagsManager, configuration: FlagsBrowserConfiguration = FlagsBrowserConfiguration()
    ) {
        self.init(
            roots: { manager.collections }, changes: [manager.changes], environment: manager.environment,
            configuration: configuration)
    }

    private init(
        roots: @escaping @Sendable () -> [FlagGroup], changes: [UntypedFlagChanges],
        environment: DeploymentEnvironment,
        configuration: FlagsBrowserConfiguration
    ) {
        self.roots = roots
        self.environment = environment
        self.configuration = configuration
        collectors = changes.compactMap { ChangeCollector($0) }
        var state = State()
        state.pins = Set(BrowserPins(storage: configuration.pins).stored ?? [])
        self.state = Mutex(state)
        let layouts = currentLayouts()
        self.state.withLock { $0.changeCount = layouts.totalChangeCount }
        follow()
    }

    deinit {
        follower.withLock { $0?.cancel() }
        for listener in state.withLock({ $0.listeners }).values { listener.finish() }
    }

    /// Starts a task that records the changes of the flags as they occur and notifies the faces.
    private func follow() {
        let collectors = collectors
        let task = Task.detached { [weak self] in
            await withTaskGroup(of: Void.self) { group in
                for collector in collectors {
                    group.addTask { [weak self] in
                        while !Task.isCancelled {
                            await collector.wait()
                            self?.noticeChanges()
                        }
                    }
                }
            }
        }
        follower.withLock { $0 = task }
    }

    // MARK: Following

    /// Remembers what changed until now, and raises the revision if anything may have.
    func noticeChanges() {
        let layouts = currentLayouts()
        // Counted before the changes are taken, so that what comes in between raises the revision once more.
        let count = layouts.totalChangeCount
        for collector in collectors { collector.prepare() }
        let now = configuration.now()
        let limit = configuration.recentChangesLimit
        state.withLock { state in
            // Taken and remembered under one lock, or of two threads the later one could be the first to remember.
            let records = collectors.flatMap { $0.take() }.compactMap {
                change -> (BrowserLayout.Entry, UntypedFlagChange)? in
                let layout = layouts.first { $0.core === change.flag.core }
                return layout.flatMap { layout in
                    layout.entriesByOrdinal[change.flag.ordinal].map { (layout.entries[$0], change) }
                }
            }
            guard count != state.changeCount || !records.isEmpty else { return }
            state.changeCount = count
            for (entry, change) in records.suffix(max(limit, 0)) {
                state.history.add(change, of: entry.template, at: now, limit: limit)
            }
            Self.raiseRevision(&state)
        }
    }

    /// Counts a change of the browser itself and tells the faces. Yielding only enqueues.
    static func raiseRevision(_ state: inout State) {
        state.revision += 1
        for listener in state.listeners.values { listener.yield(.changed(revision: state.revision)) }
    }

    /// The layouts of the present roots. New ones are made, and those of roots that are gone are forgotten.
    func currentLayouts() -> [BrowserLayout] {
        let known = state.withLock { $0.layouts }
        let roots = roots().compactMap { root in (root.core).map { (root: root, core: $0) } }
        if known.map({ ObjectIdentifier($0.core) }) == roots.map({ ObjectIdentifier($0.core) }) { return known }
        // A section keeps its id as long as it is there, also if an earlier one of the same name goes.
        let present = Set(roots.map { ObjectIdentifier($0.core) })
        var taken = Set(known.filter { present.contains(ObjectIdentifier($0.core)) }.map(\.section.id))
        var layouts: [BrowserLayout] = []
        for (root, core) in roots where !layouts.contains(where: { $0.core === core }) {
            if let same = known.first(where: { $0.core === core }) {
                layouts.append(same)
                continue
            }
            let name = BrowserLayout.name(of: core)
            var id = name
            var number = 2
            while !taken.insert(id).inserted {
                id = "\(name) \(number)"
                number += 1
            }
            layouts.append(
                BrowserLayout(
                    root: root, core: core, id: id, showsInternalFlags: configuration.showsInternalFlags))
        }
        let current = Set(layouts.map { ObjectIdentifier($0.core) })
        let forgotten = state.withLock { state in
            defer {
                state.layouts = layouts
                state.drawings = state.drawings.filter { current.contains($0.key) }
                // Sections came or went.
                Self.raiseRevision(&state)
            }
            return (state.layouts, state.drawings)
        }
        // Loaders that left may go now, outside of the lock.
        withExtendedLifetime(forgotten) {}
        return layouts
    }

    /// Returns a stream that tells of changes from now on, beginning with the revision as of now. It ends with the browser.
    ///
    /// What providers and loaders do not tell is not told here either: that a provider's status became another one, that a
    /// collection was removed from a manager. The next snapshot has it.
    public func updates() -> AsyncStream<FlagsBrowserUpdate> {
        let (stream, continuation) = AsyncStream.makeStream(
            of: FlagsBrowserUpdate.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastListener += 1
            state.listeners[state.lastListener] = continuation
            continuation.yield(.changed(revision: state.revision))
            return state.lastListener
        }
        continuation.onTermination = { [weak self] _ in
            _ = self?.state.withLock { $0.listeners.removeValue(forKey: number) }
        }
        return stream
    }
}

extension [BrowserLayout] {
    /// What the loaders counted together.
    fileprivate var totalChangeCount: UInt64 { reduce(0) { $0 &+ $1.core.tracker.changeCount } }
}
