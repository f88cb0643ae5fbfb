// Foundation: the expiry date.
#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// The description of a flag or a collection for the people who work with it. Flag browsers and explanations show it.
/// It doesn't affect values.
///
/// A string literal creates metadata that has only a description. Such metadata is cheap to create and to copy.
public struct FlagMetadata: Sendable, Equatable, ExpressibleByStringInterpolation {
    /// The effect of the flag, in a sentence.
    public var description: String
    /// The other properties, or `nil` if they have their default values. Most metadata has only a description, so the
    /// rest is shared to make copies cheap.
    private var shared: SharedDetails?

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

    private final class SharedDetails: Sendable, Equatable {
        let details: Details

        init(_ details: Details) { self.details = details }

        static func == (left: SharedDetails, right: SharedDetails) -> Bool { left.details == right.details }
    }

    /// Returns whether two values are equal in every property.
    public static func == (left: FlagMetadata, right: FlagMetadata) -> Bool {
        left.description == right.description && (left.shared === right.shared || left.shared == right.shared)
    }

    private var details: Details {
        @inline(never) get { shared?.details ?? Details() }
        @inline(never) set { shared = newValue == Details() ? nil : SharedDetails(newValue) }
    }

    /// Creates metadata. Each parameter sets the property with the same name.
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

    /// The display name. If it is `nil`, the name of the flag's property is used.
    public var name: String? {
        get { details.name }
        set { details.name = newValue }
    }

    /// The position among the flags or collections of the same collection, smallest first. Equal positions keep the
    /// order of the declarations.
    public var order: Int {
        get { details.order }
        set { details.order = newValue }
    }

    /// Whether the flag concerns only its developers. Browsers hide such a flag by default.
    public var isInternal: Bool {
        get { details.isInternal }
        set { details.isInternal = newValue }
    }

    /// Whether browsers show the flag without letting people change it. Code can still set it.
    public var isLocked: Bool {
        get { details.isLocked }
        set { details.isLocked = newValue }
    }

    /// The name of an icon: an SF Symbol on Apple systems.
    public var iconName: String? {
        get { details.iconName }
        set { details.iconName = newValue }
    }

    /// Words by which people can search for the flag.
    public var tags: [String] {
        get { shared?.details.tags ?? [] }
        set { details.tags = newValue }
    }

    /// The person or team responsible for the flag.
    public var owner: String? {
        get { details.owner }
        set { details.owner = newValue }
    }

    /// The day by which the flag should be removed from the code, or `nil` if there is none. The framework does nothing
    /// on that day.
    public var expiryDate: Date? {
        get { details.expiryDate }
        set { details.expiryDate = newValue }
    }

    /// The ticket that introduced the flag or will remove it: an identifier or a URL.
    public var ticket: String? {
        get { details.ticket }
        set { details.ticket = newValue }
    }

    /// Creates metadata that has only a description.
    public init(stringLiteral description: String) { self.description = description }

    /// Returns the metadata with its display name filled in.
    ///
    /// - Parameters:
    ///   - name: The name that takes precedence, or `nil` if there is none.
    ///   - label: The name that is used if there is no other.
    func named(_ name: String?, orElse label: String) -> FlagMetadata {
        var metadata = self
        metadata.name = name ?? self.name ?? label
        return metadata
    }
}
