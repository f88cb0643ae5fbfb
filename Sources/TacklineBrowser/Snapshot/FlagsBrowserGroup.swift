/// A nested collection in the browser.
public struct FlagsBrowserGroup: Sendable, Hashable, Codable, Identifiable {
    /// The section's id and the path of the property, as in `AppFlags:secrets.drafts`.
    public var id: String
    /// The id of the group around it; `nil` if the section is.
    public var parent: String?
    /// How many groups are around it.
    public var depth: Int
    /// The name for people.
    public var title: String
    /// What the collection is for; may be empty.
    public var description: String
    /// The name of its icon; `nil` if it has none.
    public var iconName: String?
    /// What the keys of its flags have in common.
    public var path: String

    /// Makes a group.
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
