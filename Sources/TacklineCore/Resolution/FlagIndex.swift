/// The names and key paths of a collection's flags. It is shared by all loaders of a collection and key configuration.
package final class FlagIndex: @unchecked Sendable {
    // `@unchecked`: only initializers change it, and it is shared after that.

    /// A flag.
    package struct Entry: Sendable {
        /// The name of the property.
        package let label: String
        /// The number of the nested collection that the flag is in, or -1 for the root.
        package let group: Int
        /// The place of the declaration.
        let site: FlagSite
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

    package let configuration: KeyConfiguration
    package private(set) var keyPaths: [FlagKeyPath] = []
    package private(set) var entries: [Entry] = []
    package private(set) var groups: [Group] = []
    /// The mistakes in keys.
    package internal(set) var issues: [FlagError] = []
    /// The flags by the texts of their keys in the loader's separator. Of several flags with one text, the first.
    private var ordinals: [String: Int] = [:]
    /// The further flags with the text of an earlier one's key, by mistake.
    private var duplicates: [Int] = []
    /// The largest number of components of a flag's key.
    private var longestKey = 0

    /// Creates an index without flags, with space for `capacity` of them.
    init(configuration: KeyConfiguration, capacity: Int) {
        self.configuration = configuration
        keyPaths.reserveCapacity(capacity)
        entries.reserveCapacity(capacity)
        ordinals.reserveCapacity(capacity)
    }

    /// Adds a collection. Those around it are added before it.
    func add(_ group: Group) { groups.append(group) }

    /// Adds a flag, and returns an earlier flag with the same key if there is one by mistake.
    func add(_ keyPath: FlagKeyPath, _ entry: Entry) -> Int? {
        let ordinal = keyPaths.count
        keyPaths.append(keyPath)
        entries.append(entry)
        longestKey = max(longestKey, keyPath.components.count)
        guard let first = ordinals.updateValue(ordinal, forKey: keyPath.text) else { return nil }
        ordinals[keyPath.text] = first
        duplicates.append(ordinal)
        return first
    }

    // MARK: Properties

    /// Returns the path of a flag's property in the source: `secrets.boomFeature`.
    package func property(of ordinal: Int) -> String { property(entries[ordinal].label, in: entries[ordinal].group) }

    /// Returns the path of a nested collection's property in the source. It is empty for the root.
    package func property(ofGroup number: Int) -> String {
        number < 0 ? "" : property(groups[number].label, in: groups[number].parent)
    }

    /// Returns the path of a property in the source, given the number of the collection that it is in.
    func property(_ label: String, in group: Int) -> String {
        group < 0 ? label : property("\(groups[group].label).\(label)", in: groups[group].parent)
    }

    // MARK: Keys

    /// Returns the first flag whose key has the given text, or `nil` if there is none.
    package func ordinal(forText text: String) -> Int? { ordinals[text] }

    /// Returns the flags whose keys begin with the key of a flag of another index, or with which that key begins.
    ///
    /// - Returns: The flags in the order of their numbers, each with one such flag of the other index.
    package func overlaps(with other: FlagIndex) -> [(own: Int, other: Int)] {
        var found: [Int: Int] = [:]
        for (inner, key) in other.keyPaths.enumerated() {
            if let own = nearest(to: key.components.dropLast()), found[own] == nil { found[own] = inner }
        }
        for (own, key) in keyPaths.enumerated() {
            if let outer = other.nearest(to: key.components.dropLast()) { found[own] = outer }
        }
        return found.sorted { $0.key < $1.key }.map { (own: $0.key, other: $0.value) }
    }

    /// Returns the flags that are inside another flag's key, each with that flag.
    func overlaps() -> [(inner: Int, outer: Int)] {
        var found: [(inner: Int, outer: Int)] = []
        // The flags of a group follow one another, so nearly every one is below the same names as the one before.
        var (names, outer): (ArraySlice<String>, Int?) = ([], nil)
        for (inner, key) in keyPaths.enumerated() {
            let own = key.components.dropLast()
            if own != names { (names, outer) = (own, nearest(to: own)) }
            if let outer { found.append((inner, outer)) }
        }
        return found
    }

    /// Returns the flag with the longest key with which a list of names begins, or `nil` if there is none.
    private func nearest(to names: ArraySlice<String>) -> Int? {
        var (text, nearest): (String, Int?) = ("", nil)
        for name in names {
            text += text.isEmpty ? name : configuration.pathSeparator + name
            nearest = ordinals[text] ?? nearest
        }
        return nearest
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
        forEachOrdinal(forText: key.text, body)
        var text = ""
        for (index, component) in key.components.prefix(longestKey).enumerated() {
            text += index == 0 ? component : configuration.pathSeparator + component
            // The whole key was looked up in the separator of its provider.
            if text != key.text { forEachOrdinal(forText: text, body) }
        }
        guard change.old?.isObject == true || change.new?.isObject == true else { return }
        for (ordinal, flag) in keyPaths.enumerated() where key.isPrefix(of: flag) { body(ordinal) }
    }

    private func forEachOrdinal(forText text: String, _ body: (Int) -> Void) {
        guard let first = ordinals[text] else { return }
        body(first)
        for duplicate in duplicates where keyPaths[duplicate].text == text { body(duplicate) }
    }
}
