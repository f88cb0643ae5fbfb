import Foundation

// Foundation: `URL` is the address of the stream.

/// The part of a configuration that a ``RefreshMachine`` needs. It is shared, since it never changes.
final class RefreshRules: Sendable {
    let name: String
    let activation: RemoteJSONActivation
    let streamURL: URL?
    let stream: RemoteJSONStreamConfiguration
    /// The time between polls; `nil` without polling.
    let pollInterval: Duration?
    let staleAfter: Duration
    let timeToLive: Duration
    let clockSkewAllowance: Duration
    /// Whether documents are signed, so that versions never decrease.
    let isTrusting: Bool
    /// Whether documents name the URL of the change stream.
    let findsStream: Bool
    /// Whether a refresh joins a request that was sent before it.
    let joinsSentRequests: Bool
    /// The statuses after which the machine sends no request by itself.
    let finalStatuses: Set<Int>
    let foregroundRefreshAge: Duration
    let minimumManualRefreshGap: Duration
    let totalDeadline: Duration
    let retryTimes: RemoteJSONRetryTimes
    /// The age from which the confirmation recorded in the cache is written again after a 304.
    let confirmationKeptFor = Duration.seconds(3600)

    init(name: String, _ configuration: RemoteJSONConfiguration) {
        self.name = name
        activation = configuration.activation
        streamURL = configuration.streamURL.flatMap { Origin($0) == nil ? nil : $0 }
        stream = configuration.stream
        pollInterval = configuration.effectivePollInterval
        staleAfter = configuration.effectiveStaleAfter
        timeToLive = configuration.cacheTimeToLive
        clockSkewAllowance = configuration.clockSkewAllowance
        isTrusting = configuration.trust != nil
        findsStream = configuration.dialect != nil
        joinsSentRequests = configuration.dialect?.joinsSentRequests ?? false
        finalStatuses = configuration.dialect?.finalStatuses ?? []
        foregroundRefreshAge = configuration.foregroundRefreshAge
        minimumManualRefreshGap = configuration.minimumManualRefreshGap
        totalDeadline = configuration.totalDeadline
        retryTimes = configuration.retryTimes
    }
}
