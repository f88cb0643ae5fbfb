import Synchronization

/// The flags and nested collections of a collection type: their names, their order and their declarations.
///
/// A shape is read once with `Mirror` from a collection that was just constructed. A later construction with the same
/// declarations has the same shape, because its `init()` creates the flags in the same order, and nothing is reflected
/// then. A construction with other declarations, such as a class with conditional flags or a default that varies, is
/// read again.
final class FlagShape: Sendable {
    /// A property that is a flag or a nested collection.
    struct Member: Sendable {
        /// The name of the property, or `nil` if names are stripped.
        let label: String?
        /// The index in ``FlagShape/members`` of the collection that the property is in, or -1 for the root.
        let parent: Int
        let declaration: FlagConstruction.Declaration
        /// The position among the flags of the construction, or among its collections.
        let position: Int
    }

    /// The declarations in the order of the construction, without closures.
    let declarations: [FlagConstruction.Declaration]
    /// The members. Each collection is before its own members.
    let members: [Member]
    /// The flags in the order of the properties.
    let flags: [FlagDeclaration]
    /// The nested collections in the order of the properties.
    let groups: [FlagCollectionDeclaration]
    /// The positions of the flags in the construction, in the order of the properties.
    let flagPositions: [Int]
    /// The flags by their positions in the construction, or -1 for a flag that is not a property.
    let flagOrdinals: [Int]
    /// The collections by their positions in the construction, or -1 for a collection that is not a property.
    let groupOrdinals: [Int]
    /// Whether reflection doesn't find the properties or their names.
    let isStripped: Bool
    /// The mistakes that don't depend on keys.
    let issues: [FlagIssue]

    private let indexes = Mutex([FlagIndex]())
    /// The number of key configurations for which key paths are kept. A process rarely uses more than one for a type.
    private static let indexLimit = 4

    init(reading collection: any FlagCollectionProtocol, _ construction: FlagConstruction) {
        declarations = construction.declarations
        var reader = FlagShapeReader(construction)
        reader.read(collection, parent: -1)
        members = reader.members
        var (flags, flagPositions) = ([FlagDeclaration](), [Int]())
        var groups: [FlagCollectionDeclaration] = []
        var flagOrdinals = [Int](repeating: -1, count: construction.flagCount)
        var groupOrdinals = [Int](repeating: -1, count: construction.collectionCount)
        for member in members {
            switch member.declaration {
            case .flag(let flag):
                flagOrdinals[member.position] = flags.count
                flagPositions.append(member.position)
                flags.append(flag)
            case .collection(let collection):
                groupOrdinals[member.position] = groups.count
                groups.append(collection)
            }
        }
        (self.flags, self.groups, self.flagPositions) = (flags, groups, flagPositions)
        (self.flagOrdinals, self.groupOrdinals) = (flagOrdinals, groupOrdinals)
        let unreachable = FlagShape.sites(
            in: declarations, where: { $0 ? flagOrdinals[$1] < 0 : groupOrdinals[$1] < 0 })
        let hidden = reader.collections.filter { collection in
            collection.hasUnnamedMembers || !unreachable.isEmpty && collection.hidesMembers
        }
        isStripped = !hidden.isEmpty
        if isStripped {
            var types: [any FlagCollectionProtocol.Type] = []
            for collection in hidden where !types.contains(where: { $0 == collection.type }) {
                types.append(collection.type)
            }
            issues = types.map { $0 is any CustomReflectable.Type ? .customReflection($0) : .missingReflection($0) }
        } else {
            issues =
                unreachable.map { .unreachableFlag($0) }
                + reader.foreign.map { .foreignFlag($0, in: type(of: collection)) }
        }
    }

    /// Returns the places of the declarations that satisfy a condition on their kind and position.
    private static func sites(
        in declarations: [FlagConstruction.Declaration], where isIncluded: (_ isFlag: Bool, _ position: Int) -> Bool
    ) -> [FlagSite] {
        var (flagCount, groupCount) = (0, 0)
        return declarations.compactMap { declaration in
            switch declaration {
            case .flag:
                defer { flagCount += 1 }
                return isIncluded(true, flagCount) ? declaration.site : nil
            case .collection:
                defer { groupCount += 1 }
                return isIncluded(false, groupCount) ? declaration.site : nil
            }
        }
    }

    /// Returns whether a construction had the same declarations. The caller must hold no lock.
    func hasSameDeclarations(as others: [FlagConstruction.Declaration]) -> Bool {
        declarations.elementsEqual(others) { $0.isSame(as: $1) }
    }

    /// Returns the key paths for a key configuration.
    ///
    /// - Parameter root: The type of the collection.
    func index(for configuration: KeyConfiguration, root: ObjectIdentifier) -> FlagIndex {
        if let known = indexes.withLock({ $0.first { $0.configuration == configuration } }) { return known }
        let new = FlagIndex(members, configuration: configuration, root: root)
        return indexes.withLock { indexes in
            if let known = indexes.first(where: { $0.configuration == configuration }) { return known }
            indexes = [new] + indexes.prefix(FlagShape.indexLimit - 1)
            return new
        }
    }
}

/// A collection that was read.
private struct ReadCollection {
    let type: any FlagCollectionProtocol.Type
    /// Whether it has contents and none of its properties is visible.
    let isOpaque: Bool
    /// Whether a flag or a nested collection has no name.
    let hasUnnamedMembers: Bool

    /// Whether there may be properties that reflection doesn't show.
    var hidesMembers: Bool { isOpaque || type is any CustomReflectable.Type }
}

/// The reader of the properties of a collection that was just constructed.
private struct FlagShapeReader {
    private(set) var members: [FlagShape.Member] = []
    /// The root and the nested collections.
    private(set) var collections: [ReadCollection] = []
    /// The properties that contain a flag or collection which this construction didn't create.
    private(set) var foreign: [String] = []
    private let slots: [Unmanaged<FlagSlot>]
    private let flags: [FlagDeclaration]
    private let collectionDeclarations: [FlagCollectionDeclaration]
    private let listedTypes: [any ListedFlagCollection.Type]
    private let block: FlagBlock
    private let generation: UInt32
    private var isFlagTaken: [Bool]
    private var isCollectionTaken: [Bool]

    /// The kind of a property, by its type.
    private enum Kind {
        case flag(any FlagProperty.Type)
        case collection(any FlagCollectionProperty.Type)
        case other
    }

    /// The kinds of the types seen so far, which are few. A dynamic cast to a protocol is slow, so a type is cast only
    /// if no declaration names it, and only once.
    private var kinds: [(type: Any.Type, kind: Kind)] = []

    init(_ construction: FlagConstruction) {
        slots = construction.slots
        let declarations = construction.declarations
        flags = declarations.compactMap { if case .flag(let flag) = $0 { flag } else { nil } }
        collectionDeclarations = declarations.compactMap {
            if case .collection(let collection) = $0 { collection } else { nil }
        }
        listedTypes = construction.listedTypes
        block = construction.block
        generation = construction.generation
        isFlagTaken = [Bool](repeating: false, count: flags.count)
        isCollectionTaken = [Bool](repeating: false, count: collectionDeclarations.count)
        for flag in flags where knownKind(of: flag.property) == nil {
            kinds.append((flag.property, .flag(flag.property)))
        }
        for collection in collectionDeclarations where knownKind(of: collection.property) == nil {
            kinds.append((collection.property, .collection(collection.property)))
        }
        members.reserveCapacity(declarations.count)
    }

    /// Adds the members of a collection. The recursion ends because a struct can't contain itself.
    mutating func read<Collection: FlagCollectionProtocol>(_ collection: Collection, parent: Int) {
        if let listed = listedFlags(in: collection) {
            for flag in listed { addFlag(flag.slot, label: flag.name, parent: parent) }
            return
        }
        let mirror = Mirror(reflecting: collection)
        let first = members.count
        let isEmpty = read(mirror, parent: parent) == 0
        let isUnnamed = members[first...].contains { $0.parent == parent && $0.label == nil }
        collections.append(
            ReadCollection(
                type: Collection.self, isOpaque: isEmpty && MemoryLayout<Collection>.size > 0,
                hasUnnamedMembers: isUnnamed))
    }

    private func listedFlags(
        in collection: any FlagCollectionProtocol
    ) -> [(name: String, slot: Unmanaged<FlagSlot>)]? {
        listedTypes.first { ObjectIdentifier($0) == ObjectIdentifier(type(of: collection)) }?
            .listedFlags(in: collection)
    }

    /// Adds the members that a mirror shows, and returns the number of its children.
    private mutating func read(_ mirror: Mirror, parent: Int) -> Int {
        var count = 0
        // Not a loop, for which the process would look up more conformances.
        mirror.children.forEach { child in
            count += 1
            switch kind(of: type(of: child.value)) {
            case .flag(let property):
                addFlag(property.slot(in: child.value), label: child.label.map(Self.label), parent: parent)
            case .collection(let property):
                add(property.collection(in: child.value), label: child.label.map(Self.label), parent: parent)
            case .other: break
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

    private mutating func kind(of type: Any.Type) -> Kind {
        if let known = knownKind(of: type) { return known }
        let kind: Kind
        if let type = type as? any FlagProperty.Type {
            kind = .flag(type)
        } else if let type = type as? any FlagCollectionProperty.Type {
            kind = .collection(type)
        } else {
            kind = .other
        }
        kinds.append((type, kind))
        return kind
    }

    private func knownKind(of type: Any.Type) -> Kind? { kinds.first { $0.type == type }?.kind }

    private mutating func addFlag(_ slot: Unmanaged<FlagSlot>?, label: String?, parent: Int) {
        guard let slot else { return }
        let position = slot._withUnsafeGuaranteedRef { $0.position }
        guard flags.indices.contains(position),
            slot.takeUnretainedValue() === slots[position].takeUnretainedValue(), !isFlagTaken[position]
        else { return foreign.append(label ?? "?") }
        isFlagTaken[position] = true
        members.append(
            FlagShape.Member(label: label, parent: parent, declaration: .flag(flags[position]), position: position))
    }

    private mutating func add(
        _ property: (block: Unmanaged<FlagBlock>?, tag: UInt64, collection: any FlagCollectionProtocol)?,
        label: String?, parent: Int
    ) {
        guard let property else { return }
        let position = Int(property.tag & 0xFFFF_FFFF)
        guard let block = unsafe property.block, unsafe block.takeUnretainedValue() === self.block,
            UInt32(property.tag >> 32) == generation, !isCollectionTaken[position]
        else { return foreign.append(label ?? "?") }
        isCollectionTaken[position] = true
        members.append(
            FlagShape.Member(
                label: label, parent: parent, declaration: .collection(collectionDeclarations[position]),
                position: position))
        read(property.collection, parent: members.count - 1)
    }
}

extension FlagIssue {
    fileprivate static func missingReflection(_ type: Any.Type) -> FlagIssue {
        let message = """
            Reflection doesn't find the properties of \(type) or their names, so its flags return their defaults or \
            have no keys. Build its module with reflection metadata: set SWIFT_REFLECTION_METADATA_LEVEL to "all", and \
            leave out -disable-reflection-metadata and -disable-reflection-names.
            """
        return FlagIssue(.missingReflection, message: message)
    }

    fileprivate static func customReflection(_ type: Any.Type) -> FlagIssue {
        let message = """
            The properties of \(type) cannot be seen because it has a mirror of its own, so its flags give their \
            defaults. Remove the conformance to CustomReflectable, or add the storage of its flags, such as _name, to \
            the mirror.
            """
        return FlagIssue(.missingReflection, message: message)
    }

    fileprivate static func unreachableFlag(_ site: FlagSite) -> FlagIssue {
        let message = """
            The flag or collection declared at \(site) was created together with its collection but is not a property \
            of it, so it has no key and returns its default. Make it a stored property with @Flag or @FlagCollection; \
            arrays, tuples and optionals of flags are not searched. If the collection's init replaces it, declare \
            the property without arguments: @Flag var name: Type.
            """
        return FlagIssue(.unreachableFlag, message: message)
    }

    fileprivate static func foreignFlag(_ label: String, in type: Any.Type) -> FlagIssue {
        let message = """
            The property "\(label)" of \(type) holds a flag or collection that was copied from somewhere else, so \
            it has no key of its own. Declare it with its own @Flag or @FlagCollection.
            """
        return FlagIssue(.unreachableFlag, message: message)
    }
}
