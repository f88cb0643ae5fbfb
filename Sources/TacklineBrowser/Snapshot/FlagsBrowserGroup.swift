/// A nested collection in the browser.
public struct FlagsBrowserGroup: Sendable, Hashable, Codable, Identifiable {
    /// The section's id and the path of the property, as in `AppFlags:secrets.drafts`.
    public var id: String
    /// The id of the group around it, or `nil` if it is directly in the section.
    public var parent: String?
    /// The number of groups around it.
    public var depth: Int
    /// The name for people.
    public var title: String
    /// The description of the collection; may be empty.
    public var description: String
    /// The name of its icon, or `nil` if it has none.
    public var iconName: String?
    /// The common beginning of its flags' keys.
    public var path: String

    /// Creates a group.
    public init(
        id: String, parent: String? = nil, depth: Int = 0, title: String, description: String = "",
        iconName: String? = nil, path: String = ""
    ) {
        self.id = id
        self.parent = parent
        self.depth = depth
        self.title = title
        self.description = description
        self.iconName = iconName
        self.path = path
    }
}
