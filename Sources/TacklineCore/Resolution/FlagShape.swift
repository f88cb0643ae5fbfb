/// The properties of a collection that was just constructed, read with `Mirror`.
package struct FlagShape: Sendable {
    /// A flag or a nested collection.
    package struct Member: Sendable {
        package let label: String
        /// The ordinal of the nested collection that it is in, or -1 for the root.
        package let parent: Int
        /// The number in the order of construction.
        let number: Int
        let site: FlagSite
    }

    /// The flags in the order of the properties. The index of a flag is its ordinal.
    private(set) var flags: [Member] = []
    /// The nested collections in the order of the properties, each before those inside it.
    private(set) var groups: [Member] = []
    /// The ordinals in the order of construction; -1 for a flag that is not a property.
    private(set) var flagOrdinals: [Int]
    /// The same of the nested collections.
    private(set) var groupOrdinals: [Int]
    private(set) var issues: [FlagError] = []
    /// The types of the properties, which are few. They are compared, because a dynamic cast to a protocol is slow.
    private let types: [any FlagProperty.Type]
    /// The numbers of the flags that are cases of enums, and so no properties.
    private let features: [Int]
    /// The numbers of the collections whose mirrors show properties, with -1 for the root.
    private var shown: [Int] = []

    init(reading collection: any FlagCollectionProtocol, _ construction: FlagConstruction) {
        flagOrdinals = Array(repeating: -1, count: construction.flags.count)
        groupOrdinals = Array(repeating: -1, count: construction.groups.count)
        flags.reserveCapacity(flagOrdinals.count)
        func property<Value: FlagValue>(of type: Value.Type) -> any FlagProperty.Type { Flag<Value>.self }
        var valueTypes: [any FlagValue.Type] = []
        var features: [Int] = []
        for (number, flag) in construction.flags.enumerated() {
            if flag.site.feature != nil { features.append(number) }
            let type = flag.valueType
            if !valueTypes.contains(where: { $0 == type }) { valueTypes.append(type) }
        }
        types = valueTypes.map { property(of: $0) } + construction.groups.map { $0.property }
        self.features = features
        read(collection, -1, ordinal: -1, construction)
        for number in flagOrdinals.indices where flagOrdinals[number] < 0 {
            guard shown.contains(construction.flagParents[number]) else { continue }
            issues.append(.unreachableFlag(construction.flags[number].site))
        }
        for number in groupOrdinals.indices where groupOrdinals[number] < 0 {
            let group = construction.groups[number]
            if shown.contains(group.parent) { issues.append(.unreachableFlag(group.site)) }
        }
    }

    /// Adds the members of a collection. The recursion ends because a struct can't contain itself.
    ///
    /// - Parameters:
    ///   - number: The number of the collection in the construction, or -1 for the root.
    ///   - ordinal: The index of the collection in ``groups``, or -1 for the root.
    private mutating func read(
        _ collection: any FlagCollectionProtocol, _ number: Int, ordinal: Int, _ construction: FlagConstruction
    ) {
        for feature in features where construction.flagParents[feature] == number {
            add(feature, construction.flags[feature].site.feature?.name ?? "", in: ordinal, construction)
        }
        let type = type(of: collection)
        var isShown = false
        var mirror: Mirror? = Mirror(reflecting: collection)
        while let current = mirror {
            // Not a loop, for which the process would look up more conformances.
            current.children.forEach { child in
                isShown = isShown || child.label != nil
                let childType = Swift.type(of: child.value)
                guard let property = types.first(where: { $0 == childType }),
                    let contents = property.contents(of: child.value), let name = child.label.map(Self.name(ofStorage:))
                else { return }
                let place = contents.place.flatMap { $0.isIn(construction) ? $0.number : nil }
                if contents.collection == nil, let place, flagOrdinals[place] < 0 {
                    add(place, name, in: ordinal, construction)
                } else if let inner = contents.collection, let place, groupOrdinals[place] < 0 {
                    groupOrdinals[place] = groups.count
                    let site = construction.groups[place].site
                    groups.append(Member(label: name, parent: ordinal, number: place, site: site))
                    read(inner, place, ordinal: groups.count - 1, construction)
                } else {
                    issues.append(.foreignFlag(name, in: type))
                }
            }
            // The properties that a class inherits.
            mirror = current.superclassMirror
        }
        if isShown {
            shown.append(number)
            return
        }
        let isHidden = flagOrdinals.indices.contains { construction.flagParents[$0] == number && flagOrdinals[$0] < 0 }
        if isHidden || construction.groups.contains(where: { $0.parent == number }) {
            issues.append(.missingReflection(type))
        }
    }

    private mutating func add(_ number: Int, _ label: String, in group: Int, _ construction: FlagConstruction) {
        flagOrdinals[number] = flags.count
        let site = construction.flags[number].site
        flags.append(Member(label: label, parent: group, number: number, site: site))
    }

    /// Returns the name of a wrapped property. The name of its storage begins with an underscore. That of a property
    /// with a raw identifier, such as `dark mode`, is in backticks and has no-break spaces.
    private static func name(ofStorage label: String) -> String {
        if label.utf8.first == UInt8(ascii: "_") { return String(Substring(label.utf8.dropFirst())) }
        guard label.hasPrefix("`_"), label.hasSuffix("`") else { return label }
        return String(label.dropFirst(2).dropLast().map { $0 == "\u{A0}" ? " " : $0 })
    }
}

extension FlagError {
    fileprivate static func missingReflection(_ type: any FlagCollectionProtocol.Type) -> FlagError {
        let message = """
            Reflection doesn't find the properties of \(type) or their names, so its flags return their defaults or have no \
            keys. Build its module with reflection metadata: set SWIFT_REFLECTION_METADATA_LEVEL to "all", and leave out \
            -disable-reflection-metadata and -disable-reflection-names. A customMirror has to show each property under the \
            name of its storage.
            """
        return FlagError(.missingReflection, message)
    }

    fileprivate static func unreachableFlag(_ site: FlagSite) -> FlagError {
        let message = """
            The flag or collection declared at \(site) was created together with its collection but is not a property \
            of it, so it has no key and returns its default. Make it a stored property with @Flag or @FlagCollection; \
            arrays, tuples and optionals of flags are not searched, nor a collection that is CustomReflectable. If \
            the collection's init replaces it, declare the property without arguments: @Flag var name: Type.
            """
        return FlagError(.unreachableFlag, message)
    }

    fileprivate static func foreignFlag(_ label: String, in type: Any.Type) -> FlagError {
        let message = """
            The property "\(label)" of \(type) holds a flag or collection that was copied from somewhere else, so \
            it has no key of its own. Declare it with its own @Flag or @FlagCollection.
            """
        return FlagError(.unreachableFlag, message)
    }
}
