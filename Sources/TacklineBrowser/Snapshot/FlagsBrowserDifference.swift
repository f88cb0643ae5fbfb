#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: the moment at which a value ends.

/// What a command would make different in what a provider holds for one flag.
public struct FlagsBrowserDifference: Sendable, Hashable, Codable {
    /// The id of the flag.
    public var flag: String
    /// The flag's key.
    public var key: String
    /// What the provider holds; `nil` for nothing.
    public var old: FlagsBrowserValue?
    /// What it would hold; `nil` for nothing.
    public var new: FlagsBrowserValue?
    /// When the new value would end by itself; `nil` for never.
    public var expires: Date?

    /// Makes a difference.
    public init(
        flag: String, key: String, old: FlagsBrowserValue? = nil, new: FlagsBrowserValue? = nil, expires: Date? = nil
    ) {
        self.flag = flag
        self.key = key
        self.old = old
        self.new = new
        self.expires = expires
    }
}
