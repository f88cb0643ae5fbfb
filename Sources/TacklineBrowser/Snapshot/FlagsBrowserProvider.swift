/// A provider of a chain in the browser.
public struct FlagsBrowserProvider: Sendable, Hashable, Codable, Identifiable {
    /// The provider's id in the chain, which user interfaces also show as its name.
    public var id: String
    /// The status for people: "ready", or a description of the problem.
    public var status: String
    /// Whether the provider is ready.
    public var isReady: Bool
    /// Whether edits can go to it.
    public var isWritable: Bool
    /// Whether its values count as overrides.
    ///
    /// This is the case for providers that are marked as overrides. In a chain without one, it is the case for a
    /// writable provider at the start of the chain.
    public var isOverrideLayer: Bool
    /// Whether its values can expire.
    public var keepsExpiry: Bool

    /// Creates a provider.
    public init(
        id: String, status: String = "ready", isReady: Bool = true, isWritable: Bool = false,
        isOverrideLayer: Bool = false, keepsExpiry: Bool = false
    ) {
        self.id = id
        self.status = status
        self.isReady = isReady
        self.isWritable = isWritable
        self.isOverrideLayer = isOverrideLayer
        self.keepsExpiry = keepsExpiry
    }
}
