/// The names and key paths of a collection's flags, worked out once for each collection type and key configuration.
package final class FlagIndex: Sendable {
    /// A flag.
    package struct Entry: Sendable {
        /// The property's name.
        let label: String
        /// The number of the nested collection that the flag is in; -1 for the root.
        package let group: Int
        /// The key that was given by hand; `nil` if it is made from the name.
        fileprivate let key: FlagKey?
    }

    /// A nested collection.
    package struct Group: Sendable {
        /// Without components where the collection, and all around it, adds none.
        package let keyPath: FlagKeyPath
        /// The property's name.
        let label: String
        /// The number of the collection around it; -1 for the root.
        package let parent: Int
        fileprivate let keyConfiguration: CollectionKeyConfiguration
    }

    package let keyPaths: [FlagKeyPath]
    package let entries: [Entry]
    package let groups: [Group]
    package let configuration: KeyConfiguration
    /// Mistakes in keys, without those that depend on more than keys.
    let issues: [FlagIssue]
    private let keys: FlagKeyTree

    init(_ found: FlagDiscovery, configuration: KeyConfiguration) {
        var builder = FlagIndexBuilder(configuration: configuration)
        for (member, record) in zip(found.members, found.records) {
            switch record.declaration {
            case .flag(let declaration): builder.add(member, declaration)
            case .collection(let declaration): builder.add(member, declaration)
            }
        }
        keyPaths = builder.keyPaths
        entries = builder.entries
        groups = builder.groups
        issues = builder.issues
        keys = builder.keys
        self.configuration = configuration
    }

    /// Whether this index is also the one of another construction of the same type.
    func describes(_ flags: [FlagLoadingPlan.Flag], _ groups: [FlagLoadingPlan.Group]) -> Bool {
        entries.elementsEqual(flags) { $0.key == $1.declaration.key }
            && self.groups.elementsEqual(groups) { $0.keyConfiguration == $1.declaration.keyConfiguration }
    }

    /// The path of a flag's property in the source: `secrets.boomFeature`.
    package func property(of ordinal: Int) -> String {
        groups.path(to: entries[ordinal].label, in: entries[ordinal].group)
    }

    /// The path of a nested collection's property in the source; empty for the root.
    package func property(ofGroup number: Int) -> String {
        number < 0 ? "" : groups.path(to: groups[number].label, in: groups[number].parent)
    }

    /// Returns the flag with a key given as text, in the separator of the configuration, or `nil`.
    package func ordinal(forText text: String) -> Int? { keys.ordinal(forText: text) }

    /// Names the flags whose values a change of a provider's value may change, some of them perhaps twice.
    ///
    /// Those are the flag at the changed place; flags above it, which hold it in their own value; and, where an object
    /// came or went, flags below it. A flat key of a provider is compared as text, also where a member of the object at
    /// that key changed.
    ///
    /// - Complexity: O(*n*) in the length of the changed key and in the flags concerned, whatever a server sends.
    package func forEachOrdinal(affectedBy change: FlagProviderChange, _ body: (Int) -> Void) {
        keys.forEachOrdinal(
            affectedBy: change.key, andBelow: change.old?.isObject == true || change.new?.isObject == true, body)
    }
}

extension [FlagIndex.Group] {
    /// The path of a property in the source, given the number of the collection that it is in.
    fileprivate func path(to label: String, in group: Int) -> String {
        group < 0 ? label : path(to: "\(self[group].label).\(label)", in: self[group].parent)
    }
}

extension EncodedFlagValue {
    fileprivate var isObject: Bool { if case .object = self { true } else { false } }
}

/// Flags by their keys: a tree with a level for each component.
///
/// Names are found by a simple hash of their bytes (FNV-1a). A dictionary's withstands keys that were made to collide, but
/// takes several times as long; here only an app's own keys are kept, and what a server sends is merely looked for.
struct FlagKeyTree: Sendable {
    private struct Node: Sendable {
        /// The node above, and the name that leads here from it.
        var parent = 0
        var component = ""
        /// The flags with the key that ends here: more than one only by mistake.
        var ordinals: [Int] = []
        /// The node below that was made last, and the one beside this that was made before it; 0 for none.
        var child = 0
        var sibling = 0
    }

    private let separator: String
    /// The root comes first.
    private var nodes = [Node()]
    /// The numbers of all nodes but the root, each in the first place that was free from its hash on; 0 where it is free.
    private var places = [Int](repeating: 0, count: 32)
    /// Flags whose components hold the separator, by their texts, which read like the keys of others.
    private var ambiguous: [String: [Int]] = [:]

    init(separator: String) { self.separator = separator }

    /// Returns the node of a path, making it where there is none.
    @inline(never) mutating func node(at path: [String]) -> Int {
        var node = 0
        for component in path { node = self.node(component, below: node) }
        return node
    }

    /// Returns a node below another one, making it where there is none.
    mutating func node(_ component: String, below parent: Int) -> Int {
        let place = place(of: component, below: parent)
        guard places[place] == 0 else { return places[place] }
        let node = nodes.count
        nodes.append(Node(parent: parent, component: component, sibling: nodes[parent].child))
        nodes[parent].child = node
        places[place] = node
        if nodes.count > places.count / 2 {
            places = [Int](repeating: 0, count: 2 * places.count)
            for node in 1...node { places[self.place(of: nodes[node].component, below: nodes[node].parent)] = node }
        }
        return node
    }

    /// Returns the node below another one, or `nil`.
    private func existingNode(_ component: String, below parent: Int) -> Int? {
        let node = places[place(of: component, below: parent)]
        return node == 0 ? nil : node
    }

    /// Returns the place that a node has, or would take.
    private func place(of component: String, below parent: Int) -> Int {
        var hash = 0xCBF2_9CE4_8422_2325 ^ UInt64(parent)
        var text = component
        text.withUTF8 { for byte in $0 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 } }
        // Always ends: half of the places are free.
        var place = Int(hash >> 33) & (places.count - 1)
        while places[place] != 0 {
            let node = places[place]
            if nodes[node].parent == parent, nodes[node].component.hasSameBytes(as: component) { break }
            place = (place + 1) & (places.count - 1)
        }
        return place
    }

    /// Adds a flag.
    ///
    /// - Returns: The flag that has the same key already, or the same text of a key.
    mutating func add(_ ordinal: Int, _ key: FlagKeyPath, at node: Int) -> Int? {
        let isAmbiguous = separator.isEmpty || key.components.contains { $0.holds(separator) }
        let first =
            isAmbiguous || !ambiguous.isEmpty
            ? ordinals(forText: key.text).min() ?? nodes[node].ordinals.first : nodes[node].ordinals.first
        nodes[node].ordinals.append(ordinal)
        if isAmbiguous { ambiguous[key.text, default: []].append(ordinal) }
        return first
    }

    /// The flag with a text; the first one where there are several by mistake.
    func ordinal(forText text: String) -> Int? { ordinals(forText: text).min() }

    @inline(never) private func ordinals(forText text: String) -> [Int] {
        let others = ambiguous.isEmpty ? [] : ambiguous[text] ?? []
        var node = 0
        for component in FlagKeyPath(text, separator: separator).components {
            guard let child = existingNode(component, below: node) else { return others }
            node = child
        }
        return nodes[node].ordinals + others
    }

    func forEachOrdinal(affectedBy key: FlagKeyPath, andBelow: Bool, _ body: (Int) -> Void) {
        var last: Int? = 0
        for component in key.components {
            last = last.flatMap { existingNode(component, below: $0) }
            guard let node = last else { break }
            for place in nodes[node].ordinals.indices { body(nodes[node].ordinals[place]) }
        }
        if andBelow, let last { forEachOrdinal(below: last, body) }
        // A flat key, which was split at the separator of its provider.
        if key.separator != separator || !ambiguous.isEmpty { ordinals(forText: key.text).forEach(body) }
        if let first = key.components.first, first.holds(separator) { ordinals(forText: first).forEach(body) }
    }

    private func forEachOrdinal(below node: Int, _ body: (Int) -> Void) {
        var waiting = [nodes[node].child]
        while let next = waiting.popLast() {
            guard next != 0 else { continue }
            for ordinal in nodes[next].ordinals { body(ordinal) }
            waiting += [nodes[next].sibling, nodes[next].child]
        }
    }
}

extension String {
    /// Whether another text, which is not empty, is a part of this one, byte by byte.
    @inline(never) fileprivate func holds(_ part: String) -> Bool {
        var text = self
        return text.withUTF8 { bytes in
            guard let first = part.utf8.first, bytes.contains(first) else { return false }
            return bytes.indices.contains { bytes[$0...].starts(with: part.utf8) }
        }
    }
}

/// Makes key paths from names and declarations, and finds the mistakes in them.
private struct FlagIndexBuilder {
    let configuration: KeyConfiguration
    var keyPaths: [FlagKeyPath] = []
    var entries: [FlagIndex.Entry] = []
    var groups: [FlagIndex.Group] = []
    var issues: [FlagIssue] = []
    var keys: FlagKeyTree
    private let prefix: FlagKeyPath
    private var sites: [FlagSite] = []
    /// The group of each member; -1 for flags.
    private var groupOfMember: [Int] = []
    /// Where the flags of each group go in the tree; of the root at first.
    private var nodes: [Int] = []

    init(configuration: KeyConfiguration) {
        self.configuration = configuration
        prefix = configuration.rootKeyPath
        keys = FlagKeyTree(separator: configuration.pathSeparator)
        nodes.append(keys.node(at: prefix.components))
        if configuration.pathSeparator.isEmpty {
            let message = """
                The path separator of the key configuration is empty, so keys of different flags can become the same \
                text. Give KeyConfiguration a pathSeparator, "/" for example.
                """
            issues.append(FlagIssue(.emptySeparator, message: message))
        }
        for component in prefix.components {
            issues += mistakes(in: component, of: { "the prefix of the key configuration" }, isPath: true)
        }
    }

    mutating func add(_ member: FlagDiscovery.Member, _ declaration: FlagCollectionDeclaration) {
        let parent = member.parent < 0 ? -1 : groupOfMember[member.parent]
        let label = member.label ?? "?"
        let component = declaration.keyConfiguration.component(
            forProperty: member.label ?? "", transform: configuration.keyTransform)
        if let component {
            issues += mistakes(
                in: component, of: { "collection \"\(groups.path(to: label, in: parent))\" (\(declaration.site))" })
        }
        let outer = parent < 0 ? prefix : groups[parent].keyPath
        groupOfMember.append(groups.count)
        nodes.append(component.map { keys.node($0, below: nodes[parent + 1]) } ?? nodes[parent + 1])
        groups.append(
            FlagIndex.Group(
                keyPath: component.map { outer.appending($0) } ?? outer, label: label, parent: parent,
                keyConfiguration: declaration.keyConfiguration))
    }

    mutating func add(_ member: FlagDiscovery.Member, _ declaration: FlagDeclaration) {
        let parent = member.parent < 0 ? -1 : groupOfMember[member.parent]
        let label = member.label ?? "?"
        let subject = { [groups] in "flag \"\(groups.path(to: label, in: parent))\" (\(declaration.site))" }
        let keyPath: FlagKeyPath
        let node: Int
        if case .absolute(let text)? = declaration.key?.kind {
            keyPath = FlagKeyPath(text, separator: configuration.pathSeparator)
            for component in keyPath.components { issues += mistakes(in: component, of: subject, isPath: true) }
            node = keys.node(at: keyPath.components)
        } else {
            let own = component(of: declaration, label: member.label)
            if own.isEmpty || own.holds(configuration.pathSeparator) { issues += mistakes(in: own, of: subject) }
            let outer = parent < 0 ? prefix : groups[parent].keyPath
            keyPath = outer.appending(own)
            node = keys.node(own, below: nodes[parent + 1])
        }
        let ordinal = keyPaths.count
        keyPaths.append(keyPath)
        entries.append(FlagIndex.Entry(label: label, group: parent, key: declaration.key))
        sites.append(declaration.site)
        groupOfMember.append(-1)
        if let first = keys.add(ordinal, keyPath, at: node) { report(duplicate: ordinal, of: first) }
    }

    /// The flag's own component.
    @inline(never) private func component(of declaration: FlagDeclaration, label: String?) -> String {
        switch declaration.key?.kind {
        case .component(let name)?: name
        case .name(let name)?: configuration.keyTransform(name)
        case .absolute?, nil: label.map { configuration.keyTransform($0) } ?? ""
        }
    }

    // MARK: Messages

    private mutating func report(duplicate ordinal: Int, of first: Int) {
        func name(_ ordinal: Int) -> String { groups.path(to: entries[ordinal].label, in: entries[ordinal].group) }
        let message = """
            Two flags have the key "\(keyPaths[ordinal])": "\(name(first))" (\(sites[first])) and "\(name(ordinal))" \
            (\(sites[ordinal])). Give one of them a key of its own with @Flag(key:), or its collection one with \
            @FlagCollection(key:).
            """
        issues.append(FlagIssue(.duplicateKey, message: message, key: keyPaths[ordinal]))
    }

    /// Returns what is wrong with a component: it is empty, or it holds the separator.
    ///
    /// - Parameters:
    ///   - subject: Whose component it is, for the message.
    ///   - isPath: Whether separators are meant, as in an absolute key.
    @inline(never) private func mistakes(in component: String, of subject: () -> String, isPath: Bool = false)
        -> [FlagIssue]
    {
        let separator = configuration.pathSeparator
        if component.isEmpty {
            let message = """
                A part of the key of \(subject()) is empty. Give it a name with key:, or leave key: out to use the \
                property's name.
                """
            return [FlagIssue(.emptyKeyComponent, message: message)]
        }
        guard !isPath, component.holds(separator) else { return [] }
        let message = """
            The key "\(component)" of \(subject()) contains the separator "\(separator)". Remove it, nest the flag in \
            a @FlagCollection, or write key: .absolute("…") to give the whole path.
            """
        return [FlagIssue(.separatorInKeyComponent, message: message)]
    }
}
