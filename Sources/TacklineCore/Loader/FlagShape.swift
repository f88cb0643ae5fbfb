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
    enum Declaration: Sendable {
        case flag(FlagDeclaration)
        case collection(FlagCollectionDeclaration)
    }

    /// A property that is a flag or a nested collection.
    struct Member: Sendable {
        /// The name of the property, or `nil` if names are stripped.
        let label: String?
        /// The index in ``FlagShape/members`` of the collection that the property is in, or -1 for the root.
        let parent: Int
        let declaration: Declaration
    }

    // The flags and collections of the construction that was read, in its order.
    private let flags: [FlagDeclaration]
    private let collections: [FlagCollectionDeclaration]
    private let flagParents: [Int]
    private let collectionParents: [Int]
    /// The members. Each collection is before its own members.
    private let members: [Member]
    /// The flags and nested collections by their positions in the construction, or -1 for those that are not properties.
    let flagOrdinals: [Int]
    let groupOrdinals: [Int]
    /// The positions in the order of the properties.
    private let flagPositions: [Int]
    private let isInConstructionOrder: Bool
    let groupPositions: [Int]
    /// Whether a place in the source declares several members of one collection.
    private let repeatsPlaces: Bool
    /// Whether reflection doesn't find the properties or their names.
    let isStripped: Bool
    /// The mistakes that don't depend on keys.
    let issues: [FlagError]
    /// The key paths for the key configuration that was used last.
    private let lastIndex = Mutex<FlagIndex?>(nil)

    init(reading collection: any FlagCollectionProtocol, _ construction: FlagConstruction) {
        let (flags, collections) = (construction.flags, construction.collections)
        var reader = FlagShapeReader(construction)
        reader.read(collection, position: -1, parent: -1)
        (self.flags, self.collections, members) = (flags, collections, reader.members)
        (flagParents, collectionParents) = (construction.flagParents, construction.collectionParents)
        (flagOrdinals, groupOrdinals) = (reader.flagOrdinals, reader.groupOrdinals)
        (flagPositions, groupPositions) = (reader.flagPositions, reader.groupPositions)
        isInConstructionOrder = flagPositions.elementsEqual(flags.indices)
        let places =
            zip(flags, flagParents).map { Place(site: $0.site, parent: $1) }
            + zip(collections, collectionParents).map { Place(site: $0.site, parent: $1) }
        repeatsPlaces = Set(places).count < places.count
        isStripped = !reader.hiddenTypes.isEmpty
        if isStripped {
            issues = reader.hiddenTypes.map {
                $0 is any CustomReflectable.Type ? .customReflection($0) : .missingReflection($0)
            }
        } else {
            let unreachable =
                flags.indices.filter { reader.flagOrdinals[$0] < 0 }.map { flags[$0].site }
                + collections.indices.filter { reader.groupOrdinals[$0] < 0 }.map { collections[$0].site }
            issues =
                unreachable.map { .unreachableFlag($0) }
                + reader.foreign.map { .foreignFlag($0, in: type(of: collection)) }
        }
    }

    private struct Place: Hashable {
        let site: FlagSite
        /// The position of the collection.
        let parent: Int
    }

    /// Returns what a construction has for its flags, by position, in the order of the properties.
    func inOrder<Element>(_ elements: [Element]) -> [Element] {
        guard isInConstructionOrder else { return flagPositions.map { elements[$0] } }
        return elements.count == flags.count ? elements : Array(elements.prefix(flags.count))
    }

    /// Returns whether a construction has this shape.
    func fits(_ construction: FlagConstruction) -> Bool {
        let (flags, collections) = (construction.flags, construction.collections)
        guard !repeatsPlaces, flagParents == construction.flagParents,
            collectionParents == construction.collectionParents
        else { return false }
        return flags.indices.allSatisfy { flags[$0].isSameFlag(as: self.flags[$0]) }
            && collections.indices.allSatisfy { collections[$0].isSameCollection(as: self.collections[$0]) }
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
    private(set) var flagOrdinals: [Int]
    private(set) var groupOrdinals: [Int]
    private(set) var flagPositions: [Int] = []
    private(set) var groupPositions: [Int] = []
    /// The collections whose properties or names reflection doesn't show.
    private(set) var hiddenTypes: [any FlagCollectionProtocol.Type] = []
    /// The properties that contain a flag or collection which this construction didn't create.
    private(set) var foreign: [String] = []
    private let construction: FlagConstruction
    /// The positions of the flags that are not properties.
    private let namedFlags: [Int]
    /// The number of flags and collections that each collection declares, first those of the root.
    private let declaredCounts: [Int]
    // The types of the properties, which are few. They are compared, because a dynamic cast to a protocol is slow.
    private let flagTypes: [any FlagProperty.Type]
    private var collectionTypes: [any FlagCollectionProperty.Type] = []

    init(_ construction: FlagConstruction) {
        self.construction = construction
        let (flags, collections) = (construction.flags, construction.collections)
        flagOrdinals = [Int](repeating: -1, count: flags.count)
        groupOrdinals = [Int](repeating: -1, count: collections.count)
        namedFlags = flags.indices.filter { flags[$0].site.member != nil }
        var counts = [Int](repeating: 0, count: collections.count + 1)
        for parent in construction.flagParents { counts[parent + 1] += 1 }
        for parent in construction.collectionParents { counts[parent + 1] += 1 }
        declaredCounts = counts
        var valueTypes: [any FlagValue.Type] = []
        for flag in flags where !valueTypes.contains(where: { $0 == flag.valueType }) {
            valueTypes.append(flag.valueType)
        }
        func property<Value: FlagValue>(of type: Value.Type) -> any FlagProperty.Type { Flag<Value>.self }
        flagTypes = valueTypes.map { property(of: $0) }
        for collection in collections where !collectionTypes.contains(where: { $0 == collection.property }) {
            collectionTypes.append(collection.property)
        }
        members.reserveCapacity(flags.count + collections.count)
    }

    /// Adds the members of a collection. The recursion ends because a struct can't contain itself.
    ///
    /// - Parameters:
    ///   - position: The position of the collection in the construction, or -1 for the root.
    ///   - parent: The index of the collection among the members, or -1 for the root.
    mutating func read<Collection: FlagCollectionProtocol>(_ collection: Collection, position: Int, parent: Int) {
        if addNamedFlags(of: Collection.self, position, parent: parent) { return }
        let first = members.count
        let isEmpty = read(Mirror(reflecting: collection), parent: parent) == 0
        let own = members[first...].filter { $0.parent == parent }
        let isIncomplete = own.count < declaredCounts[position + 1]
        guard
            own.contains(where: { $0.label == nil })
                || isIncomplete && (isEmpty || Collection.self is any CustomReflectable.Type),
            !hiddenTypes.contains(where: { $0 == Collection.self })
        else { return }
        hiddenTypes.append(Collection.self)
    }

    /// Adds the flags of a collection that are not properties, and returns whether there are any.
    private mutating func addNamedFlags(
        of type: any FlagCollectionProtocol.Type, _ collection: Int, parent: Int
    ) -> Bool {
        let first = members.count
        for position in namedFlags where construction.flagParents[position] == collection {
            guard let member = construction.flags[position].site.member, member.collection == type else {
                continue
            }
            addFlag(at: position, label: member.name, parent: parent)
        }
        return members.count > first
    }

    /// Adds the members that a mirror shows, and returns the number of its children.
    private mutating func read(_ mirror: Mirror, parent: Int) -> Int {
        var count = 0
        // Not a loop, for which the process would look up more conformances.
        mirror.children.forEach { child in
            count += 1
            let type = type(of: child.value)
            if let property = flagTypes.first(where: { $0 == type }) {
                add(property.slot(in: child.value), label: child.label.map(Self.label), parent: parent)
            } else if let property = collectionTypes.first(where: { $0 == type }) {
                add(property.collection(in: child.value), label: child.label.map(Self.label), parent: parent)
            }
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

    private mutating func add(_ slot: Unmanaged<FlagSlot>?, label: String?, parent: Int) {
        guard let slot = slot?.takeUnretainedValue() else { return }
        guard construction.flags.indices.contains(slot.position),
            construction.slots[slot.position].takeUnretainedValue() === slot, flagOrdinals[slot.position] < 0
        else { return foreign.append(label ?? "?") }
        addFlag(at: slot.position, label: label, parent: parent)
    }

    private mutating func addFlag(at position: Int, label: String?, parent: Int) {
        flagOrdinals[position] = flagPositions.count
        flagPositions.append(position)
        let declaration = FlagShape.Declaration.flag(construction.flags[position])
        members.append(FlagShape.Member(label: label, parent: parent, declaration: declaration))
    }

    private mutating func add(
        _ property: (block: Unmanaged<FlagBlock>?, tag: UInt64, collection: any FlagCollectionProtocol)?,
        label: String?, parent: Int
    ) {
        guard let property else { return }
        let position = Int(property.tag & 0xFFFF_FFFF)
        guard let block = unsafe property.block, unsafe block.takeUnretainedValue() === construction.block,
            UInt32(property.tag >> 32) == construction.generation, groupOrdinals[position] < 0
        else { return foreign.append(label ?? "?") }
        groupOrdinals[position] = groupPositions.count
        groupPositions.append(position)
        let declaration = FlagShape.Declaration.collection(construction.collections[position])
        members.append(FlagShape.Member(label: label, parent: parent, declaration: declaration))
        read(property.collection, position: position, parent: members.count - 1)
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

    fileprivate static func customReflection(_ type: Any.Type) -> FlagError {
        let message = """
            The properties of \(type) cannot be seen because it has a mirror of its own, so its flags give their \
            defaults. Remove the conformance to CustomReflectable, or add the storage of its flags, such as _name, to \
            the mirror.
            """
        return FlagError(.missingReflection, message)
    }

    fileprivate static func unreachableFlag(_ site: FlagSite) -> FlagError {
        let message = """
            The flag or collection declared at \(site) was created together with its collection but is not a property \
            of it, so it has no key and returns its default. Make it a stored property with @Flag or @FlagCollection; \
            arrays, tuples and optionals of flags are not searched. If the collection's init replaces it, declare \
            the property without arguments: @Flag var name: Type.
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
