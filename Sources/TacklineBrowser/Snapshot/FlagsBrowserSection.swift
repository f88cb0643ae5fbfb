/// A root collection in the browser, which belongs to one loader.
public struct FlagsBrowserSection: Sendable, Hashable, Codable, Identifiable {
    /// The name of the collection's type, followed by a number if an earlier section has the same name. It remains the
    /// same from launch to launch while the order of the loaders does.
    public var id: String
    /// The name for people.
    public var title: String
    /// The description of the collection; may be empty.
    public var description: String
    /// The name of its icon, or `nil` if it has none.
    public var iconName: String?
    /// The common beginning of its flags' keys; often empty.
    public var path: String
    /// The nested collections, each before those inside it.
    public var groups: [FlagsBrowserGroup]
    /// The providers, in the order of the chain.
    public var providers: [FlagsBrowserProvider]
    /// The id of the provider that edits go to if a command names none, or `nil` if no provider can be written to.
    public var defaultDestination: String?

    /// Creates a section.
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
