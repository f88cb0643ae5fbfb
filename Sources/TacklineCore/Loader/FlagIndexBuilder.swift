extension FlagIndex {
    /// Creates the key paths of a collection's flags and finds the mistakes in them.
    convenience init(_ members: [FlagShape.Member], configuration: KeyConfiguration, root: ObjectIdentifier) {
        self.init(configuration: configuration, capacity: members.count)
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
        for (inner, outer) in overlaps() {
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
        if let name, isMistaken(name) {
            report(name, of: "collection \(place(of: label ?? "?", in: parent, declaration.site))")
        }
        add(Group(keyPath: name.map { outer.appending($0) } ?? outer, label: label ?? "?", parent: parent))
    }

    private func add(
        _ declaration: FlagDeclaration, _ label: String?, in parent: Int, below outer: FlagKeyPath,
        root: ObjectIdentifier
    ) {
        let identity = FlagKeyPath.Identity(root: root, ordinal: keyPaths.count)
        let keyPath: FlagKeyPath
        var isAbsolute = false
        switch declaration.key?.kind {
        case .component(let name): keyPath = outer.appending(name, identity: identity)
        case .name(let name): keyPath = outer.appending(configuration.keyTransform(name), identity: identity)
        case .absolute(let text):
            isAbsolute = true
            keyPath = FlagKeyPath(text, separator: configuration.pathSeparator).identified(as: identity)
        case nil: keyPath = outer.appending(label.map { configuration.keyTransform($0) } ?? "", identity: identity)
        }
        let first = add(keyPath, Entry(label: label ?? "?", group: parent, site: declaration.site))
        let ordinal = keyPaths.count - 1
        for name in isAbsolute ? keyPath.components[...] : keyPath.components.suffix(1) where isMistaken(name) {
            report(name, of: "flag \(place(of: ordinal))")
        }
        guard let first else { return }
        let message = """
            Two flags have the key "\(keyPath)": \(place(of: first)) and \(place(of: ordinal)). Give one of them a key \
            of its own with @Flag(key:), or its collection one with @FlagCollection(key:).
            """
        issues.append(FlagError(.duplicateKey, message, key: keyPath))
    }

    // MARK: Messages

    /// Returns the name and the place of a flag, for messages.
    private func place(of ordinal: Int) -> String {
        place(of: entries[ordinal].label, in: entries[ordinal].group, entries[ordinal].site)
    }

    private func place(of label: String, in group: Int, _ site: FlagSite) -> String {
        "\"\(property(label, in: group))\" (\(site))"
    }

    /// Returns whether a component is empty or contains the separator.
    private func isMistaken(_ component: String) -> Bool {
        component.isEmpty || component.names(separatedBy: configuration.pathSeparator).count > 1
    }

    private func report(_ component: String, of subject: String) {
        if component.isEmpty { return reportEmptyName(of: subject) }
        let message = """
            The key "\(component)" of \(subject) contains the separator "\(configuration.pathSeparator)". Remove it, \
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
}
