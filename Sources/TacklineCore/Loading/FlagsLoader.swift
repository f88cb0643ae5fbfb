/// Loads a collection of flags, which take their values from an ordered chain of providers.
///
/// ```swift
/// let user = FlagsLoader(UserExperiments.self, providers: [overrides, remote, regionDefaults])
/// if user.allowsSSON { … }
/// if user.secrets.boomFeature { … }
/// ```
///
/// A flag's value is the first usable one of: what a test has set for the current task, what is held
/// (``FlagUpdatePolicy``), its own computed value, the providers in their order, its default. A provider's value which the
/// flag's type refuses is reported and passed over. Everything is safe from any thread; a read costs about what one or
/// two atomic loads cost.
///
/// Making a loader does not fail: mistakes in the declaration, such as two flags with one key, are reported together to
/// the issue reporter, and ``validate()`` throws the same list.
@dynamicMemberLookup
public final class FlagsLoader<Collection: FlagCollectionProtocol>: Sendable {
    /// The collection. A flag with the name of one of the loader's own members, such as `providers`, is read here.
    ///
    /// Copies of it give defaults, and report that, once the loader is gone.
    public let flags: Collection

    /// Whether reads are registered with Observation.
    public let observationMode: FlagObservationMode

    package let core: LoaderCore

    /// Makes a loader.
    ///
    /// - Parameters:
    ///   - type: The root collection.
    ///   - description: What people should know about it.
    ///   - keyConfiguration: How the keys of its flags are made.
    ///   - providers: The chain, asked from the first to the last. In production, providers that are marked as overrides
    ///     are left out and reported.
    ///   - observation: Whether reads are registered with Observation.
    ///   - issueReporter: Where issues go that cannot be thrown.
    /// - Complexity: O(*n*) in the number of flags. The first loader of a type in a process reflects it, at some
    ///   microseconds for each flag; later ones take a third of a microsecond for each.
    public init(
        _ type: Collection.Type = Collection.self, description: FlagMetadata = FlagMetadata(),
        keyConfiguration: KeyConfiguration = KeyConfiguration(), providers: ProviderChain,
        observation: FlagObservationMode = .automatic, issueReporter: FlagIssueReporter = .current
    ) {
        let (collection, plan) = FlagLoadingPlan.make(type, configuration: keyConfiguration)
        flags = collection
        observationMode = observation
        core = LoaderCore(
            plan, root: collection, metadata: description, providers: providers, reporter: issueReporter)
        if observation.isOnAtOnce { core.beginObserving() }
        for issue in core.issues { issueReporter.report(issue) }
    }

    /// The value of a flag, its handle, a nested collection or its group: `loader.allowsSSON`, `loader.$allowsSSON`,
    /// `loader.secrets`, `loader.$secrets`.
    ///
    /// A nested collection does not keep the loader. Hold the loader while you read from one:
    /// `makeLoader().secrets.boomFeature` may find the loader gone, and then gives the default and reports it.
    @inlinable
    public subscript<Member>(dynamicMember member: KeyPath<Collection, Member>) -> Member {
        @inline(__always) get { flags[keyPath: member] }
    }
}

extension FlagsLoader {
    /// What people should know about the collection.
    public var metadata: FlagMetadata { core.metadata }

    /// How the keys were made.
    public var keyConfiguration: KeyConfiguration { core.index.configuration }

    /// Where the loader's issues go.
    public var issueReporter: FlagIssueReporter { core.reporter }

    /// Throws the mistakes in the declaration of the collection, all at once.
    ///
    /// They were reported when the loader was made; this is for a unit test. It also finds flags and nested collections
    /// that cannot be read as `loader.name`, since the loader has a member of that name.
    ///
    /// - Throws: ``FlagDeclarationError`` if there is a mistake.
    public func validate() throws(FlagDeclarationError) {
        let issues = core.issues + core.index.hiddenLabels.map { .hiddenFlag($0, in: Collection.self) }
        guard issues.isEmpty else { throw FlagDeclarationError(issues: issues) }
    }

    /// Begins a new session: flags with ``FlagUpdatePolicy/session`` are fixed anew at their next read.
    ///
    /// Call it where a change hurts nobody: when the app comes back to the foreground, after log-in, on the first screen.
    /// Whoever follows changes is told of exactly the flags whose value differs now. Safe from any thread; a read on
    /// another thread during the call is answered as before it or as after it.
    ///
    /// - Complexity: O(*n*) in the number of flags.
    public func beginSession() { core.beginSession() }

    // MARK: The chain

    /// The chain, asked from the first to the last. Set it to a list: `loader.providers = [overrides, remote]`.
    ///
    /// Setting it is atomic for readers: each read sees the old chain or the new one. Overrides are left out and reported
    /// where the loader takes none, so what you read may be less than what you set. A chain that names no deployment
    /// environment and no mode switch keeps those of the one before.
    public var providers: ProviderChain {
        get { core.givenChain }
        set { core.setChain(newValue) }
    }

    /// Changes the chain in one step: `loader.updateProviders { $0.append(demoValues) }`.
    ///
    /// - Parameter change: Called again, with the newer chain, if somebody else changed the chain meanwhile. It may read
    ///   flags.
    /// - Throws: What the closure throws. Nothing has changed then.
    public func updateProviders<Failure: Error>(
        _ change: (inout ProviderChain) throws(Failure) -> Void
    ) throws(Failure) {
        try core.updateChain(change)
    }

    /// The ids of the providers, in the order of the chain: their names, with a number behind one that was taken.
    public var providerIDs: [String] { core.resolver.chain.links.map(\.id) }
}

/// Whether reads of a loader's flags are registered with Observation.
///
/// A registered read costs little more than what `ObservationRegistrar.access` itself costs, some ten nanoseconds. Where
/// reads are not registered, Observation costs them nothing.
public enum FlagObservationMode: Sendable, Hashable {
    /// Registered where the platform has SwiftUI, and from when the loader is first injected into a view.
    case automatic
    /// Registered.
    case tracked
    /// Never registered, not even when the loader is injected into a view.
    case untracked

    fileprivate var isOnAtOnce: Bool {
        switch self {
        case .tracked: return true
        case .untracked: return false
        case .automatic:
            #if canImport(SwiftUI)
                return true
            #else
                return false
            #endif
        }
    }
}

/// The mistakes in the declaration of a collection.
public struct FlagDeclarationError: Error, Sendable, Equatable {
    /// Every mistake, in the order of the declaration. Never empty.
    public let issues: [FlagIssue]
}

extension FlagDeclarationError: CustomStringConvertible {
    /// A line for each mistake.
    public var description: String { issues.map(\.description).joined(separator: "\n") }
}

extension FlagIndex {
    /// The members of ``FlagsLoader``, in all modules: the compiler finds them before it looks into the collection.
    package static let loaderMembers: Set<String> = [
        "allFlags", "beginObservingForView", "beginSession", "changes", "core", "description", "environment", "flag",
        "flagReference", "flags", "handle", "isEnabled", "issueReporter", "keyConfiguration", "manifest", "metadata",
        "observationMode", "providerIDs", "providers", "root", "snapshot", "updateProviders", "validate", "value",
    ]

    /// The properties of the root collection that have the name of a member of the loader.
    fileprivate var hiddenLabels: [String] {
        (entries.filter { $0.group < 0 }.map(\.label) + groups.filter { $0.parent < 0 }.map(\.label))
            .filter { FlagIndex.loaderMembers.contains($0) }
    }
}

extension FlagIssue {
    fileprivate static func hiddenFlag(_ label: String, in type: Any.Type) -> FlagIssue {
        let message = """
            The property "\(label)" of \(type) has the name of a member of FlagsLoader, which hides it: \
            loader.\(label) is the loader's own. Give the property another name and keep its key with key: "\(label)", or read it as \
            loader.flags.\(label).
            """
        return FlagIssue(.hiddenFlag, message: message)
    }
}
