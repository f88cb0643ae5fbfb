/// The properties of a collection that was just constructed, read with `Mirror`.
package struct FlagShape {
    /// A flag or a nested collection.
    package struct Member: Sendable {
        package let label: String
        /// The ordinal of the nested collection that it is in, or -1 for the root.
        package let parent: Int
        /// The number in the order of construction.
        let number: Int
        let site: FlagSite

        /// A hash that two members of one collection have in common only if one helper or loop made both.
        var place: Int {
            var hasher = Hasher()
            hasher.combine(site)
            hasher.combine(parent)
            return hasher.finalize()
        }
    }

    /// The flags in the order of the properties.
    private(set) var flags: [Member] = []
    /// The nested collections in the order of the properties, each before those inside it.
    private(set) var groups: [Member] = []
    /// The ordinal of each flag of the construction, which is its index in ``flags``; -1 if it is not a property.
    private(set) var flagOrdinals: [Int]
    /// The same of each nested collection.
    private(set) var groupOrdinals: [Int]
    private(set) var issues: [FlagError] = []
    /// Whether a mirror doesn't show the properties or their names. The only issues say so.
    private(set) var isHidden = false

    private let construction: FlagConstruction
    /// The types of the properties, which are few. They are compared, because a dynamic cast to a protocol is slow.
    private var types: [any FlagProperty.Type] = []
    /// The numbers of the flags that are not properties: the cases of enums, which have names.
    private var named: [Int] = []

    init(reading collection: any FlagCollectionProtocol, _ construction: FlagConstruction) {
        self.construction = construction
        flagOrdinals = Array(repeating: -1, count: construction.flags.count)
        groupOrdinals = Array(repeating: -1, count: construction.groups.count)
        flags.reserveCapacity(flagOrdinals.count)
        func property<Value: FlagValue>(of type: Value.Type) -> any FlagProperty.Type { Flag<Value>.self }
        var valueTypes: [any FlagValue.Type] = []
        for (number, flag) in construction.flags.enumerated() {
            if flag.site.feature != nil { named.append(number) }
            let type = flag.valueType
            if !valueTypes.contains(where: { $0 == type }) { valueTypes.append(type) }
        }
        types = valueTypes.map { property(of: $0) } + construction.groups.map { $0.property }
        read(collection, number: -1, ordinal: -1)
        guard !isHidden else { return }
        let sites =
            flagOrdinals.indices.filter { flagOrdinals[$0] < 0 }.map { construction.flags[$0].site }
            + groupOrdinals.indices.filter { groupOrdinals[$0] < 0 }.map { construction.groups[$0].site }
        issues += sites.map { .unreachableFlag($0) }
    }

    /// Adds the members of a collection. The recursion ends because a struct can't contain itself.
    ///
    /// - Parameters:
    ///   - number: The number of the collection in the construction, or -1 for the root.
    ///   - ordinal: The index of the collection in ``groups``, or -1 for the root.
    private mutating func read(_ collection: any FlagCollectionProtocol, number: Int, ordinal: Int) {
        for flag in named where construction.flagParents[flag] == number {
            add(flag: flag, construction.flags[flag].site.feature?.name ?? "", in: ordinal)
        }
        let type = type(of: collection)
        var (childCount, isNameless) = (0, false)
        var mirror: Mirror? = Mirror(reflecting: collection)
        while let current = mirror {
            // Not a loop, for which the process would look up more conformances.
            current.children.forEach { child in
                childCount += 1
                let childType = Swift.type(of: child.value)
                guard let property = types.first(where: { $0 == childType }),
                    let contents = property.contents(of: child.value)
                else { return }
                isNameless = isNameless || child.label == nil
                let label = child.label.map { Self.name(ofStorage: $0) } ?? "?"
                let place = contents.place.flatMap { $0.isIn(construction) ? $0.number : nil }
                if contents.collection == nil, let place, flagOrdinals[place] < 0 {
                    add(flag: place, label, in: ordinal)
                } else if let inner = contents.collection, let place, groupOrdinals[place] < 0 {
                    groupOrdinals[place] = groups.count
                    let site = construction.groups[place].site
                    groups.append(Member(label: label, parent: ordinal, number: place, site: site))
                    read(inner, number: place, ordinal: groups.count - 1)
                } else {
                    issues.append(.foreignFlag(label, in: type))
                }
            }
            // The properties that a class inherits.
            mirror = current.superclassMirror
        }
        guard isNameless || childCount == 0 && declaresMembers(number) else { return }
        let issue = FlagError.missingReflection(type)
        issues = (isHidden ? issues.filter { $0 != issue } : []) + [issue]
        isHidden = true
    }

    private mutating func add(flag number: Int, _ label: String, in group: Int) {
        flagOrdinals[number] = flags.count
        let site = construction.flags[number].site
        flags.append(Member(label: label, parent: group, number: number, site: site))
    }

    /// Returns whether the construction of a collection made flags or collections that have to be its properties.
    private func declaresMembers(_ number: Int) -> Bool {
        construction.flags.indices.contains { construction.flagParents[$0] == number && !named.contains($0) }
            || construction.groups.contains { $0.parent == number }
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
