/// The names and key paths of a collection's flags. It is shared by all loaders of a collection and key configuration.
package final class FlagIndex: @unchecked Sendable {
    // `@unchecked`: only the initializer changes it, and it is shared after that.

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
    package private(set) var issues: [FlagError] = []
    /// The flags by the texts of their keys in the loader's separator. Of several flags with one text, the first.
    private var ordinals: [String: Int] = [:]
    /// The further flags with the text of an earlier one's key, by mistake.
    private var duplicates: [Int] = []
    /// The largest number of components of a flag's key.
    private var longestKey = 0

    /// Creates the key paths of a collection's flags and finds the mistakes in them.
    init(_ members: [FlagShape.Member], configuration: KeyConfiguration, root: ObjectIdentifier) {
        self.configuration = configuration
        keyPaths.reserveCapacity(members.count)
        entries.reserveCapacity(members.count)
        ordinals.reserveCapacity(members.count)
        let prefix = configuration.rootKeyPath
        if configuration.pathSeparator.isEmpty {
            let message = """
                The path separator of the key configuration is empty, so keys of different flags can become the same \
                text. Give KeyConfiguration a pathSeparator, "/" for example.
                """
            issues.append(FlagError(.emptySeparator, message))
        }
        for name in prefix.components where name.isEmpty { reportEmptyName(of: "the prefix of the key configuration") }
        /// The number of the collection for each member, or -1 for a flag.
        var numbers: [Int] = []
        numbers.reserveCapacity(members.count)
        for member in members {
            let parent = member.parent < 0 ? -1 : numbers[member.parent]
            let outer = parent < 0 ? prefix : groups[parent].keyPath
            switch member.declaration {
            case .flag(let declaration):
                numbers.append(-1)
                add(declaration, member.label, in: parent, below: outer, root: root)
            case .collection(let declaration):
                numbers.append(groups.count)
                add(declaration, member.label, in: parent, below: outer)
            }
        }
        for (inner, outer) in overlaps(with: self) {
            let message = """
                The key "\(keyPaths[outer])" of flag \(place(of: outer)) is also the key of a group, which holds flag \
                \(place(of: inner)). Give one of them a key of its own with @Flag(key:), or the group with \
                @FlagCollection(key:).
                """
            issues.append(FlagError(.overlappingKeys, message, key: keyPaths[inner]))
        }
    }

    private func add(
        _ declaration: FlagCollectionDeclaration, _ label: String?, in parent: Int, below outer: FlagKeyPath
    ) {
        let name = declaration.keyConfiguration.component(
            forProperty: label ?? "", transform: configuration.keyTransform)
        if let name { check(name, of: "collection \(place(of: label ?? "?", in: parent, declaration.site))") }
        groups.append(Group(keyPath: name.map { outer.appending($0) } ?? outer, label: label ?? "?", parent: parent))
    }

    private func add(
        _ declaration: FlagDeclaration, _ label: String?, in parent: Int, below outer: FlagKeyPath,
        root: ObjectIdentifier
    ) {
        let ordinal = keyPaths.count
        let identity = FlagKeyPath.Identity(root: root, ordinal: ordinal)
        let keyPath: FlagKeyPath
        var ownCount = 1
        switch declaration.key?.kind {
        case .component(let name): keyPath = outer.appending(name, identity: identity)
        case .name(let name): keyPath = outer.appending(configuration.keyTransform(name), identity: identity)
        case .absolute(let text):
            keyPath = FlagKeyPath(text, separator: configuration.pathSeparator).identified(as: identity)
            ownCount = keyPath.components.count
        case nil: keyPath = outer.appending(label.map { configuration.keyTransform($0) } ?? "", identity: identity)
        }
        keyPaths.append(keyPath)
        entries.append(Entry(label: label ?? "?", group: parent, site: declaration.site))
        longestKey = max(longestKey, keyPath.components.count)
        for name in keyPath.components.suffix(ownCount) { check(name, of: "flag \(place(of: ordinal))") }
        guard let first = ordinals.updateValue(ordinal, forKey: keyPath.text) else { return }
        ordinals[keyPath.text] = first
        duplicates.append(ordinal)
        let message = """
            Two flags have the key "\(keyPath)": \(place(of: first)) and \(place(of: ordinal)). Give one of them a key \
            of its own with @Flag(key:), or its collection one with @FlagCollection(key:).
            """
        issues.append(FlagError(.duplicateKey, message, key: keyPath))
    }

    /// Reports a component that is empty or contains the separator.
    private func check(_ component: String, of subject: @autoclosure () -> String) {
        if component.isEmpty { return reportEmptyName(of: subject()) }
        guard component.names(separatedBy: configuration.pathSeparator).count > 1 else { return }
        let message = """
            The key "\(component)" of \(subject()) contains the separator "\(configuration.pathSeparator)". Remove it, \
            nest the flag in a @FlagCollection, or write key: .absolute("…") to give the whole path.
            """
        issues.append(FlagError(.separatorInKeyComponent, message))
    }

    private func reportEmptyName(of subject: String) {
        let message = """
            A part of the key of \(subject) is empty. Give it a name with key:, or leave key: out to use the property's \
            name.
            """
        issues.append(FlagError(.emptyKeyComponent, message))
    }

    /// Returns the name and the place of a flag, for messages.
    private func place(of ordinal: Int) -> String {
        place(of: entries[ordinal].label, in: entries[ordinal].group, entries[ordinal].site)
    }

    private func place(of label: String, in group: Int, _ site: FlagSite) -> String {
        "\"\(property(label, in: group))\" (\(site))"
    }

    // MARK: Properties

    /// Returns the path of a flag's property in the source: `secrets.boomFeature`.
    package func property(of ordinal: Int) -> String { property(entries[ordinal].label, in: entries[ordinal].group) }

    /// Returns the path of a nested collection's property in the source. It is empty for the root.
    package func property(ofGroup number: Int) -> String {
        number < 0 ? "" : property(groups[number].label, in: groups[number].parent)
    }

    /// Returns the path of a property in the source, given the number of the collection that it is in.
    private func property(_ label: String, in group: Int) -> String {
        group < 0 ? label : property("\(groups[group].label).\(label)", in: groups[group].parent)
    }

    // MARK: Keys

    /// Returns the first flag whose key has the given text, or `nil` if there is none.
    package func ordinal(forText text: String) -> Int? { ordinals[text] }

    /// Returns the flags that are inside the key of a flag of another index, each with that flag.
    func overlaps(with other: FlagIndex) -> [(inner: Int, outer: Int)] {
        var found: [(inner: Int, outer: Int)] = []
        // The flags of a group follow one another, so nearly every one is below the same names as the one before.
        var (names, outer): (ArraySlice<String>, Int?) = ([], nil)
        for (inner, key) in keyPaths.enumerated() {
            let own = key.components.dropLast()
            if own != names { (names, outer) = (own, other.nearest(to: own)) }
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
