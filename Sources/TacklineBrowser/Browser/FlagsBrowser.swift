import Synchronization
public import TacklineCore

/// A browser of the flags of this process, which shows and edits them.
///
/// ```swift
/// let browser = FlagsBrowser(userFlags, searchFlags)
/// let flags = browser.snapshot().flags(matching: FlagsBrowserFilter(text: "checkout"))
/// try await browser.perform(.set(flag: flags[0].id, to: .text("true")))
/// ```
///
/// From its creation on, the browser records every change of the flags, and its own edits so that they can be undone.
/// User interfaces show its ``snapshot()`` and send it commands; several may share one browser. The browser keeps the
/// loaders' data alive. You can call it from any thread.
public final class FlagsBrowser: Sendable {
    let configuration: FlagsBrowserConfiguration
    /// The deployment environment of the program: the strictest one of the loaders.
    public let environment: DeploymentEnvironment
    private let roots: @Sendable () -> [FlagGroup]
    let collectors: [ChangeCollector]
    let state: Mutex<State>
    /// Serializes edits.
    let turns = EditingTurns()
    private let follower = Mutex<Task<Void, Never>?>(nil)

    struct State: Sendable {
        var revision = 1
        /// The sum of the loaders' change counts when the revision was last raised.
        var changeCount: UInt64 = 0
        var layouts: [BrowserLayout] = []
        var drawings: [ObjectIdentifier: BrowserDrawing] = [:]
        var history = BrowserHistory()
        /// The edits in order, including those that can be redone.
        var edits: [BrowserEdit] = []
        var lastEdit = 0
        var pins: Set<String> = []
        let updates = FlagBroadcast<Int>(bufferLimit: 1)
    }

    /// Creates a browser for the collections of some loaders.
    ///
    /// - Parameters:
    ///   - loaders: The loaders, in the order of their sections.
    ///   - configuration: The settings of the browser.
    public convenience init<each Collection: FlagCollectionProtocol>(
        _ loaders: repeat FlagsLoader<each Collection>,
        configuration: FlagsBrowserConfiguration = FlagsBrowserConfiguration()
    ) {
        var roots: [FlagGroup] = []
        for loader in repeat each loaders { roots.append(loader.root) }
        self.init(roots: roots, configuration: configuration)
    }

    /// Creates a browser for the collections with the given roots, such as `[user.root, search.root]`.
    ///
    /// - Parameters:
    ///   - roots: The roots, in the order of their sections. Roots without a loader, roots that are nested in another
    ///     collection, and duplicates are ignored.
    ///   - configuration: The settings of the browser.
    public convenience init(
        roots: [FlagGroup], configuration: FlagsBrowserConfiguration = FlagsBrowserConfiguration()
    ) {
        var known: Set<ObjectIdentifier> = []
        let usable = roots.filter { root in
            guard let core = root.core, root.ordinal == -1 else { return false }
            return known.insert(ObjectIdentifier(core)).inserted
        }
        let environments = usable.compactMap(\.environment)
        // The strictest environment decides for all loaders.
        let strictest =
            environments.first { !$0.admitsOverrides } ?? environments.first { $0.isProduction } ?? environments.first
        self.init(
            roots: { usable }, queues: usable.compactMap { $0.changeQueue() }, environment: strictest ?? .detected,
            configuration: configuration)
    }

    /// Creates a browser for all collections of a manager, including those that are added later.
    ///
    /// - Parameters:
    ///   - manager: The manager, which the browser retains.
    ///   - configuration: The settings of the browser.
    public convenience init(
        manager: FlagsManager, configuration: FlagsBrowserConfiguration = FlagsBrowserConfiguration()
    ) {
        self.init(
            roots: { manager.collections }, queues: [manager.changeQueue()], environment: manager.chain.environment,
            configuration: configuration)
    }

    private init(
        roots: @escaping @Sendable () -> [FlagGroup], queues: [FlagChangeQueue],
        environment: DeploymentEnvironment,
        configuration: FlagsBrowserConfiguration
    ) {
        self.roots = roots
        self.environment = environment
        self.configuration = configuration
        collectors = queues.map { ChangeCollector($0) }
        var state = State()
        state.pins = Set(BrowserPins(storage: configuration.pins).stored ?? [])
        self.state = Mutex(state)
        let layouts = currentLayouts()
        self.state.withLock { $0.changeCount = layouts.totalChangeCount }
        follow()
    }

    deinit {
        follower.withLock { $0?.cancel() }
    }

    /// Starts a task that records the changes of the flags as they occur and notifies the user interfaces.
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

    /// Records the changes until now, and raises the revision if anything may have changed.
    func noticeChanges() {
        let layouts = currentLayouts()
        // The count is read before the changes are taken, so that a change in between raises the revision again.
        let count = layouts.totalChangeCount
        for collector in collectors { collector.prepare() }
        let now = configuration.now()
        let limit = configuration.recentChangesLimit
        state.withLock { state in
            // The changes are taken and recorded under one lock. Otherwise two threads could record them in the wrong
            // order.
            let records = collectors.flatMap { $0.take() }.compactMap {
                change -> (BrowserLayout.Entry, FlagChangeQueue.Change)? in
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

    /// Raises the revision and sends it to the user interfaces.
    static func raiseRevision(_ state: inout State) {
        state.revision += 1
        state.updates.send(state.revision)
    }

    /// Returns the layouts of the present roots. Creates layouts for new roots and discards those of removed roots.
    func currentLayouts() -> [BrowserLayout] {
        let known = state.withLock { $0.layouts }
        let roots = roots().compactMap { root in (root.core).map { (root: root, core: $0) } }
        if known.map({ ObjectIdentifier($0.core) }) == roots.map({ ObjectIdentifier($0.core) }) { return known }
        // A section keeps its id while it exists, even if an earlier section with the same name is removed.
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
                // Sections were added or removed.
                Self.raiseRevision(&state)
            }
            return (state.layouts, state.drawings)
        }
        // The last references to removed loaders may be released here, outside the lock.
        withExtendedLifetime(forgotten) {}
        return layouts
    }

    /// Returns a stream of revisions from now on. It begins with the current one and ends with the browser. Take a new
    /// snapshot at each. A slow reader gets only the newest revision.
    ///
    /// The stream reports only what providers and loaders notify of. A new status of a provider and the removal of a
    /// collection from a manager are not reported; they are in the next snapshot.
    public func updates() -> AsyncStream<Int> {
        state.withLock { $0.updates.makeStream(beginningWith: $0.revision) }
    }
}

extension [BrowserLayout] {
    /// The sum of the loaders' change counts.
    fileprivate var totalChangeCount: UInt64 { reduce(0) { $0 &+ $1.core.tracker.changeCount } }
}
