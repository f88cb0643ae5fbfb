public import Observation

/// A loader of a collection of flags, which take their values from an ordered chain of providers.
///
/// ```swift
/// let user = FlagsLoader(UserExperiments.self, providers: [overrides, remote, regionDefaults])
/// if user.allowsSSON { … }
/// if user.secrets.boomFeature { … }
/// ```
///
/// The value of a flag is the first usable one of: a value that a test has set for the current task, a pinned value
/// (``FlagUpdatePolicy``), the flag's own computed value, the values of the providers in their order, and the default.
/// A provider's value that the flag's type refuses is reported and skipped. Use a loader from any thread. A read costs
/// about as much as one or two atomic loads.
///
/// Creating a loader doesn't fail. Mistakes in the declaration, such as two flags with one key, are reported to the
/// issue reporter all at once, and ``validate()`` throws the same list.
@dynamicMemberLookup
public final class FlagsLoader<Collection: FlagCollectionProtocol>: Sendable {
    /// The collection. Read a flag through it if the flag has the name of a member of the loader, such as `providers`.
    ///
    /// After the loader is deallocated, flags of copies of the collection return their defaults, and each read reports
    /// that.
    public let flags: Collection

    package let observationMode: FlagObservationMode
    package let core: LoaderCore

    /// Creates a loader.
    ///
    /// - Parameters:
    ///   - type: The type of the root collection.
    ///   - description: The description of the collection for people.
    ///   - keyConfiguration: The way in which the keys of the flags are made, or `nil` for
    ///     ``FlagCollectionProtocol/keyConfiguration`` of the collection.
    ///   - environment: The environment. In production, overrides are left out of the chain.
    ///   - providers: The chain, from the first provider to the last.
    ///   - mode: A switch that leaves providers out whose values come from elsewhere, or `nil` to ask all.
    ///   - observation: The mode in which reads are registered with Observation.
    ///   - issueReporter: The destination of issues, including those of the providers.
    ///   - observers: The observers of the values that reads are given. They are kept as long as the loader.
    /// - Complexity: O(*n*) in the number of flags. The first loader of a type in a process reflects the type, which
    ///   takes a few microseconds for each flag. Later ones take about 0.15 microseconds for each flag.
    public convenience init(
        _ type: Collection.Type = Collection.self, description: FlagMetadata = FlagMetadata(),
        keyConfiguration: KeyConfiguration? = nil, environment: DeploymentEnvironment = .detected,
        providers: [any FlagProvider], mode: FlagModeSwitch? = nil, observation: FlagObservationMode = .automatic,
        issueReporter: FlagIssueReporter = .current, observers: [any FlagResolutionObserver] = []
    ) {
        self.init(
            description: description, keyConfiguration: keyConfiguration,
            chain: InstalledChain(
                providers, environment: environment, mode: mode, reporter: issueReporter, observers: observers),
            observation: observation)
    }

    /// Creates a loader with a chain that others may share.
    package init(
        description: FlagMetadata, keyConfiguration: KeyConfiguration?, chain: InstalledChain,
        observation: FlagObservationMode
    ) {
        let construction = FlagConstruction(of: Collection.self)
        flags = construction.construct { Collection() }
        core = LoaderCore(
            flags, construction, keyConfiguration: keyConfiguration, metadata: description, chain: chain)
        observationMode = observation
        if observation.isOnAtOnce { core.beginObserving() }
        core.issues.forEach(chain.reporter.report)
    }

    /// Returns the value of a flag, its handle, a nested collection or its group: `loader.allowsSSON`,
    /// `loader.$allowsSSON`, `loader.secrets`, `loader.$secrets`.
    ///
    /// A nested collection doesn't keep the loader alive. Keep the loader while you read from one:
    /// `makeLoader().secrets.boomFeature` may return the default, because the loader is deallocated before the flag is
    /// read.
    @inlinable
    public subscript<Member>(dynamicMember member: KeyPath<Collection, Member>) -> Member {
        @inline(__always) get { flags[keyPath: member] }
    }
}

extension FlagsLoader {
    /// The root collection as a tree: its metadata, its flags and its nested collections.
    public var root: FlagGroup { FlagGroup(owner: core, ordinal: -1) }

    /// Returns the flag with a key, or `nil` if there is none: `loader.flag(at: "secrets/boom_feature")`.
    ///
    /// - Parameter key: The key. A text in the loader's separator is also found if that separator isn't `/`.
    /// - Complexity: O(*n*) in the length of the key.
    public func flag(at key: FlagKeyPath) -> AnyFlagHandle? {
        core.index.ordinal(of: key).map { AnyFlagHandle(core: core, ordinal: $0) }
    }

    /// The changes of all flags. Each iterator is independent of the others.
    public var changes: some AsyncSequence<FlagChange<EncodedFlagValue>, Never> & Sendable { root.changes }

    /// Throws the mistakes in the declaration of the collection, all at once.
    ///
    /// They were reported when the loader was created. Call this method in a unit test. It also finds flags and nested
    /// collections that can't be read as `loader.name`, because the loader has a member of that name.
    ///
    /// - Throws: ``FlagError`` with the code ``FlagError/Code/invalidDeclaration`` and each mistake as one of its
    ///   ``FlagError/underlying`` errors.
    public func validate() throws(FlagError) {
        let root = (core.index.shape.flags + core.index.shape.groups).filter { $0.parent < 0 }.map(\.label)
        let hidden = root.filter { FlagIndex.loaderMembers.contains($0) }.map { label in
            let message = """
                The property "\(label)" of \(Collection.self) has the name of a member of FlagsLoader, which hides it: \
                loader.\(label) is the loader's own. Give the property another name and keep its key with \
                key: "\(label)", or read it as loader.flags.\(label).
                """
            return FlagError(.hiddenFlag, message)
        }
        let issues = core.issues + hidden
        guard !issues.isEmpty else { return }
        let message =
            "The declaration of \(Collection.self) has \(issues.count == 1 ? "a mistake" : "mistakes"). Correct it."
        throw FlagError(.invalidDeclaration, message, underlying: issues)
    }

    /// Begins a new session: flags with ``FlagUpdatePolicy/session`` are pinned anew at their next read.
    ///
    /// Call it at a time when a change of values does no harm: when the app returns to the foreground, after log-in, on
    /// the first screen. Observers are notified of exactly the flags whose value differs now. Call it from any thread.
    /// A read on another thread during the call returns a value from before the call or from after it. The loader's
    /// observers receive each value again at its next read, so exposures count once for each session.
    ///
    /// - Complexity: O(*n*) in the number of flags.
    public func beginSession() { core.beginSession() }

    // MARK: The chain

    /// The chain, from the first provider to the last: `loader.providers = [overrides, remote]`.
    ///
    /// Setting it is atomic: each read sees the old chain or the new one. In production, overrides are left out, so the
    /// chain that you get may be shorter than the one that you set. The loaders of a ``FlagsManager`` share one chain, so
    /// all of them get what is set in one.
    public var providers: [any FlagProvider] {
        get { core.chain.providers }
        set { core.installedChain.updateProviders { $0 = newValue } }
    }

    /// Changes the chain in one step: `loader.updateProviders { $0.append(demoValues) }`.
    ///
    /// - Parameter change: Edits the chain. It may read flags, and must not change the chain otherwise. It is called
    ///   again, with the newer chain, if another thread has changed the chain meanwhile.
    /// - Throws: The error of the closure. Nothing has changed then.
    public func updateProviders(_ change: (inout [any FlagProvider]) throws -> Void) rethrows {
        try core.installedChain.updateProviders(change)
    }

    /// Registers reads with Observation because a view reads the loader, unless the mode forbids it.
    package func beginObservingForView() { if observationMode != .untracked { core.beginObserving() } }
}

/// A view finds a loader with `@Environment(FlagsLoader<AppFlags>.self)`. Observation tracks each flag by itself: what read
/// one flag is not notified of a change of another.
extension FlagsLoader: Observable {}

extension FlagsLoader: CustomDebugStringConvertible {
    /// The name of the collection and a line for each flag: the key, the value and its source.
    public var debugDescription: String {
        let lines = core.ordinals.map { "\n  \(AnyFlagHandle(core: core, ordinal: $0))" }
        return "\(Collection.self), \(lines.count) flags\(lines.joined())"
    }
}

/// The mode in which reads of a loader's flags are registered with Observation.
///
/// A registered read costs little more than `ObservationRegistrar.access` itself, which takes some ten nanoseconds.
/// While reads are not registered, Observation costs them nothing.
public enum FlagObservationMode: Sendable, Hashable {
    /// Registration on platforms with SwiftUI, and on others from the time when the loader is first injected into a
    /// view.
    case automatic
    /// Registration of every read.
    case tracked
    /// No registration, even if the loader is injected into a view.
    case untracked

    fileprivate var isOnAtOnce: Bool {
        #if canImport(SwiftUI)
            return self != .untracked
        #else
            return self == .tracked
        #endif
    }
}

extension FlagIndex {
    /// The members of ``FlagsLoader`` in all modules. The compiler finds them before it searches the collection, so
    /// each of them hides a flag of the same name.
    package static let loaderMembers: Set<String> = [
        "beginSession", "changes", "flag", "flags", "providers", "root", "snapshot", "updateProviders", "validate",
    ]
}
