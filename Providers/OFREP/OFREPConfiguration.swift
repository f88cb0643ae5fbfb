public import TacklineCore
import TacklineFormats
public import TacklineRemoteJSON

/// How an ``OFREPProvider`` works.
public struct OFREPConfiguration: Sendable {
    /// How requests are made, polled and kept: header fields, poll interval, deadlines, limits, cache, stream, transport and
    /// clocks.
    ///
    /// Its defaults are those of `RemoteJSONConfiguration`, but for a deadline of ten seconds for a request
    /// as a whole, answers of up to 4 MiB, and 200,000 members in one. Its `format`, `trust`, `verifier`, `streamURL`,
    /// `authorization` and `bootstrap` are not used: the protocol has its own.
    public var requests: RemoteJSONConfiguration
    /// Makes the value of `X-API-Key`, for each request anew; `nil` sends none. An error counts as a failed attempt. Neither logs
    /// nor errors show the key.
    public var apiKey: (@Sendable () async throws -> String?)?
    /// Makes the token behind `Authorization: Bearer`, for each request anew, as ``apiKey`` does.
    public var bearerToken: (@Sendable () async throws -> String?)?
    /// Values by key that are in force until there are any from the cache or the server.
    public var bootstrap: FlagDocument
    /// Whether the streams are followed that the server names in its answers.
    public var followsStreams = true
    /// For how many contexts the last good answer is kept on disk. The oldest go first.
    public var maximumKeptContexts = 8

    /// Makes the default configuration.
    public init() {
        requests = RemoteJSONConfiguration()
        requests.totalDeadline = .seconds(10)
        requests.maximumBodyBytes = 4 << 20
        requests.limits.maximumMembers = 200_000
        bootstrap = FlagDocument()
    }
}
