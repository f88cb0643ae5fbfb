#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: the moment of an edit.

/// An edit that a browser made and remembers.
public struct FlagsBrowserEdit: Sendable, Hashable, Codable, Identifiable {
    /// Counts the edits of the browser: what ``FlagsBrowserRequest/edit`` names.
    public var id: Int
    /// What was done, for people: `Set "new_checkout" to true in "overrides"`.
    public var title: String
    /// The ids of the flags concerned, the first ``flagLimit`` of them.
    public var flags: [String]
    /// How many flags are concerned.
    public var flagCount: Int
    /// When it was made.
    public var time: Date
    /// Who made it; `nil` for nobody in particular.
    public var author: FlagsBrowserAuthor?
    /// Whether it was taken back, so that it could be done again.
    public var isUndone: Bool

    /// How many flags are named: 20.
    public static let flagLimit = 20

    /// Makes a description.
    ///
    /// - Parameters:
    ///   - id: The number of the edit.
    ///   - title: What was done, for people.
    ///   - flags: The ids of the flags concerned. The first ``flagLimit`` are kept, all are counted.
    ///   - time: When it was made.
    ///   - author: Who made it.
    ///   - isUndone: Whether it was taken back.
    public init(
        id: Int, title: String, flags: [String], time: Date, author: FlagsBrowserAuthor? = nil, isUndone: Bool = false
    ) {
        self.id = id
        self.title = title
        self.flags = Array(flags.prefix(Self.flagLimit))
        self.flagCount = flags.count
        self.time = time
        self.author = author
        self.isUndone = isUndone
    }
}
