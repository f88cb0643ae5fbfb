/// A provider of a chain in the browser.
public struct FlagsBrowserProvider: Sendable, Hashable, Codable, Identifiable {
    /// The provider's id in the chain, which faces also show as its name.
    public var id: String
    /// The status, for people: "ready", or what is wrong.
    public var status: String
    /// Whether the provider is ready.
    public var isReady: Bool
    /// Whether edits can go to it.
    public var isWritable: Bool
    /// Whether values in it count as overrides.
    ///
    /// Providers that are marked as overrides do; in a chain without one, a writable provider that is asked first does.
    public var isOverrideLayer: Bool
    /// Whether a value in it can end by itself.
    public var keepsExpiry: Bool

    /// Makes a provider.
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
