/// Makes key paths from names and declarations, and finds the mistakes in them.
struct FlagIndexBuilder {
    let configuration: KeyConfiguration
    private let prefix: [String]
    var entries: [FlagIndex.Entry] = []
    var groups: [FlagIndex.Group] = []
    var issues: [FlagIssue] = []
    var ordinals: [[String]: Int] = [:]
    var textOrdinals: [String: Int] = [:]
    var duplicates: [Int: [Int]] = [:]
    var ordinalsBelow: [[String]: [Int]] = [:]
    private var sites: [FlagSite] = []
    /// The group of each member that is a collection, by the member's index.
    private var groupOfMember: [Int: Int] = [:]
    private var memberCount = 0

    init(configuration: KeyConfiguration) {
        self.configuration = configuration
        prefix = configuration.prefix.map { FlagKeyPath($0, separator: configuration.pathSeparator).components } ?? []
        if configuration.pathSeparator.isEmpty {
            issues.append(
                FlagIssue(
                    .emptySeparator,
                    message: """
                        The path separator of the key configuration is empty, so keys of different flags can become \
                        the same text. Give KeyConfiguration a pathSeparator, "/" for example.
                        """
                )
            )
        }
        check(prefix, of: "the prefix of the key configuration", isPath: true)
    }

    mutating func add(_ member: CollectionMembers.Member, declaration: FlagCollectionDeclaration) {
        let (parent, property, path) = place(of: member)
        let component = declaration.keyConfiguration.component(
            forProperty: member.label ?? "",
            transform: configuration.keyTransform
        )
        let components = component.map { [$0] } ?? []
        check(components, of: "collection \"\(property)\" (\(declaration.site))", isPath: false)
        groupOfMember[memberCount] = groups.count
        groups.append(FlagIndex.Group(keyPath: keyPath(path + components), property: property, parent: parent))
        memberCount += 1
    }

    mutating func add(_ member: CollectionMembers.Member, declaration: any DeclaredFlag) {
        let (parent, property, path) = place(of: member)
        let keyPath: FlagKeyPath
        let own: [String]
        var isPath = false
        switch declaration.key?.kind {
        case .absolute(let text)?:
            keyPath = FlagKeyPath(text, separator: configuration.pathSeparator)
            own = keyPath.components
            isPath = true
        case .component(let name)?:
            keyPath = self.keyPath(path + [name])
            own = [name]
        case .name(let name)?:
            own = [configuration.keyTransform(name)]
            keyPath = self.keyPath(path + own)
        case nil:
            own = [member.label.map { configuration.keyTransform($0) } ?? ""]
            keyPath = self.keyPath(path + own)
        }
        check(own, of: "flag \"\(property)\" (\(declaration.site))", isPath: isPath)
        addEntry(FlagIndex.Entry(keyPath: keyPath, property: property, group: parent), site: declaration.site)
        memberCount += 1
    }

    /// The number of the collection that a member is in, its property's path, and the components before its own.
    private func place(of member: CollectionMembers.Member) -> (parent: Int, property: String, path: [String]) {
        let parent = groupOfMember[member.parent] ?? -1
        let outer = parent < 0 ? nil : groups[parent]
        let property = (outer.map { "\($0.property)." } ?? "") + (member.label ?? "?")
        return (parent, property, outer?.keyPath.components ?? prefix)
    }

    private mutating func addEntry(_ entry: FlagIndex.Entry, site: FlagSite) {
        let ordinal = entries.count
        entries.append(entry)
        for count in entry.keyPath.components.indices {
            ordinalsBelow[Array(entry.keyPath.components.prefix(count)), default: []].append(ordinal)
        }
        sites.append(site)
        let first = ordinals[entry.keyPath.components] ?? textOrdinals[entry.keyPath.text]
        guard let first else {
            ordinals[entry.keyPath.components] = ordinal
            textOrdinals[entry.keyPath.text] = ordinal
            return
        }
        duplicates[first, default: []].append(ordinal)
        issues.append(
            FlagIssue(
                .duplicateKey,
                message: """
                    Two flags have the key "\(entry.keyPath)": "\(entries[first].property)" (\(sites[first])) and \
                    "\(entry.property)" (\(site)). Give one of them a key of its own with @Flag(key:), or its \
                    collection one with @FlagCollection(key:).
                    """,
                key: entry.keyPath
            )
        )
    }

    private func keyPath(_ components: [String]) -> FlagKeyPath {
        FlagKeyPath(components: components, separator: configuration.pathSeparator)
    }

    /// Reports components that are empty or contain the separator.
    ///
    /// - Parameter isPath: Whether separators are meant, as in an absolute key.
    private mutating func check(_ components: [String], of subject: String, isPath: Bool) {
        let separator = configuration.pathSeparator
        for component in components {
            if component.isEmpty {
                issues.append(
                    FlagIssue(
                        .emptyKeyComponent,
                        message: """
                            A part of the key of \(subject) is empty. Give it a name with key:, or leave key: out to \
                            use the property's name.
                            """
                    )
                )
            } else if !isPath, !separator.isEmpty, FlagKeyPath(component, separator: separator).components.count > 1 {
                issues.append(
                    FlagIssue(
                        .separatorInKeyComponent,
                        message: """
                            The key "\(component)" of \(subject) contains the separator "\(separator)". Remove it, \
                            nest the flag in a @FlagCollection, or write key: .absolute("…") to give the whole path.
                            """
                    )
                )
            }
        }
    }
}
