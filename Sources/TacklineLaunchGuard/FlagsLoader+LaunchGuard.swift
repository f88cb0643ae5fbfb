public import TacklineCore

extension FlagsLoader {
    /// Creates a loader whose values a launch guard may hold back.
    ///
    /// The guard is kept as long as the loader. Several loaders may share it. The other
    /// parameters are those of a loader without a guard.
    public convenience init(
        _ type: Collection.Type = Collection.self, description: FlagMetadata = FlagMetadata(),
        keyConfiguration: KeyConfiguration? = nil, environment: DeploymentEnvironment = .detected,
        providers: [any FlagProvider], mode: FlagModeSwitch? = nil, observation: FlagObservationMode = .automatic,
        issueReporter: FlagIssueReporter = .current, observers: [any FlagResolutionObserver] = [],
        launchGuard: LaunchGuard
    ) {
        self.init(
            description: description, keyConfiguration: keyConfiguration,
            chain: InstalledChain(
                providers, environment: environment, mode: mode, reporter: issueReporter, observers: observers,
                launchGuard: launchGuard),
            observation: observation)
    }
}

extension FlagsManager {
    /// Creates a manager of collections whose values a launch guard may hold back.
    ///
    /// The guard is kept as long as the manager. The other parameters are those of a manager without a guard.
    public convenience init(
        keyConfiguration: KeyConfiguration? = nil, environment: DeploymentEnvironment = .detected,
        providers: [any FlagProvider], mode: FlagModeSwitch? = nil, observation: FlagObservationMode = .automatic,
        issueReporter: FlagIssueReporter = .current, observers: [any FlagResolutionObserver] = [],
        launchGuard: LaunchGuard
    ) {
        self.init(
            keyConfiguration: keyConfiguration,
            chain: InstalledChain(
                providers, environment: environment, mode: mode, reporter: issueReporter, observers: observers,
                launchGuard: launchGuard),
            observation: observation)
    }
}
