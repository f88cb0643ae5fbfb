#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore

/// A change of a flag's value, whether or not the browser made it.
public struct FlagsBrowserChange: Sendable, Hashable, Codable, Identifiable {
    /// Counts the changes that the browser saw.
    public var id: Int
    /// When the browser saw it.
    public var time: Date
    /// The id of the flag.
    public var flag: String
    /// The flag's key.
    public var key: String
    /// The value before.
    public var old: FlagsBrowserValue
    /// The value from then on.
    public var new: FlagsBrowserValue
    /// Where the new value came from.
    public var source: FlagSource
    /// Who made the edit that changed it; `nil` where the browser made none, or for nobody in particular.
    public var author: FlagsBrowserAuthor?

    /// Makes a change.
    public init(
        id: Int, time: Date, flag: String, key: String, old: FlagsBrowserValue, new: FlagsBrowserValue,
        source: FlagSource, author: FlagsBrowserAuthor? = nil
    ) {
        self.id = id
        self.time = time
        self.flag = flag
        self.key = key
        self.old = old
        self.new = new
        self.source = source
        self.author = author
    }
}
