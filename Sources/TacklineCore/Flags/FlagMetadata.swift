#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: the expiry date.

/// What people should know about a flag or a collection: shown in browsers, tables and explanations, and never part of
/// how a value is found.
///
/// A string literal makes one with just a description.
public struct FlagMetadata: Sendable, Hashable {
    /// The name for people; `nil` stands for the property's name.
    public var name: String?
    /// What the flag does, in a sentence.
    public var description: String
    /// Where it stands among its siblings, smallest first; equal ones keep the order of their declaration.
    public var order: Int
    /// Whether it is of no interest to anyone but its developers. Browsers leave it out unless asked.
    public var isInternal: Bool
    /// Whether people may only look at it in a browser. Code can still set it.
    public var isLocked: Bool
    /// The name of an icon: an SF Symbol on Apple systems.
    public var iconName: String?
    /// Words to find it by.
    public var tags: [String]
    /// Who answers for it: a person or a team.
    public var owner: String?
    /// When it should be gone from the code; `nil` for never. Nothing happens by itself on that day.
    public var expiryDate: Date?
    /// The ticket that brought it, or will remove it: an identifier or a URL.
    public var ticket: String?

    /// Makes metadata.
    public init(
        name: String? = nil,
        description: String = "",
        order: Int = 0,
        isInternal: Bool = false,
        isLocked: Bool = false,
        iconName: String? = nil,
        tags: [String] = [],
        owner: String? = nil,
        expiryDate: Date? = nil,
        ticket: String? = nil
    ) {
        self.name = name
        self.description = description
        self.order = order
        self.isInternal = isInternal
        self.isLocked = isLocked
        self.iconName = iconName
        self.tags = tags
        self.owner = owner
        self.expiryDate = expiryDate
        self.ticket = ticket
    }
}

extension FlagMetadata: ExpressibleByStringInterpolation {
    /// Makes metadata with just a description.
    public init(stringLiteral description: String) {
        self.init(description: description)
    }
}
