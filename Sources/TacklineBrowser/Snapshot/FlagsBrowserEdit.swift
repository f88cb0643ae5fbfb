#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: the moment of an edit.

/// An edit that a browser made and can undo or redo.
public struct FlagsBrowserEdit: Sendable, Hashable, Codable, Identifiable {
    /// The number of the edit, for ``FlagsBrowserRequest/edit``.
    public var id: Int
    /// A description of the edit for people, such as `Set "new_checkout" to true in "overrides"`.
    public var title: String
    /// The ids of the edited flags, at most the first ``flagLimit``.
    public var flags: [String]
    /// The number of edited flags.
    public var flagCount: Int
    /// The time of the edit.
    public var time: Date
    /// The author of the edit, or `nil` if there is none.
    public var author: FlagsBrowserAuthor?
    /// Whether the edit was undone and can be redone.
    public var isUndone: Bool

    /// The largest number of flag ids in ``flags``: 20.
    public static let flagLimit = 20

    /// Creates the description of an edit.
    ///
    /// - Parameters:
    ///   - id: The number of the edit.
    ///   - title: A description of the edit for people.
    ///   - flags: The ids of the edited flags. All are counted, but only the first ``flagLimit`` are kept.
    ///   - time: The time of the edit.
    ///   - author: The author of the edit.
    ///   - isUndone: Whether the edit was undone.
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
