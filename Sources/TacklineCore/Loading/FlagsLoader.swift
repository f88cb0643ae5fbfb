/// Reads a collection of flags and answers for them from an ordered chain of providers.
///
/// ```swift
/// let user = FlagsLoader(UserExperiments.self, providers: [overrides, remote, regionDefaults])
/// if user.allowsSSON { … }
/// if user.secrets.boomFeature { … }
/// ```
///
/// A flag's value is the first usable one of: its own computed value, the providers in their order, its default. A
/// provider's value which the flag's type refuses is reported and passed over. Everything is safe from any thread; a
/// read costs about what one or two atomic loads cost.
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

    package let loaded: LoadedFlags

    /// Makes a loader.
    ///
    /// - Parameters:
    ///   - type: The root collection.
    ///   - description: What people should know about it.
    ///   - keyConfiguration: How the keys of its flags are made.
    ///   - chain: The providers. In production, those that are marked as overrides are left out and reported.
    ///   - environment: Where the program runs.
    ///   - modeSwitch: Switches between live and local values; `nil` for always live.
    ///   - observation: Whether reads are registered with Observation.
    ///   - issueReporter: Where issues go that cannot be thrown.
    /// - Complexity: O(*n*) in the number of flags. The first loader of a type in a process reflects it, at some
    ///   microseconds for each flag; later ones take a third of a microsecond for each.
    public init(
        _ type: Collection.Type = Collection.self,
        description: FlagMetadata = FlagMetadata(),
        keyConfiguration: KeyConfiguration = KeyConfiguration(),
        chain: ProviderChain,
        environment: FlagEnvironment = .detected,
        modeSwitch: FlagModeSwitch? = nil,
        observation: FlagObservationMode = .automatic,
        issueReporter: FlagIssueReporter = .current
    ) {
        let (collection, plan) = FlagLoadingPlan.make(type, configuration: keyConfiguration)
        flags = collection
        observationMode = observation
        loaded = LoadedFlags(
            plan, root: collection, metadata: description, environment: environment, modeSwitch: modeSwitch,
            reporter: issueReporter)
        loaded.setChain(chain)
        switch observation {
        case .tracked: loaded.beginObserving()
        case .untracked: break
        case .automatic:
            #if canImport(SwiftUI)
                loaded.beginObserving()
            #endif
        }
        for issue in loaded.issues { issueReporter.report(issue) }
    }

    /// Makes a loader with a chain in the order of a list.
    ///
    /// - Parameters:
    ///   - type: The root collection.
    ///   - description: What people should know about it.
    ///   - keyConfiguration: How the keys of its flags are made.
    ///   - providers: The chain, asked from the first to the last. In production, those that are marked as overrides
    ///     are left out and reported.
    ///   - environment: Where the program runs.
    ///   - modeSwitch: Switches between live and local values; `nil` for always live.
    ///   - observation: Whether reads take part in Observation.
    ///   - issueReporter: Where issues go that cannot be thrown.
    public convenience init(
        _ type: Collection.Type = Collection.self,
        description: FlagMetadata = FlagMetadata(),
        keyConfiguration: KeyConfiguration = KeyConfiguration(),
        providers: [any FlagProvider],
        environment: FlagEnvironment = .detected,
        modeSwitch: FlagModeSwitch? = nil,
        observation: FlagObservationMode = .automatic,
        issueReporter: FlagIssueReporter = .current
    ) {
        self.init(
            type, description: description, keyConfiguration: keyConfiguration, chain: ProviderChain(providers),
            environment: environment, modeSwitch: modeSwitch, observation: observation, issueReporter: issueReporter)
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
    public var metadata: FlagMetadata { loaded.metadata }

    /// How the keys were made.
    public var keyConfiguration: KeyConfiguration { loaded.index.configuration }

    /// The chain, asked from the first to the last.
    ///
    /// Setting it is atomic for readers: each read sees the old chain or the new one. Overrides that the environment
    /// does not take are left out and reported.
    public var providers: [any FlagProvider] {
        get { loaded.givenChain.providers }
        set { loaded.setProviders(newValue) }
    }

    /// The ids of the providers, in the order of the chain: their names, with a number behind one that was taken.
    public var providerIDs: [String] { loaded.chain.links.map(\.id) }

    /// Throws the mistakes in the declaration of the collection, all at once.
    ///
    /// They were reported when the loader was made; this is for a unit test.
    ///
    /// - Throws: ``FlagDeclarationError`` if there is a mistake.
    public func validate() throws(FlagDeclarationError) {
        guard loaded.issues.isEmpty else { throw FlagDeclarationError(issues: loaded.issues) }
    }
}
