/// A root collection in the browser: what one loader holds.
public struct FlagsBrowserSection: Sendable, Hashable, Codable, Identifiable {
    /// The name of the collection's type, with a number behind it if an earlier section has the same. It stays the same
    /// from launch to launch as long as the order of the loaders does.
    public var id: String
    /// The name for people.
    public var title: String
    /// What the collection is for; may be empty.
    public var description: String
    /// The name of its icon; `nil` if it has none.
    public var iconName: String?
    /// What the keys of its flags have in common; often empty.
    public var path: String
    /// The nested collections, each before those inside it.
    public var groups: [FlagsBrowserGroup]
    /// The providers, in the order in which they are asked.
    public var providers: [FlagsBrowserProvider]
    /// The id of the provider that edits go to if none is chosen; `nil` if none can be written to.
    public var defaultDestination: String?

    /// Makes a section.
    public init(
        id: String, title: String, description: String = "", iconName: String? = nil, path: String = "",
        groups: [FlagsBrowserGroup] = [], providers: [FlagsBrowserProvider] = [], defaultDestination: String? = nil
    ) {
        self.id = id
        self.title = title
        self.description = description
        self.iconName = iconName
        self.path = path
        self.groups = groups
        self.providers = providers
        self.defaultDestination = defaultDestination
    }
}
