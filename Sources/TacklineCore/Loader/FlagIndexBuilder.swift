extension FlagIndex {
    /// Creates the key paths of a collection's flags and finds the mistakes in them.
    ///
    /// - Parameter root: The type of the collection.
    convenience init(_ members: [FlagShape.Member], configuration: KeyConfiguration, root: ObjectIdentifier) {
        var builder = FlagIndexBuilder(configuration: configuration, root: root, count: members.count)
        for member in members {
            switch member.declaration {
            case .flag(let declaration): builder.add(member, declaration)
            case .collection(let declaration): builder.add(member, declaration)
            }
        }
        builder.reportOverlaps()
        self.init(
            keyPaths: builder.keyPaths, entries: builder.entries, groups: builder.groups, ordinals: builder.ordinals,
            issues: builder.issues, configuration: configuration)
    }
}

private struct FlagIndexBuilder {
    let configuration: KeyConfiguration
    let root: ObjectIdentifier
    var keyPaths: [FlagKeyPath] = []
    var entries: [FlagIndex.Entry] = []
    var groups: [FlagIndex.Group] = []
    var issues: [FlagError] = []
    /// The first flag for each text of a key.
    var ordinals: [String: Int] = [:]
    private let prefix: FlagKeyPath
    private var sites: [FlagSite] = []
    /// The number of the collection for each member, or -1 for a flag.
    private var groupOfMember: [Int] = []

    init(configuration: KeyConfiguration, root: ObjectIdentifier, count: Int) {
        self.configuration = configuration
        self.root = root
        prefix = configuration.rootKeyPath
        ordinals.reserveCapacity(count)
        keyPaths.reserveCapacity(count)
        entries.reserveCapacity(count)
        if configuration.pathSeparator.isEmpty {
            let message = """
                The path separator of the key configuration is empty, so keys of different flags can become the same \
                text. Give KeyConfiguration a pathSeparator, "/" for example.
                """
            issues.append(FlagError(.emptySeparator, message))
        }
        for component in prefix.components {
            issues += mistakes(in: component, of: { "the prefix of the key configuration" }, isPath: true)
        }
    }

    mutating func add(_ member: FlagShape.Member, _ declaration: FlagCollectionDeclaration) {
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
        groups.append(
            FlagIndex.Group(keyPath: component.map { outer.appending($0) } ?? outer, label: label, parent: parent))
    }

    mutating func add(_ member: FlagShape.Member, _ declaration: FlagDeclaration) {
        let parent = member.parent < 0 ? -1 : groupOfMember[member.parent]
        let label = member.label ?? "?"
        let subject = { [groups] in "flag \"\(groups.path(to: label, in: parent))\" (\(declaration.site))" }
        let ordinal = keyPaths.count
        let identity = FlagKeyPath.Identity(root: root, ordinal: ordinal)
        let keyPath: FlagKeyPath
        if case .absolute(let text)? = declaration.key?.kind {
            keyPath = FlagKeyPath(text, separator: configuration.pathSeparator).identified(as: identity)
            for component in keyPath.components { issues += mistakes(in: component, of: subject, isPath: true) }
        } else {
            let own = component(of: declaration, label: member.label)
            issues += mistakes(in: own, of: subject)
            keyPath = (parent < 0 ? prefix : groups[parent].keyPath).appending(own, identity: identity)
        }
        keyPaths.append(keyPath)
        entries.append(FlagIndex.Entry(label: label, group: parent))
        sites.append(declaration.site)
        groupOfMember.append(-1)
        if let first = ordinals[keyPath.text] {
            report(duplicate: ordinal, of: first)
        } else {
            ordinals[keyPath.text] = ordinal
        }
    }

    /// Returns the flag's own component.
    private func component(of declaration: FlagDeclaration, label: String?) -> String {
        switch declaration.key?.kind {
        case .component(let name)?: name
        case .name(let name)?: configuration.keyTransform(name)
        case .absolute?, nil: label.map { configuration.keyTransform($0) } ?? ""
        }
    }

    // MARK: Messages

    mutating func reportOverlaps() {
        for inner in keyPaths.indices {
            guard let outer = ordinals.nearest(above: keyPaths[inner], separator: configuration.pathSeparator) else {
                continue
            }
            let message = """
                The key "\(keyPaths[outer])" of flag "\(name(of: outer))" (\(sites[outer])) is also the key of a group, \
                which holds flag "\(name(of: inner))" (\(sites[inner])). Give one of them a key of its own with \
                @Flag(key:), or the group with @FlagCollection(key:).
                """
            issues.append(FlagError(.overlappingKeys, message, key: keyPaths[inner]))
        }
    }

    private func name(of ordinal: Int) -> String {
        groups.path(to: entries[ordinal].label, in: entries[ordinal].group)
    }

    private mutating func report(duplicate ordinal: Int, of first: Int) {
        let message = """
            Two flags have the key "\(keyPaths[ordinal])": "\(name(of: first))" (\(sites[first])) and "\(name(of: ordinal))" \
            (\(sites[ordinal])). Give one of them a key of its own with @Flag(key:), or its collection one with \
            @FlagCollection(key:).
            """
        issues.append(FlagError(.duplicateKey, message, key: keyPaths[ordinal]))
    }

    /// Returns the mistakes in a component: it is empty, or it contains the separator.
    ///
    /// - Parameters:
    ///   - subject: The owner of the component, for the message.
    ///   - isPath: Whether separators are intended, as in an absolute key.
    private func mistakes(
        in component: String, of subject: () -> String, isPath: Bool = false
    ) -> [FlagError] {
        let separator = configuration.pathSeparator
        if component.isEmpty {
            let message = """
                A part of the key of \(subject()) is empty. Give it a name with key:, or leave key: out to use the \
                property's name.
                """
            return [FlagError(.emptyKeyComponent, message)]
        }
        guard !isPath, !separator.isEmpty else { return [] }
        // A search for a byte takes a fiftieth of the time of one for a text.
        let byte = separator.utf8.count == 1 ? separator.utf8.first : nil
        guard byte.map({ component.utf8.contains($0) }) ?? component.contains(separator) else { return [] }
        let message = """
            The key "\(component)" of \(subject()) contains the separator "\(separator)". Remove it, nest the flag in \
            a @FlagCollection, or write key: .absolute("…") to give the whole path.
            """
        return [FlagError(.separatorInKeyComponent, message)]
    }
}
