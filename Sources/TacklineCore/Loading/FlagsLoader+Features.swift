extension FlagsLoader {
    /// Makes a loader for the flags of an enum. See
    /// ``init(_:description:keyConfiguration:chain:environment:modeSwitch:issueReporter:)``.
    public convenience init<F: Feature>(
        _ features: F.Type,
        description: FlagMetadata = FlagMetadata(),
        keyConfiguration: KeyConfiguration = KeyConfiguration(),
        chain: ProviderChain,
        environment: FlagEnvironment = .detected,
        modeSwitch: FlagModeSwitch? = nil,
        issueReporter: FlagIssueReporter = .current
    ) where Collection == FeatureCollection<F> {
        self.init(
            Collection.self, description: description, keyConfiguration: keyConfiguration, chain: chain,
            environment: environment, modeSwitch: modeSwitch, issueReporter: issueReporter)
    }

    /// Makes a loader for the flags of an enum.
    ///
    /// The `providers` are the chain, asked from the first to the last.
    public convenience init<F: Feature>(
        _ features: F.Type,
        description: FlagMetadata = FlagMetadata(),
        keyConfiguration: KeyConfiguration = KeyConfiguration(),
        providers: [any FlagProvider],
        environment: FlagEnvironment = .detected,
        modeSwitch: FlagModeSwitch? = nil,
        issueReporter: FlagIssueReporter = .current
    ) where Collection == FeatureCollection<F> {
        self.init(
            Collection.self, description: description, keyConfiguration: keyConfiguration,
            chain: ProviderChain(providers), environment: environment, modeSwitch: modeSwitch,
            issueReporter: issueReporter)
    }

    /// Whether a feature is on. Costs about what reading a property flag costs.
    @inlinable @inline(__always)
    public func isEnabled<F: Feature>(_ feature: F) -> Bool where Collection == FeatureCollection<F>, F.Value == Bool {
        flags[feature]
    }

    /// The value of a feature. Costs about what reading a property flag costs.
    @inlinable @inline(__always)
    public func value<F: Feature>(of feature: F) -> F.Value where Collection == FeatureCollection<F> {
        flags[feature]
    }

    /// The handle of a feature, for everything but its value.
    ///
    /// - Returns: `nil` for a value that `allCases` leaves out, which has no flag.
    public func handle<F: Feature>(of feature: F) -> FlagHandle<F.Value>? where Collection == FeatureCollection<F> {
        flags.handle(of: feature)
    }
}
