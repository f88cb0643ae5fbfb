#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: the expiry date.

/// What people should know about a flag or a collection: shown in browsers, tables and explanations, and never part of
/// how a value is found.
///
/// A string literal makes one with just a description, and such a one is cheap to make and to copy.
public struct FlagMetadata: Sendable, Hashable {
    /// What the flag does, in a sentence.
    public var description: String
    /// All that is rarely given; `nil` where nothing of it is. Loading copies metadata once for each flag.
    private var rare: Rare?

    private struct Details: Sendable, Hashable {
        var name: String?
        var order = 0
        var isInternal = false
        var isLocked = false
        var iconName: String?
        var tags: [String] = []
        var owner: String?
        var expiryDate: Date?
        var ticket: String?
    }

    /// Shared by copies, and never changed.
    private final class Rare: Sendable, Hashable {
        let details: Details

        init(_ details: Details) { self.details = details }

        static func == (left: Rare, right: Rare) -> Bool { left.details == right.details }
        func hash(into hasher: inout Hasher) { hasher.combine(details) }
    }

    private var details: Details {
        get { rare?.details ?? Details() }
        set { rare = newValue == Details() ? nil : Rare(newValue) }
    }

    /// Makes metadata.
    ///
    /// - Parameters:
    ///   - name: The name for people; `nil` stands for the property's name.
    ///   - description: What the flag does, in a sentence.
    ///   - order: Where it stands among its siblings, smallest first.
    ///   - isInternal: Whether it is of no interest to anyone but its developers.
    ///   - isLocked: Whether people may only look at it in a browser.
    ///   - iconName: The name of an icon: an SF Symbol on Apple systems.
    ///   - tags: Words to find it by.
    ///   - owner: Who answers for it.
    ///   - expiryDate: When it should be gone from the code; `nil` for never.
    ///   - ticket: The ticket that brought it, or will remove it.
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
        self.description = description
        details = Details(
            name: name, order: order, isInternal: isInternal, isLocked: isLocked, iconName: iconName, tags: tags,
            owner: owner, expiryDate: expiryDate, ticket: ticket)
    }
}

extension FlagMetadata {
    /// The name for people; `nil` stands for the property's name.
    public var name: String? {
        get { details.name }
        set { details.name = newValue }
    }

    /// Where it stands among its siblings, smallest first; equal ones keep the order of their declaration.
    public var order: Int {
        get { details.order }
        set { details.order = newValue }
    }

    /// Whether it is of no interest to anyone but its developers. Browsers leave it out unless asked.
    public var isInternal: Bool {
        get { details.isInternal }
        set { details.isInternal = newValue }
    }

    /// Whether people may only look at it in a browser. Code can still set it.
    public var isLocked: Bool {
        get { details.isLocked }
        set { details.isLocked = newValue }
    }

    /// The name of an icon: an SF Symbol on Apple systems.
    public var iconName: String? {
        get { details.iconName }
        set { details.iconName = newValue }
    }

    /// Words to find it by.
    public var tags: [String] {
        get { details.tags }
        set { details.tags = newValue }
    }

    /// Who answers for it: a person or a team.
    public var owner: String? {
        get { details.owner }
        set { details.owner = newValue }
    }

    /// When it should be gone from the code; `nil` for never. Nothing happens by itself on that day.
    public var expiryDate: Date? {
        get { details.expiryDate }
        set { details.expiryDate = newValue }
    }

    /// The ticket that brought it, or will remove it: an identifier or a URL.
    public var ticket: String? {
        get { details.ticket }
        set { details.ticket = newValue }
    }
}

extension FlagMetadata: ExpressibleByStringInterpolation {
    /// Makes metadata with just a description.
    ///
    /// - Parameter description: What the flag does, in a sentence.
    public init(stringLiteral description: String) {
        self.description = description
        rare = nil
    }
}
