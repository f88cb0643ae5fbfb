public import TacklineCore

/// A description of an app's flags without their values: keys, types, defaults and metadata, for tools that cannot run the app.
///
/// ```swift
/// try print(FlagManifest(loader).jsonText())
/// ```
///
/// The JSON form is versioned, see ``version``. The OpenFeature CLI's form of a manifest is written by
/// ``openFeatureForm()`` and read by the same initializers, which tell the two apart.
public struct FlagManifest: Sendable, Hashable {
    /// The version of the JSON form, which stands in it as `tacklineManifest`.
    ///
    /// Members that are added later leave it as it is, and are ignored by a reader that does not know them. It increases
    /// when the meaning of a member changes; a reader refuses a manifest with a greater version than its own.
    public static let version = 1

    /// The collections, in the order in which they were added.
    public var collections: [Listing]

    /// The attributes that the app puts into evaluation contexts, by name; empty if they are not declared. A check of
    /// definitions finds misspelt ones.
    public var attributes: [String: ValueType.Kind] = [:]

    /// The flags of one root collection.
    public struct Listing: Sendable, Hashable {
        /// The collection's name for people; `nil` if it has none.
        public var name: String?
        /// The collection's description.
        public var description: String
        /// The text between two names in a key.
        public var separator: String
        /// The flags: the collection's own first, then group by group.
        public var flags: [Entry]

        /// Makes a listing.
        public init(
            name: String? = nil, description: String = "", separator: String = FlagKeyPath.defaultSeparator,
            flags: [Entry] = []
        ) {
            self.name = name
            self.description = description
            self.separator = separator
            self.flags = flags
        }
    }

    /// Makes a manifest.
    public init(collections: [Listing]) {
        self.collections = collections
    }

    /// Creates a manifest of a loader's flags.
    ///
    /// - Complexity: O(*n*) in the number of flags; every default is encoded.
    public init<Collection>(_ loader: FlagsLoader<Collection>) {
        self.init([loader.root])
    }

    /// Creates a manifest of the flags of a manager's collections.
    ///
    /// - Complexity: O(*n*) in the number of flags; every default is encoded.
    public init(_ manager: FlagsManager) {
        self.init(manager.collections)
    }

    /// Creates a manifest of root collections.
    ///
    /// - Complexity: O(*n*) in the number of flags; every default is encoded.
    public init(_ roots: [FlagGroup]) {
        collections = roots.map { root in
            var listing = Listing(
                name: root.metadata.name, description: root.metadata.description, separator: root.keyPath.separator)
            FlagManifest.add(root, titles: [], to: &listing.flags)
            return listing
        }
    }

    /// Every flag of every collection.
    public var allFlags: [Entry] { collections.flatMap(\.flags) }

    /// Collections hold each other by value, so this ends.
    private static func add(_ group: FlagGroup, titles: [String], to flags: inout [Entry]) {
        flags += group.flags.map { Entry($0, groups: titles) }
        for inner in group.groups {
            add(inner, titles: titles + [inner.metadata.name ?? inner.property], to: &flags)
        }
    }
}
