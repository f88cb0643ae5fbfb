/// A struct of flags.
///
/// Its stored properties are flags (``Flag``), nested collections (``FlagCollection``), and others, which loaders ignore. A
/// struct gets its `init()` from the compiler. A class works too, but each read then has to follow a reference.
public protocol FlagCollectionProtocol: Sendable {
    /// Makes the collection. A loader calls it once. Flags read in it return their defaults.
    init()
}

/// A collection inside another one.
///
/// ```swift
/// @FlagCollection(description: "Experiments not yet announced")
/// var secrets: SecretExperiments          // its flags are asked for under "secrets/…"
/// ```
@propertyWrapper
public struct FlagCollection<Group: FlagCollectionProtocol>: Sendable {
    /// Never dangles: see ``FlagSlot``. Only its binding is used. Must stay the first word: see `FlagDiscovery`.
    @usableFromInline let slot: Unmanaged<FlagSlot>
    @usableFromInline let tag: UInt64

    /// The nested collection.
    public let wrappedValue: Group

    /// The nested collection with its key path, to list its flags and the collections inside.
    public var projectedValue: FlagGroup {
        let binding = slot.takeUnretainedValue().binding(tag: tag)
        return FlagGroup(owner: binding?.owner, ordinal: binding?.ordinal ?? -1)
    }

    /// Declares a nested collection.
    ///
    /// - Parameters:
    ///   - name: The name for people; `nil` stands for the one in `description`, else the property's name.
    ///   - key: The component in the key paths, not transformed. The same as `keyConfiguration: .custom(…)`, and takes
    ///     precedence over it.
    ///   - keyConfiguration: What the collection adds to the key paths of its flags.
    ///   - description: What people should know about the collection.
    ///   - fileID: Where it is declared, for messages; leave it out, like the next two.
    ///   - line: See `fileID`.
    ///   - column: See `fileID`.
    public init(
        name: String? = nil, key: String? = nil, keyConfiguration: CollectionKeyConfiguration = .default,
        description: FlagMetadata = FlagMetadata(), fileID: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column
    ) {
        let declaration = FlagCollectionDeclaration(
            name: name, keyConfiguration: key.map { .custom($0) } ?? keyConfiguration, metadata: description,
            site: FlagSite(fileID: fileID, line: line, column: column), propertyType: ObjectIdentifier(Self.self),
            group: { unsafe $0.assumingMemoryBound(to: Self.self).pointee.wrappedValue })
        (slot, tag) = FlagConstruction.slot(for: .collection(declaration))
        wrappedValue = Group()
    }
}

extension Flag: ReflectedFlag {}
extension FlagCollection: ReflectedFlag {}

/// A property that begins with the address of a slot: a flag or a nested collection.
protocol ReflectedFlag {}

/// A collection whose flags are not properties, so that reflection does not find them. Its `init()` says so to the current
/// ``FlagConstruction``.
package protocol ListedFlagCollection: FlagCollectionProtocol {
    /// The flags in the order of their construction, each with a name in place of a property's.
    var listedFlags: [(name: String, slot: Unmanaged<FlagSlot>)] { get }
}

/// A collection of a loader: the root, or a nested one (`loader.$secrets`).
///
/// It keeps the loader's data alive, though not the loader object. Cheap to copy, safe from any thread.
public struct FlagGroup: Sendable {
    /// `nil` for a collection that no loader made, or whose loader is gone. Such a group is empty.
    package let owner: (any FlagOwner)?
    /// The number among the nested collections; -1 for the root.
    package let ordinal: Int
}
