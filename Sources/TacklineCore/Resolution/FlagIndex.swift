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
    package let issues: [FlagError]
    /// The flags by the texts of their keys in the loader's separator. Of several flags with one text, the first.
    private let ordinals: [String: Int]
    /// Further flags with the text of another one's key, by mistake.
    private let duplicates: [(text: String, ordinal: Int)]
    /// The largest number of components of a flag's key.
    private let longestKey: Int

    package init(
        keyPaths: [FlagKeyPath], entries: [Entry], groups: [Group], ordinals: [String: Int], issues: [FlagError],
        configuration: KeyConfiguration
    ) {
        self.keyPaths = keyPaths
        self.entries = entries
        self.groups = groups
        self.ordinals = ordinals
        self.issues = issues
        self.configuration = configuration
        var longestKey = 0
        for key in keyPaths { longestKey = max(longestKey, key.components.count) }
        self.longestKey = longestKey
        duplicates =
            ordinals.count == keyPaths.count
            ? [] : keyPaths.enumerated().filter { ordinals[$1.text] != $0 }.map { ($1.text, $0) }
    }

    /// Returns the path of a flag's property in the source: `secrets.boomFeature`.
    package func property(of ordinal: Int) -> String {
        groups.path(to: entries[ordinal].label, in: entries[ordinal].group)
    }

    /// Returns the path of a nested collection's property in the source. It is empty for the root.
    package func property(ofGroup number: Int) -> String {
        number < 0 ? "" : groups.path(to: groups[number].label, in: groups[number].parent)
    }

    /// Returns the first flag whose key has the given text, or `nil` if there is none.
    package func ordinal(forText text: String) -> Int? { ordinals[text] }

    /// Returns the flags whose keys begin with the key of a flag of another index, or with which that key begins.
    ///
    /// - Returns: The flags in the order of their numbers, each with one such flag of the other index.
    package func overlaps(with other: FlagIndex) -> [(own: Int, other: Int)] {
        var found: [Int: Int] = [:]
        for (inner, key) in other.keyPaths.enumerated() {
            if let own = nearest(above: key), found[own] == nil { found[own] = inner }
        }
        for (own, key) in keyPaths.enumerated() {
            if let outer = other.nearest(above: key) { found[own] = outer }
        }
        return found.sorted { $0.key < $1.key }.map { (own: $0.key, other: $0.value) }
    }

    /// Returns the flag with the longest key with which a key begins; `nil` if there is none but at the key itself.
    private func nearest(above key: FlagKeyPath) -> Int? {
        ordinals.nearest(above: key, separator: configuration.pathSeparator)
    }

    /// Calls `body` with each flag whose value may differ after a change of a provider's value, and with some of them
    /// twice.
    ///
    /// These are the flag at the changed key; flags above it, whose own value contains it; and, if an object was added
    /// or removed, flags below it. A flat key of a provider is compared as text, even if only a member of the object at
    /// that key changed.
    ///
    /// - Complexity: O(*n*) in the length of the changed key, and in the number of flags if an object was added or
    ///   removed.
    package func forEachOrdinal(affectedBy change: FlagProviderChange, _ body: (Int) -> Void) {
        let key = change.key
        let separator = configuration.pathSeparator
        forEachOrdinal(forText: key.text, body)
        var text = ""
        for (index, component) in key.components.prefix(longestKey).enumerated() {
            text += index == 0 ? component : separator + component
            // The whole key was looked up in the separator of its provider.
            if text != key.text { forEachOrdinal(forText: text, body) }
        }
        guard change.old?.isObject == true || change.new?.isObject == true else { return }
        for (ordinal, flag) in keyPaths.enumerated() where key.isPrefix(of: flag) { body(ordinal) }
    }

    private func forEachOrdinal(forText text: String, _ body: (Int) -> Void) {
        guard let first = ordinals[text] else { return }
        body(first)
        for duplicate in duplicates where duplicate.text == text { body(duplicate.ordinal) }
    }
}

extension [String: Int] {
    /// Returns the flag with the longest key with which a key begins; `nil` if there is none but at the key itself.
    ///
    /// - Parameter separator: The separator of the dictionary's keys.
    package func nearest(above key: FlagKeyPath, separator: String) -> Int? {
        var nearest: Int?
        var text = ""
        for component in key.components.dropLast() {
            text += text.isEmpty ? component : separator + component
            nearest = self[text] ?? nearest
        }
        return nearest
    }
}

extension [FlagIndex.Group] {
    /// Returns the path of a property in the source, given the number of the collection that it is in.
    package func path(to label: String, in group: Int) -> String {
        group < 0 ? label : path(to: "\(self[group].label).\(label)", in: self[group].parent)
    }
}
