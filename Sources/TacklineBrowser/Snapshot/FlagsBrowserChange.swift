#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore

/// A change of a flag's value, whether or not the browser made it.
public struct FlagsBrowserChange: Sendable, Hashable, Codable, Identifiable {
    /// The number of the change, counted by the browser.
    public var id: Int
    /// The time at which the browser noticed it.
    public var time: Date
    /// The id of the flag.
    public var flag: String
    /// The flag's key.
    public var key: String
    /// The value before the change.
    public var old: FlagsBrowserValue
    /// The value after the change.
    public var new: FlagsBrowserValue
    /// The source of the new value.
    public var source: FlagSource
    /// The author of the edit that changed it, or `nil` if the browser didn't change it or the edit has no author.
    public var author: FlagsBrowserAuthor?

    /// Creates a change.
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
