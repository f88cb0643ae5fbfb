/// Which flags are shown: every condition that is set has to hold.
public struct FlagsBrowserFilter: Sendable, Hashable, Codable {
    /// Words to look for in names, keys, descriptions, tags and owners; empty for none.
    public var text = ""
    /// Only flags for which an override layer holds a value.
    public var isOverridden = false
    /// Only flags whose value is another one than their default.
    public var isChangedFromDefault = false
    /// Only flags that should be gone from the code by now.
    public var isExpired = false
    /// Only flags that somebody pinned.
    public var isPinned = false
    /// Only flags whose value comes from one of these providers, by id; empty for any.
    public var providers: Set<String> = []
    /// Only flags with one of these controls; empty for any.
    public var controls: Set<FlagsBrowserControl.Kind> = []

    /// Makes a filter that lets every flag through.
    public init() {}

    /// Makes a filter for some words.
    public init(text: String) { self.text = text }

    /// Whether it lets every flag through.
    public var isEmpty: Bool { self == FlagsBrowserFilter() }
}
