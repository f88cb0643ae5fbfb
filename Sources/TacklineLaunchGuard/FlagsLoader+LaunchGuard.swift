public import TacklineCore

extension FlagsLoader {
    /// Creates a loader like one without a launch guard, which may hold back its values. Several loaders may share the guard.
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
    /// Creates a manager like one without a launch guard, which may hold back the values of its collections.
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
