import Synchronization

/// The flags and nested collections of a collection type: their names, their order and their nesting.
///
/// A shape is read with `Mirror` from a collection that was just constructed, and kept for the process. A later
/// construction has the same shape if it declares flags and collections in the same places, in the same order, with the
/// same keys and types. Nothing is reflected then. Defaults and metadata may differ: each loader has the declarations of
/// its own construction.
///
/// If two flags of one collection are declared in one place, such as a helper or a loop, the place doesn't tell which of
/// them a property holds. The type is reflected for each loader then.
final class FlagShape: Sendable {
    /// A property that is a flag or a nested collection.
    struct Member: Sendable {
        /// The name of the property, or `nil` if names are stripped.
        let label: String?
        /// The index in ``FlagShape/members`` of the collection that the property is in, or -1 for the root.
        let parent: Int
        let declaration: FlagMemberDeclaration
    }

    /// The construction that was read.
    private let constructed: [FlagConstruction.Member]
    /// The members. Each collection is before its own members.
    private let members: [Member]
    /// By position, the number of a flag among the flags, and of a nested collection among the collections; -1 for those
    /// that are not properties.
    let ordinals: [Int]
    /// The positions of the flags and of the nested collections, in the order of the properties.
    let flagPositions: [Int]
    let groupPositions: [Int]
    /// Whether a place in the source declares several members of one collection.
    private let repeatsPlaces: Bool
    /// Whether reflection doesn't find the properties or their names.
    private let isStripped: Bool
    /// The mistakes that don't depend on keys.
    private let issues: [FlagError]
    /// The key paths for the key configuration that was used last.
    private let lastIndex = Mutex<FlagIndex?>(nil)

    private static let shapes = Mutex([ObjectIdentifier: FlagShape]())

    /// Returns the shape of a construction. The collection is read if its shape is not the last one of its type.
    static func shape(of collection: any FlagCollectionProtocol, _ construction: FlagConstruction) -> FlagShape {
        let type = ObjectIdentifier(type(of: collection))
        if let known = shapes.withLock({ $0[type] }), known.fits(construction) { return known }
        let shape = FlagShape(reading: collection, construction)
        let replaced = shapes.withLock { $0.updateValue(shape, forKey: type) }
        withExtendedLifetime(replaced) {}
        return shape
    }

    private init(reading collection: any FlagCollectionProtocol, _ construction: FlagConstruction) {
        let constructed = construction.members
        self.constructed = constructed
        var reader = FlagShapeReader(construction)
        reader.read(collection, position: -1, parent: -1)
        (members, ordinals) = (reader.members, reader.ordinals)
        (flagPositions, groupPositions) = (reader.flagPositions, reader.groupPositions)
        let places = constructed.map { Place(site: $0.declaration.site, parent: $0.parent) }
        repeatsPlaces = Set(places).count < places.count
        isStripped = !reader.hiddenTypes.isEmpty
        if isStripped {
            issues = reader.hiddenTypes.map { .missingReflection($0) }
        } else {
            issues =
                constructed.indices.filter { reader.ordinals[$0] < 0 }
                .map { .unreachableFlag(constructed[$0].declaration.site) }
                + reader.foreign.map { .foreignFlag($0, in: type(of: collection)) }
        }
    }

    private struct Place: Hashable {
        let site: FlagSite
        /// The position of the collection.
        let parent: Int
    }

    /// Returns the slots of a construction's flags in the order of the properties.
    func slots(of construction: FlagConstruction) -> [Unmanaged<FlagSlot>] {
        func ordinal(_ slot: Unmanaged<FlagSlot>) -> Int { ordinals[slot._withUnsafeGuaranteedRef { $0.position }] }
        return construction.flagSlots.filter { ordinal($0) >= 0 }.sorted { ordinal($0) < ordinal($1) }
    }

    /// Returns the closures of a construction's computed flags by ordinal.
    func computations(of construction: FlagConstruction) -> [Int: FlagComputation] {
        var computations: [Int: FlagComputation] = [:]
        for (position, computation) in construction.computations where ordinals[position] >= 0 {
            computations[ordinals[position]] = computation
        }
        return computations
    }

    /// Returns the mistakes in the declaration of a collection of this shape.
    func issues(
        _ flags: [FlagDeclaration], _ computations: [Int: FlagComputation], _ index: FlagIndex,
        root: any FlagCollectionProtocol.Type
    ) -> [FlagError] {
        var found = isStripped ? [] : index.issues
        for (ordinal, flag) in flags.enumerated() {
            if let expected = computations[ordinal]?.rootType, expected != root {
                let message = """
                    The flag declared at \(flag.site) computes its value from \(expected), but its loader was made for \
                    \(root), so it is never computed. Let the closure take \(root).
                    """
                found.append(FlagError(.wrongRoot, message))
            }
            guard flag.bounds != nil, !isStripped, let mistake = flag.mistakeInBounds else { continue }
            let message = """
                The bounds of flag "\(index.property(of: ordinal))" (\(flag.site)) can't be used: \(mistake). Correct the \
                default or the bounds.
                """
            found.append(FlagError(.invalidBounds, message, key: index.keyPaths[ordinal]))
        }
        return found + issues
    }

    /// Returns whether a construction has this shape.
    private func fits(_ construction: FlagConstruction) -> Bool {
        !repeatsPlaces && constructed.elementsEqual(construction.members) { $0.isSame(as: $1) }
    }

    /// Returns the key paths for a key configuration.
    ///
    /// - Parameter root: The type of the collection.
    func index(for configuration: KeyConfiguration, root: ObjectIdentifier) -> FlagIndex {
        if let known = lastIndex.withLock({ $0 }), known.configuration == configuration { return known }
        let new = FlagIndex(members, configuration: configuration, root: root)
        let replaced = lastIndex.withLock { index in
            defer { index = new }
            return index
        }
        withExtendedLifetime(replaced) {}
        return new
    }
}

/// The reader of the properties of a collection that was just constructed.
private struct FlagShapeReader {
    private(set) var members: [FlagShape.Member] = []
    private(set) var ordinals: [Int]
    private(set) var flagPositions: [Int] = []
    private(set) var groupPositions: [Int] = []
    /// The collections whose properties or names reflection doesn't show.
    private(set) var hiddenTypes: [any FlagCollectionProtocol.Type] = []
    /// The properties that contain a flag or collection which this construction didn't create.
    private(set) var foreign: [String] = []
    private let construction: FlagConstruction
    /// The positions and names of the flags that are not properties.
    private var named: [(position: Int, name: String)] = []
    // The types of the properties, which are few. They are compared, because a dynamic cast to a protocol is slow.
    private var types: [any FlagProperty.Type] = []

    init(_ construction: FlagConstruction) {
        self.construction = construction
        ordinals = [Int](repeating: -1, count: construction.members.count)
        members.reserveCapacity(construction.members.count)
        func property<Value: FlagValue>(of type: Value.Type) -> any FlagProperty.Type { Flag<Value>.self }
        for (position, member) in construction.members.enumerated() {
            if let name = member.declaration.site.member?.name { named.append((position, name)) }
            let type =
                switch member.declaration {
                case .flag(let flag): property(of: flag.valueType)
                case .collection(let collection): collection.property
                }
            if !types.contains(where: { $0 == type }) { types.append(type) }
        }
    }

    /// Adds the members of a collection. The recursion ends because a struct can't contain itself.
    ///
    /// - Parameters:
    ///   - position: The position of the collection in the construction, or -1 for the root.
    ///   - parent: The index of the collection among the members, or -1 for the root.
    mutating func read(_ collection: any FlagCollectionProtocol, position: Int, parent: Int) {
        let first = members.count
        for flag in named where construction.members[flag.position].parent == position {
            add(at: flag.position, label: flag.name, parent: parent)
        }
        let count = read(Mirror(reflecting: collection), parent: parent)
        let type = type(of: collection)
        let declared = construction.members.lazy.filter { $0.parent == position && $0.declaration.site.member == nil }
        let isNameless = members[first...].contains { $0.parent == parent && $0.label == nil }
        let isHidden = isNameless || count == 0 && !declared.isEmpty
        if isHidden, !hiddenTypes.contains(where: { $0 == type }) { hiddenTypes.append(type) }
    }

    /// Adds the members that a mirror shows, and returns the number of its children.
    private mutating func read(_ mirror: Mirror, parent: Int) -> Int {
        var count = 0
        // Not a loop, for which the process would look up more conformances.
        mirror.children.forEach { child in
            count += 1
            let type = type(of: child.value)
            guard let property = types.first(where: { $0 == type }), let contents = property.contents(of: child.value)
            else { return }
            let label = child.label.map(Self.label)
            guard let position = contents.place?.position(in: construction), ordinals[position] < 0 else {
                return foreign.append(label ?? "?")
            }
            add(at: position, label: label, parent: parent)
            if let inner = contents.collection { read(inner, position: position, parent: members.count - 1) }
        }
        // The properties that a class inherits.
        if let inherited = mirror.superclassMirror { count += read(inherited, parent: parent) }
        return count
    }

    /// Returns the name of a wrapped property. The name of its storage begins with an underscore. That of a property
    /// with a raw identifier, such as `dark mode`, is in backticks and has no-break spaces.
    private static func label(_ storage: String) -> String {
        if storage.hasPrefix("_") { return String(storage.dropFirst()) }
        guard storage.hasPrefix("`_"), storage.hasSuffix("`") else { return storage }
        return String(storage.dropFirst(2).dropLast().map { $0 == "\u{A0}" ? " " : $0 })
    }

    private mutating func add(at position: Int, label: String?, parent: Int) {
        let declaration = construction.members[position].declaration
        members.append(FlagShape.Member(label: label, parent: parent, declaration: declaration))
        if declaration.isFlag {
            ordinals[position] = flagPositions.count
            flagPositions.append(position)
        } else {
            ordinals[position] = groupPositions.count
            groupPositions.append(position)
        }
    }
}

extension FlagError {
    fileprivate static func missingReflection(_ type: Any.Type) -> FlagError {
        let message = """
            Reflection doesn't find the properties of \(type) or their names, so its flags return their defaults or \
            have no keys. Build its module with reflection metadata: set SWIFT_REFLECTION_METADATA_LEVEL to "all", and \
            leave out -disable-reflection-metadata and -disable-reflection-names.
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
