/// A filter for the listed flags. A flag matches if it meets every condition that is set.
public struct FlagsBrowserFilter: Sendable, Hashable, Codable {
    /// The words to search for in names, keys, values, descriptions, tags and owners; empty for none.
    public var text = ""
    /// Whether to list only flags for which an override layer holds a value.
    public var isOverridden = false
    /// Whether to list only flags whose value differs from their default.
    public var isChangedFromDefault = false
    /// Whether to list only flags whose expiry date has passed.
    public var isExpired = false
    /// Whether to list only pinned flags.
    public var isPinned = false
    /// The ids of providers. Only flags whose value comes from one of them are listed; empty for any.
    public var providers: Set<String> = []
    /// The kinds of controls. Only flags with one of them are listed; empty for any.
    public var controls: Set<FlagsBrowserControl.Kind> = []

    /// Creates a filter that every flag matches.
    public init() {}

    /// Creates a filter for some words.
    public init(text: String) { self.text = text }

    /// Whether every flag matches the filter.
    public var isEmpty: Bool { self == FlagsBrowserFilter() }
}
