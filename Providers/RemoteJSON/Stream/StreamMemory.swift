/// What outlives one connection of a stream.
struct StreamMemory: Sendable {
    var lastEventID: String?
    /// What the server asked for.
    var retryMilliseconds: Int64?

    /// How long to wait before the first further attempt.
    func retry(_ configuration: RemoteJSONStreamConfiguration) -> Duration {
        guard let retryMilliseconds else { return configuration.initialRetry }
        let asked = Duration.milliseconds(retryMilliseconds)
        return min(max(asked, configuration.retryRange.lowerBound), configuration.retryRange.upperBound)
    }
}
