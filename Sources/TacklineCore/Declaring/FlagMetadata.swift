// Foundation: the expiry date.
#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// What people should know about a flag or a collection. It is shown in browsers, tables and explanations, and does not
/// affect values.
///
/// A string literal makes metadata with just a description, which is cheap to make and to copy.
public struct FlagMetadata: Sendable, Equatable, ExpressibleByStringInterpolation {
    /// What the flag does, in a sentence.
    public var description: String
    /// The rest, `nil` if it has its default values: loading copies metadata once for each flag, and most have no more
    /// than a description.
    private var rare: Rare?

    private struct Details: Sendable, Equatable {
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
    private final class Rare: Sendable, Equatable {
        let details: Details

        init(_ details: Details) { self.details = details }

        static func == (left: Rare, right: Rare) -> Bool { left.details == right.details }
    }

    private var details: Details {
        @inline(never) get { rare?.details ?? Details() }
        @inline(never) set { rare = newValue == Details() ? nil : Rare(newValue) }
    }

    /// Makes metadata. Each parameter sets the property of its name.
    public init(
        name: String? = nil, description: String = "", order: Int = 0, isInternal: Bool = false, isLocked: Bool = false,
        iconName: String? = nil, tags: [String] = [], owner: String? = nil, expiryDate: Date? = nil,
        ticket: String? = nil
    ) {
        self.description = description
        details = Details(
            name: name, order: order, isInternal: isInternal, isLocked: isLocked, iconName: iconName, tags: tags,
            owner: owner, expiryDate: expiryDate, ticket: ticket)
    }

    /// The name for people; `nil` stands for the property's name.
    public var name: String? {
        get { details.name }
        set { details.name = newValue }
    }

    /// The position among siblings, smallest first; equal ones keep the order of their declaration.
    public var order: Int {
        get { details.order }
        set { details.order = newValue }
    }

    /// Whether it concerns only its developers. Browsers hide it by default.
    public var isInternal: Bool {
        get { details.isInternal }
        set { details.isInternal = newValue }
    }

    /// Whether browsers show it without letting people change it. Code can still set it.
    public var isLocked: Bool {
        get { details.isLocked }
        set { details.isLocked = newValue }
    }

    /// The name of an icon: an SF Symbol on Apple systems.
    public var iconName: String? {
        get { details.iconName }
        set { details.iconName = newValue }
    }

    /// Words to search for it by.
    public var tags: [String] {
        get { details.tags }
        set { details.tags = newValue }
    }

    /// The person or team responsible for it.
    public var owner: String? {
        get { details.owner }
        set { details.owner = newValue }
    }

    /// When it should be removed from the code; `nil` for never. Nothing happens by itself on that day.
    public var expiryDate: Date? {
        get { details.expiryDate }
        set { details.expiryDate = newValue }
    }

    /// The ticket that introduced it or will remove it: an identifier or a URL.
    public var ticket: String? {
        get { details.ticket }
        set { details.ticket = newValue }
    }

    /// Makes metadata with just a description.
    public init(stringLiteral description: String) { self.description = description }

    /// Returns the metadata with its name for people filled in.
    ///
    /// - Parameters:
    ///   - name: The name that takes precedence; `nil` for none.
    ///   - label: The name where there is no other.
    func named(_ name: String?, orElse label: String) -> FlagMetadata {
        var metadata = self
        metadata.name = name ?? self.name ?? label
        return metadata
    }
}
