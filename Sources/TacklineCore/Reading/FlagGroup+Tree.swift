extension FlagGroup {
    private var loaded: LoadedFlags? { owner as? LoadedFlags }

    private var entry: FlagIndex.Group? {
        guard let loaded, ordinal >= 0 else { return nil }
        return loaded.index.groups[ordinal]
    }

    /// The key path that the flags inside have in common.
    ///
    /// The root has the prefix of the key configuration, which may be nothing. A collection with
    /// ``CollectionKeyConfiguration/skip`` has the key path of the collection around it.
    public var keyPath: FlagKeyPath {
        if let entry { return entry.keyPath }
        let configuration = loaded?.index.configuration ?? KeyConfiguration()
        let prefix = configuration.prefix.map { FlagKeyPath($0, separator: configuration.pathSeparator) }
        return prefix ?? FlagKeyPath(components: [], separator: configuration.pathSeparator)
    }

    /// The path of its property in the source; empty for the root.
    public var property: String { entry?.property ?? "" }

    /// What people should know about the collection, with its name filled in where there is one.
    public var metadata: FlagMetadata {
        guard let loaded else { return FlagMetadata() }
        guard let entry else { return loaded.metadata }
        let declaration = loaded.collections[ordinal].declaration
        var metadata = declaration.metadata
        metadata.name = declaration.name ?? metadata.name ?? entry.property.split(separator: ".").last.map(String.init)
        return metadata
    }

    /// The flags right inside the collection, by ``FlagMetadata/order`` and then as declared.
    public var flags: [FlagReference] {
        guard let loaded else { return [] }
        return loaded.references { $0.group == ordinal }.sortedByOrder(\.metadata.order)
    }

    /// The collections right inside the collection, by ``FlagMetadata/order`` and then as declared.
    public var groups: [FlagGroup] {
        guard let loaded else { return [] }
        return loaded.index.groups.indices
            .filter { loaded.index.groups[$0].parent == ordinal }
            .map { FlagGroup(owner: loaded, ordinal: $0) }
            .sortedByOrder(\.metadata.order)
    }

    /// Every flag inside the collection and the collections in it: its own first, then group by group.
    public var allFlags: [FlagReference] {
        flags + groups.flatMap(\.allFlags)
    }
}

extension LoadedFlags {
    /// The flags that a condition picks, as declared.
    func references(where isIncluded: (FlagIndex.Entry) -> Bool) -> [FlagReference] {
        index.entries.indices
            .filter { isIncluded(index.entries[$0]) }
            .map { FlagReference(loaded: self, ordinal: $0) }
    }
}

extension Array {
    /// Sorts by a number and keeps the order of equal ones.
    fileprivate func sortedByOrder(_ order: (Element) -> Int) -> [Element] {
        enumerated()
            .map { (order: order($0.element), offset: $0.offset, element: $0.element) }
            .sorted { ($0.order, $0.offset) < ($1.order, $1.offset) }
            .map(\.element)
    }
}
