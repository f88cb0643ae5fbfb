/// The names and key paths of a collection's flags. It is shared by all loaders of a collection and key configuration.
package final class FlagIndex: Sendable {
    /// A flag.
    package struct Entry: Sendable {
        /// The name of the property.
        package let label: String
        /// The number of the nested collection that the flag is in, or -1 for the root.
        package let group: Int
    }

    /// A nested collection.
    package struct Group: Sendable {
        /// The key path, without components if neither the collection nor any around it adds one.
        package let keyPath: FlagKeyPath
        /// The name of the property.
        package let label: String
        /// The number of the collection around it, or -1 for the root.
        package let parent: Int
    }

    package let keyPaths: [FlagKeyPath]
    package let entries: [Entry]
    package let groups: [Group]
    package let configuration: KeyConfiguration
    /// The mistakes in keys.
    package let issues: [FlagIssue]
    private let tree: FlagKeyTree

    package init(
        keyPaths: [FlagKeyPath], entries: [Entry], groups: [Group], tree: FlagKeyTree, issues: [FlagIssue],
        configuration: KeyConfiguration
    ) {
        self.keyPaths = keyPaths
        self.entries = entries
        self.groups = groups
        self.tree = tree
        self.issues = issues
        self.configuration = configuration
    }

    /// Returns the path of a flag's property in the source: `secrets.boomFeature`.
    package func property(of ordinal: Int) -> String {
        groups.path(to: entries[ordinal].label, in: entries[ordinal].group)
    }

    /// Returns the path of a nested collection's property in the source. It is empty for the root.
    package func property(ofGroup number: Int) -> String {
        number < 0 ? "" : groups.path(to: groups[number].label, in: groups[number].parent)
    }

    /// Returns the flag whose key has the given text, or `nil` if there is none.
    package func ordinal(forText text: String) -> Int? { tree.ordinal(forText: text) }

    /// Returns a flag whose key begins with the given key, or with which it begins; `nil` if there is none.
    package func ordinal(overlapping key: FlagKeyPath) -> Int? { tree.ordinal(overlapping: key) }

    /// Calls `body` with each flag whose value may differ after a change of a provider's value, and with some of them
    /// twice.
    ///
    /// These are the flag at the changed key; flags above it, whose own value contains it; and, if an object was added
    /// or removed, flags below it. A flat key of a provider is compared as text, even if only a member of the object at
    /// that key changed.
    ///
    /// - Complexity: O(*n*) in the length of the changed key and in the number of affected flags.
    package func forEachOrdinal(affectedBy change: FlagProviderChange, _ body: (Int) -> Void) {
        tree.forEachOrdinal(
            affectedBy: change.key, andBelow: change.old?.isObject == true || change.new?.isObject == true, body)
    }
}

extension [FlagIndex.Group] {
    /// Returns the path of a property in the source, given the number of the collection that it is in.
    package func path(to label: String, in group: Int) -> String {
        group < 0 ? label : path(to: "\(self[group].label).\(label)", in: self[group].parent)
    }
}
