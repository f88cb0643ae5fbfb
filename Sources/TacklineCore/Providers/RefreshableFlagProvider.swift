/// A provider that gets its values from elsewhere and can be asked to get them again.
public protocol RefreshableFlagProvider: LiveFlagProvider {
    /// Gets the values now and publishes what changed.
    ///
    /// The values in force stay in force until the new ones have been checked as a whole.
    ///
    /// - Throws: ``FlagProviderError`` if no usable values arrived. The previous ones then stay in force.
    func refresh() async throws(FlagProviderError) -> FlagRefreshOutcome

    /// Keeps the values fresh until the calling task is cancelled; then it throws `CancellationError`.
    func run() async throws
}
