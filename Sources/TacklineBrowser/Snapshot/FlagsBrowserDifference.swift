#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: the moment at which a value ends.

/// A change that a command would make to one flag's value in a provider.
public struct FlagsBrowserDifference: Sendable, Hashable, Codable {
    /// The id of the flag.
    public var flag: String
    /// The flag's key.
    public var key: String
    /// The present value, or `nil` if the provider holds none.
    public var old: FlagsBrowserValue?
    /// The new value, or `nil` if the command removes the value.
    public var new: FlagsBrowserValue?
    /// The time at which the new value would expire, or `nil` if it never would.
    public var expires: Date?

    /// Creates a difference.
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
