package import TacklineFoundation
import Synchronization
public import TacklineCore

// Foundation: the present time.

/// A browser of the flags of this process, which shows and edits them.
///
/// ```swift
/// let browser = FlagsBrowser(userFlags, searchFlags)
/// ```
///
/// Create it once and keep it: from then on it records every change of the flags. Show it in the app with the product
/// `TacklineSwiftUI`, or as a web page with `TacklineWeb`; several user interfaces may share one browser. The browser
/// keeps the loaders' data alive. You can use it from any thread.
public final class FlagsBrowser: Sendable {
    /// The deployment environment of the program: the strictest one of the loaders.
    public let environment: DeploymentEnvironment
    private let settings: Settings
    private let roots: @Sendable () -> [FlagGroup]
    let collectors: [ChangeCollector]
    let state = Mutex(State())
    /// Serializes edits.
    let turns = EditingTurns()
    private let follower = Mutex<Task<Void, Never>?>(nil)

    struct State: Sendable {
        var revision = 1
        /// The sum of the loaders' change counts when the revision was last raised.
        var changeCount: UInt64 = 0
        var layouts: [BrowserLayout] = []
        /// The number of the last snapshot, and of the first one with the present layouts.
        var lastSnapshot = 0, firstSnapshot = 1
        /// The number of invalidations of each flag, and of the first snapshot that was taken after them.
        var seen: [String: (version: UInt32, snapshot: Int)] = [:]
        /// The recent changes, oldest first.
        var changes: [FlagsBrowserChange] = []
        let updates = FlagBroadcast<Int>(bufferLimit: 1)
    }

    private struct Settings: Sendable {
        let title: String
        let access: Access
        let destination: String?
        let showsInternalFlags: Bool
        var now: @Sendable () -> Date = { Date() }
    }

    var access: Access { settings.access }
    var now: Date { settings.now() }

    /// The number of recent changes that are kept.
    private static let changeLimit = 100

    /// Creates a browser for the collections of some loaders.
    ///
    /// - Parameters:
    ///   - loaders: The loaders, in the order of their sections. The strictest of their environments decides.
    ///   - title: The title that user interfaces show.
    ///   - access: The access that the browser gives.
    ///   - destination: The id of the provider that edits go to if a user chooses none. If it is `nil`, or names a
    ///     provider that a chain doesn't have or that can't be written to, edits go to the override layer: the first
    ///     writable provider that is marked as one, or else the first writable provider in resolution order.
    ///   - showsInternalFlags: Whether flags and collections that are marked as internal are shown.
    public convenience init<each Collection: FlagCollectionProtocol>(
        _ loaders: repeat FlagsLoader<each Collection>, title: String = "Feature flags", access: Access = .full,
        destination: String? = nil, showsInternalFlags: Bool = false
    ) {
        var roots: [FlagGroup] = []
        for loader in repeat each loaders { roots.append(loader.root) }
        self.init(
            roots: roots, title: title, access: access, destination: destination,
            showsInternalFlags: showsInternalFlags)
    }

    /// Creates a browser for all collections of a manager, including those that are added later.
    ///
    /// - Parameters:
    ///   - manager: The manager, which the browser retains.
    ///   - title: The title that user interfaces show.
    ///   - access: The access that the browser gives.
    ///   - destination: The id of the provider that edits go to if a user chooses none, or `nil` for the override layer.
    ///   - showsInternalFlags: Whether flags and collections that are marked as internal are shown.
    public convenience init(
        manager: FlagsManager, title: String = "Feature flags", access: Access = .full, destination: String? = nil,
        showsInternalFlags: Bool = false
    ) {
        self.init(
            Settings(
                title: title, access: access, destination: destination, showsInternalFlags: showsInternalFlags),
            environment: manager.chain.environment, queues: [manager.changeQueue()], roots: { manager.collections })
    }

    /// Creates a browser for the collections with the given roots. Roots without a loader, and duplicates, are ignored.
    package convenience init(
        roots: [FlagGroup], title: String = "Feature flags", access: Access = .full, destination: String? = nil,
        showsInternalFlags: Bool = false, now: @escaping @Sendable () -> Date = { Date() }
    ) {
        var known: Set<ObjectIdentifier> = []
        let usable = roots.filter { root in
            root.core.map { known.insert(ObjectIdentifier($0)).inserted } ?? false
        }
        let environments = usable.compactMap(\.core?.installedChain.environment)
        let strictest =
            environments.first { !$0.admitsOverrides } ?? environments.first { $0.isProduction } ?? environments.first
        self.init(
            Settings(
                title: title, access: access, destination: destination, showsInternalFlags: showsInternalFlags,
                now: now),
            environment: strictest ?? .detected, queues: usable.compactMap { $0.changeQueue() }, roots: { usable })
    }

    private init(
        _ settings: Settings, environment: DeploymentEnvironment, queues: [FlagChangeQueue],
        roots: @escaping @Sendable () -> [FlagGroup]
    ) {
        (self.settings, self.environment, self.roots) = (settings, environment, roots)
        collectors = queues.map { ChangeCollector($0) }
        let layouts = currentLayouts()
        state.withLock { $0.changeCount = layouts.totalChangeCount }
        follow()
    }

    deinit {
        follower.withLock { $0?.cancel() }
    }

    // MARK: Following

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

    /// Records the changes until now, and raises the revision if anything may have changed.
    func noticeChanges() {
        let layouts = currentLayouts()
        // The count is read before the changes are taken, so that a change in between raises the revision again.
        let count = layouts.totalChangeCount
        for collector in collectors { collector.prepare() }
        let now = now
        state.withLock { state in
            // The changes are taken and recorded under one lock. Otherwise two threads could record them in the wrong
            // order.
            let changes = collectors.flatMap { $0.take() }
            guard count != state.changeCount || !changes.isEmpty else { return }
            state.changeCount = count
            for change in changes {
                guard let layout = layouts.first(where: { $0.core === change.flag.core }),
                    let index = layout.entriesByOrdinal[change.flag.ordinal]
                else { continue }
                state.add(change, of: layout.entries[index].template, at: now)
            }
            state.changes.removeFirst(max(state.changes.count - Self.changeLimit, 0))
            state.raiseRevision()
        }
    }

    /// Returns the layouts of the present roots. Creates layouts for new roots and discards those of removed roots.
    func currentLayouts() -> [BrowserLayout] {
        let known = state.withLock { $0.layouts }
        let roots = roots().compactMap { root in root.core.map { (root: root, core: $0) } }
        if known.map({ ObjectIdentifier($0.core) }) == roots.map({ ObjectIdentifier($0.core) }) { return known }
        // A section keeps its id while it exists, even if an earlier section with the same name is removed.
        let present = Set(roots.map { ObjectIdentifier($0.core) })
        var taken = Set(known.filter { present.contains(ObjectIdentifier($0.core)) }.map(\.section.id))
        var layouts: [BrowserLayout] = []
        for (root, core) in roots {
            if let same = known.first(where: { $0.core === core }) {
                layouts.append(same)
                continue
            }
            let name = String(describing: core.collectionType)
            var id = name
            var number = 2
            while !taken.insert(id).inserted {
                id = "\(name) \(number)"
                number += 1
            }
            layouts.append(
                BrowserLayout(root: root, core: core, id: id, showsInternalFlags: settings.showsInternalFlags))
        }
        let current = layouts
        let forgotten = state.withLock { state in
            defer {
                state.layouts = current
                state.firstSnapshot = state.lastSnapshot + 1
                // Sections were added or removed.
                state.raiseRevision()
            }
            return state.layouts
        }
        // The last references to removed loaders may be released here, outside the lock.
        withExtendedLifetime(forgotten) {}
        return layouts
    }

    func chain(of layout: BrowserLayout) -> BrowserChain {
        BrowserChain(of: layout.core, in: environment, access: access, destination: settings.destination)
    }

    /// Returns a stream of revisions from now on. It begins with the current one and ends with the browser. Take a new
    /// snapshot at each. A slow reader gets only the newest revision.
    ///
    /// The stream reports only what providers and loaders notify of. A new status of a provider and the removal of a
    /// collection from a manager are not reported; they are in the next snapshot.
    package func updates() -> AsyncStream<Int> {
        state.withLock { $0.updates.makeStream(beginningWith: $0.revision) }
    }

    /// Returns the flags and everything else that a user interface shows. Taking it doesn't count as a use of the flags.
    ///
    /// It runs code of providers: call it where that may take its time.
    ///
    /// - Parameter earlier: The number of a snapshot, if only the flags are wanted that providers and loaders have
    ///   announced since, that a command has written, or that are computed. What no provider announces is only in a whole
    ///   snapshot: values of providers without notices, pins, and dates that have passed.
    /// - Complexity: O(*n*) in the number of flags. Each that is in the snapshot asks every provider.
    package func snapshot(since earlier: Int? = nil) -> FlagsBrowserSnapshot {
        noticeChanges()
        _ = currentLayouts()
        let now = now
        let readOnlyReason = readOnlyReason
        var (snapshot, layouts, changed) = state.withLock { state in
            let changed = state.beginSnapshot(since: earlier)
            let snapshot = FlagsBrowserSnapshot(
                title: settings.title, environment: environment.name, isProduction: environment.isProduction,
                readOnlyReason: readOnlyReason, revision: state.revision, number: state.lastSnapshot,
                since: changed == nil ? nil : earlier, time: now, recentChanges: state.changes.reversed())
            return (snapshot, state.layouts, changed)
        }
        for layout in layouts {
            let chain = chain(of: layout)
            var section = layout.section
            section.providers = chain.providers
            section.defaultDestination = chain.defaultDestination
            snapshot.sections.append(section)
            let expiries = chain.expiries
            for entry in layout.entries where changed?.contains(entry.template.id) ?? true {
                var flag = entry.template
                flag.take(entry.handle.explain(), overrideLayers: chain.overrideLayers, expiries: expiries)
                flag.isExpired = flag.metadata.expiryDate.map { $0 <= now } ?? false
                flag.refusal = refusal(of: flag, in: chain)
                snapshot.flags.append(flag)
            }
        }
        return snapshot
    }
}

extension FlagsBrowser.State {
    /// Raises the revision and sends it to the user interfaces.
    mutating func raiseRevision() {
        revision += 1
        updates.send(revision)
    }

    /// Begins a snapshot, and returns the ids of the flags that may differ from an earlier one. Returns `nil` if all may.
    fileprivate mutating func beginSnapshot(since earlier: Int?) -> Set<String>? {
        lastSnapshot += 1
        for layout in layouts {
            for entry in layout.entries {
                let version = layout.core.tracker.version(of: entry.handle.ordinal)
                if seen[entry.template.id]?.version != version || entry.handle.isComputed {
                    seen[entry.template.id] = (version, lastSnapshot)
                }
            }
        }
        guard let earlier, firstSnapshot..<lastSnapshot ~= earlier else { return nil }
        return Set(seen.lazy.filter { $0.value.snapshot > earlier }.map(\.key))
    }

    /// The number of the newest change, 0 if there is none.
    var newestChange: Int { changes.last?.id ?? 0 }

    fileprivate mutating func add(_ change: FlagChangeQueue.Change, of flag: FlagsBrowserFlag, at time: Date) {
        func shown(_ value: FlagChangeQueue.Seen) -> FlagsBrowserValue {
            FlagsBrowserValue(value.encoded ?? .null, isSecret: flag.metadata.isSecret)
        }
        changes.append(
            FlagsBrowserChange(
                id: newestChange + 1, time: time, flag: flag.id, key: flag.key, old: shown(change.old),
                new: shown(change.new), source: change.source))
    }

    /// Sets the author of the first change after `number` of each flag in `flags`, because an edit causes one change of
    /// each flag.
    mutating func attribute(to author: String, flags: Set<String>, after number: Int) {
        var rest = flags
        for index in changes.indices where changes[index].id > number && changes[index].author == nil {
            if rest.remove(changes[index].flag) != nil { changes[index].author = author }
        }
    }
}

extension [BrowserLayout] {
    /// The sum of the loaders' change counts.
    fileprivate var totalChangeCount: UInt64 { reduce(0) { $0 &+ $1.core.tracker.changeCount } }
}

extension String {
    /// The text in quotes for a message, escaped and shortened if it is long.
    var quoted: String { EncodedFlagValue.string(self).description }
}
