public import TacklineCore

extension FlagsLoader {
    /// Creates a loader whose values a launch guard may hold back.
    ///
    /// - Parameters:
    ///   - type: The type of the root collection.
    ///   - description: The description of the collection for people.
    ///   - keyConfiguration: The way in which the keys of the flags are made.
    ///   - providers: The chain, from the first provider to the last. In production, overrides are left out and
    ///     reported.
    ///   - observation: The mode in which reads are registered with Observation.
    ///   - issueReporter: The destination of issues, including those of the providers.
    ///   - observers: The observers of the values that reads are given. They are kept as long as the loader.
    ///   - launchGuard: The guard. It is kept as long as the loader. Several loaders may share it.
    public convenience init(
        _ type: Collection.Type = Collection.self, description: FlagMetadata = FlagMetadata(),
        keyConfiguration: KeyConfiguration? = nil, providers: ProviderChain,
        observation: FlagObservationMode = .automatic, issueReporter: FlagIssueReporter = .current,
        observers: [any FlagResolutionObserver] = [], launchGuard: LaunchGuard
    ) {
        self.init(
            type, description: description, keyConfiguration: keyConfiguration, providers: providers,
            observation: observation, issueReporter: issueReporter, observers: observers, guardedBy: launchGuard)
    }
}

extension FlagsManager {
    /// Creates a manager of collections whose values a launch guard may hold back.
    ///
    /// - Parameters:
    ///   - keyConfiguration: The key configuration of collections that are added without their own.
    ///   - providers: The chain of all collections, from the first provider to the last. In production, overrides are
    ///     left out and reported.
    ///   - observation: The observation mode of collections that are added without their own.
    ///   - issueReporter: The destination of the issues of all collections and providers.
    ///   - observers: The observers of the values that reads of any collection are given.
    ///   - launchGuard: The guard. It is kept as long as the manager.
    public convenience init(
        keyConfiguration: KeyConfiguration? = nil, providers: ProviderChain,
        observation: FlagObservationMode = .automatic, issueReporter: FlagIssueReporter = .current,
        observers: [any FlagResolutionObserver] = [], launchGuard: LaunchGuard
    ) {
        self.init(
            keyConfiguration: keyConfiguration, providers: providers, observation: observation,
            issueReporter: issueReporter, observers: observers, guardedBy: launchGuard)
    }
}
