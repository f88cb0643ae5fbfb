extension FlagsLoader {
    /// Makes a loader for the flags of an enum.
    ///
    /// - Parameters:
    ///   - features: The enum.
    ///   - description: What people should know about it.
    ///   - keyConfiguration: How the keys of its flags are made.
    ///   - providers: The chain, asked from the first to the last. In production, providers that are marked as overrides
    ///     are left out and reported.
    ///   - observation: Whether reads are registered with Observation.
    ///   - issueReporter: Where issues go that cannot be thrown.
    public convenience init<F: Feature>(
        _ features: F.Type,
        description: FlagMetadata = FlagMetadata(),
        keyConfiguration: KeyConfiguration = KeyConfiguration(),
        providers: ProviderChain,
        observation: FlagObservationMode = .automatic,
        issueReporter: FlagIssueReporter = .current
    ) where Collection == FeatureCollection<F> {
        self.init(
            Collection.self, description: description, keyConfiguration: keyConfiguration, providers: providers,
            observation: observation, issueReporter: issueReporter)
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
