/// Where the values in force come from.
public enum RemoteJSONSource: String, Sendable, Hashable, CustomStringConvertible {
    /// From the cache on disk, not yet confirmed by the server.
    case cached
    /// From the server, or from the cache and confirmed by the server.
    case fresh

    /// The name of the case: `cached` or `fresh`.
    public var description: String { rawValue }
}
