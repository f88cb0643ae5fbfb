public import TacklineCore
public import TacklineRemoteJSON

/// The settings of an ``OFREPProvider``, and of the requests of an ``OFREPServerProvider``.
public struct OFREPConfiguration: Sendable {
    /// The settings of requests: header fields, poll interval, deadlines, limits, cache, stream, transport and clocks.
    ///
    /// The defaults are those of `RemoteJSONConfiguration`, with three exceptions: a deadline of ten seconds for a
    /// whole request, answers of up to 4 MiB, and no polling. The protocol wants a client for one context to ask at the
    /// start, when the context changes, on return to the foreground, and at events of the server's stream (ADR 0010).
    /// Set a `pollInterval` if the server has no stream and the values have to follow it.
    ///
    /// Its `format`, `trust`, `verifier`, `streamURL`, `authorization` and `bootstrap` are not used, since the protocol
    /// defines its own.
    public var requests: RemoteJSONConfiguration
    /// Makes the value of `X-API-Key`, anew for each request; `nil` sends none. An error counts as a failed attempt.
    /// Neither logs nor errors show the key.
    public var apiKey: (@Sendable () async throws -> String?)?
    /// Makes the token for `Authorization: Bearer`, anew for each request, under the rules of ``apiKey``.
    public var bearerToken: (@Sendable () async throws -> String?)?
    /// The values by key that are in force until there are values from the cache or the server.
    public var bootstrap: FlagDocument
    /// Whether the provider follows the streams that the server names in its answers.
    public var followsStreams = true
    /// The number of contexts whose last good answer is kept on disk. The oldest answers are removed first.
    public var maximumKeptContexts = 8

    /// Makes the default configuration.
    public init() {
        requests = RemoteJSONConfiguration()
        requests.totalDeadline = .seconds(10)
        requests.maximumBodyBytes = 4 << 20
        requests.pollInterval = .zero
        bootstrap = FlagDocument()
    }
}
