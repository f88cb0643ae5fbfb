/// How a ``RemoteJSONProvider`` uses a stream of server-sent events.
public struct RemoteJSONStreamConfiguration: Sendable, Hashable {
    /// How long to wait before the stream is opened again, as long as the server has not said; doubled at each failure.
    public var initialRetry = Duration.seconds(1)
    /// What the server may ask for instead.
    public var retryRange = Duration.milliseconds(100)...Duration.seconds(60)
    /// The longest wait before the stream is opened again.
    public var maximumRetry = Duration.seconds(60)
    /// How long the stream must have been open for its failures to be forgotten.
    public var resetAfter = Duration.seconds(60)
    /// How long nothing may arrive, comments included, before the stream counts as dead.
    public var idleTimeout = Duration.seconds(90)
    /// How long one event may be.
    public var maximumEventBytes = 1 << 20
    /// How long further events are awaited before the document is fetched.
    public var debounce = Duration.milliseconds(100)
    /// Over how long the clients of one server spread: each waits a random part of it before it fetches the document after
    /// an event or a new connection, and before it connects again.
    public var spread = Duration.seconds(5)

    /// Makes the default configuration.
    public init() {}
}
