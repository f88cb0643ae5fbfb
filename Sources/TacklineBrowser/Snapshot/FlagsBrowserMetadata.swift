#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The metadata of a flag in the browser, beyond its name and description.
public struct FlagsBrowserMetadata: Sendable, Hashable, Codable {
    /// The person or team responsible for the flag, or `nil` if none is given.
    public var owner: String?
    /// The date by which the flag should be removed from the code, or `nil` if there is none.
    public var expiryDate: Date?
    /// The ticket that added the flag or will remove it: an identifier or a URL.
    public var ticket: String?
    /// Words by which a search finds the flag.
    public var tags: [String]
    /// The name of its icon: an SF Symbol on Apple platforms.
    public var iconName: String?
    /// Whether the flag, or a collection around it, is only for its developers.
    public var isInternal: Bool
    /// Whether the flag, or a collection around it, can't be edited.
    public var isLocked: Bool

    /// Creates metadata.
    public init(
        owner: String? = nil, expiryDate: Date? = nil, ticket: String? = nil, tags: [String] = [],
        iconName: String? = nil, isInternal: Bool = false, isLocked: Bool = false
    ) {
        self.owner = owner
        self.expiryDate = expiryDate
        self.ticket = ticket
        self.tags = tags
        self.iconName = iconName
        self.isInternal = isInternal
        self.isLocked = isLocked
    }
}

extension FlagsBrowserMetadata {
    /// Whether the flag's values are kept out of what is printed (`FlagMetadata.isSecret`).
    var isSecret: Bool { tags.contains("secret") }
}
