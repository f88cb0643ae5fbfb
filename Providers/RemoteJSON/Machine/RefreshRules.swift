#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `URL` is where the stream is.

/// What a ``RefreshMachine`` goes by: the part of a configuration that it needs. Shared, since nothing in it changes.
final class RefreshRules: Sendable {
    let name: String
    let activation: RemoteJSONActivation
    let streamURL: URL?
    let stream: RemoteJSONStreamConfiguration
    /// `nil` without polling.
    let pollInterval: Duration?
    let staleAfter: Duration
    let timeToLive: Duration
    let clockSkewAllowance: Duration
    /// Whether documents are signed, and versions never go back.
    let isTrusting: Bool
    /// Whether documents say where the server tells changes.
    let findsStream: Bool
    /// Statuses after which nothing is asked for by itself.
    let finalStatuses: Set<Int>
    let foregroundRefreshAge: Duration
    let minimumManualRefreshGap: Duration
    let totalDeadline: Duration
    let retryTimes: RemoteJSONRetryTimes
    /// How old what the cache says about the last confirmation may be before a 304 makes it be written again.
    let confirmationKeptFor = Duration.seconds(3600)

    init(name: String, _ configuration: RemoteJSONConfiguration) {
        self.name = name
        activation = configuration.activation
        streamURL = configuration.streamURL
        stream = configuration.stream
        pollInterval = configuration.effectivePollInterval
        staleAfter = configuration.effectiveStaleAfter
        timeToLive = configuration.cacheTimeToLive
        clockSkewAllowance = configuration.clockSkewAllowance
        isTrusting = configuration.trust != nil
        findsStream = configuration.dialect != nil
        finalStatuses = configuration.dialect?.finalStatuses ?? []
        foregroundRefreshAge = configuration.foregroundRefreshAge
        minimumManualRefreshGap = configuration.minimumManualRefreshGap
        totalDeadline = configuration.totalDeadline
        retryTimes = configuration.retryTimes
    }
}
