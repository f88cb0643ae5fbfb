/// How long a ``RemoteJSONProvider`` waits after failures. Each wait is at most twice the one before.
///
/// A document that was rejected is no failure in this sense: it is asked for again after the poll interval.
public struct RemoteJSONRetryTimes: Sendable, Hashable {
    /// The wait after the first failure of the network or the server. Up to half of each such wait is left out at random.
    public var first = Duration.seconds(2)
    /// The longest wait after such failures.
    public var longest = Duration.seconds(300)
    /// The wait after the server refused for the first time (400, 401, 403, 404, 410).
    public var firstAfterRefusal = Duration.seconds(15 * 60)
    /// The longest wait after refusals.
    public var longestAfterRefusal = Duration.seconds(4 * 3600)

    /// Makes the default times.
    public init() {}
}
