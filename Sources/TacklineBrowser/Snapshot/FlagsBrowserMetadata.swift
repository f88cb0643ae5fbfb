#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What people should know about a flag in the browser, beyond its name and description.
public struct FlagsBrowserMetadata: Sendable, Hashable, Codable {
    /// The person or team responsible for the flag; `nil` if none is named.
    public var owner: String?
    /// When it should be gone from the code; `nil` for never.
    public var expiryDate: Date?
    /// The ticket that added the flag or will remove it: an identifier or a URL.
    public var ticket: String?
    /// Words that a search finds the flag by.
    public var tags: [String]
    /// The name of its icon: an SF Symbol on Apple systems.
    public var iconName: String?
    /// Whether it, or a collection around it, is of no interest to anyone but its developers.
    public var isInternal: Bool
    /// Whether it, or a collection around it, may only be looked at.
    public var isLocked: Bool

    /// Makes metadata.
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
