public import TacklineFoundation

/// The description of a flag or a collection for the people who work with it. Flag browsers and explanations show it.
/// It doesn't affect values.
///
/// A string literal creates metadata that has only a description.
public struct FlagMetadata: Sendable, Equatable, ExpressibleByStringInterpolation {
    /// The effect of the flag, in a sentence.
    public var description: String
    /// The display name. If it is `nil`, the name of the flag's property is used.
    public var name: String?
    /// The position among the flags or collections of the same collection, smallest first. Equal positions keep the
    /// order of the declarations.
    public var order = 0
    /// Whether the flag concerns only its developers. Browsers hide such a flag by default.
    public var isInternal = false
    /// Whether browsers show the flag without letting people change it. Code can still set it.
    public var isLocked = false
    /// The name of an icon: an SF Symbol on Apple systems.
    public var iconName: String?
    /// Words by which people can search for the flag.
    public var tags: [String] = []
    /// The person or team responsible for the flag.
    public var owner: String?
    /// The day by which the flag should be removed from the code, or `nil` if there is none. The framework does nothing
    /// on that day.
    public var expiryDate: Date?
    /// The ticket that introduced the flag or will remove it: an identifier or a URL.
    public var ticket: String?

    /// Creates metadata. Each parameter sets the property with the same name.
    public init(
        name: String? = nil, description: String = "", order: Int = 0, isInternal: Bool = false, isLocked: Bool = false,
        iconName: String? = nil, tags: [String] = [], owner: String? = nil, expiryDate: Date? = nil,
        ticket: String? = nil
    ) {
        (self.name, self.description, self.order) = (name, description, order)
        (self.isInternal, self.isLocked, self.iconName, self.tags) = (isInternal, isLocked, iconName, tags)
        (self.owner, self.expiryDate, self.ticket) = (owner, expiryDate, ticket)
    }

    /// Creates metadata that has only a description.
    public init(stringLiteral description: String) { self.description = description }

    func named(_ label: String) -> FlagMetadata {
        var metadata = self
        metadata.name = name ?? label
        return metadata
    }
}

extension FlagMetadata {
    /// Whether the flag's values are kept out of logs, errors, metrics, traces and everything that is printed. Such a flag
    /// has the tag `secret`.
    ///
    /// Browsers show it like any other flag, and so do the properties of explanations, changes and snapshots. A provider
    /// doesn't know which flags are secret, so what it prints of its values, such as a ``FlagDocument``, may have them.
    /// Setting the property adds or removes the tag. The value of a secret flag is resolved at each read, so that a flag
    /// that is computed from it is known to be secret, too.
    public var isSecret: Bool {
        get { tags.contains("secret") }
        set {
            guard newValue != isSecret else { return }
            if newValue { tags.append("secret") } else { tags.removeAll { $0 == "secret" } }
        }
    }
}

extension FlagMetadata {
    package func shown(_ text: @autoclosure () -> String) -> String { Self.shown(text(), isSecret: isSecret) }

    /// Returns a text about a value, or a text that doesn't have it if the value is secret.
    static func shown(_ text: @autoclosure () -> String, isSecret: Bool) -> String { isSecret ? "a secret" : text() }
}

/// A value that `dump` and mirrors show as its description and without members, because those may be secret.
package protocol ReflectedAsDescription: CustomStringConvertible, CustomReflectable {}

extension ReflectedAsDescription {
    /// A mirror without children.
    public var customMirror: Mirror { Mirror(self, children: []) }
}
