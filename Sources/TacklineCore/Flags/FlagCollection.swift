/// A struct of flags.
///
/// Its stored properties are flags (``Flag``) and nested collections (``FlagCollection``). Loaders ignore any other
/// property. A struct gets its `init()` from the compiler. A class works too, but each read then has to follow a
/// reference.
public protocol FlagCollectionProtocol: Sendable {
    /// Creates the collection. A loader calls it once. Flags that are read in it return their defaults.
    init()

    /// The way in which the keys of the flags are made, if the collection is the root of a loader: the prefix, the
    /// separator and the transform. The default is that of ``KeyConfiguration/init(prefix:pathSeparator:keyTransform:)``.
    ///
    /// ```swift
    /// struct AppFlags: FlagCollectionProtocol {
    ///     static let keyConfiguration = KeyConfiguration(prefix: "myapp")
    /// }
    /// ```
    ///
    /// Whatever gets only the type of the collection makes its keys in this way. A loader or a manager can have another
    /// key configuration, which takes precedence.
    static var keyConfiguration: KeyConfiguration { get }
}

extension FlagCollectionProtocol {
    /// The default key configuration: no prefix, `/` and snake case.
    public static var keyConfiguration: KeyConfiguration { KeyConfiguration() }

    /// Unavailable. The compiler gives the message to a collection for which it makes no `init()`.
    @available(
        *, unavailable, message: "Give each flag a default, @Flag(default: …), or set the flag in your own init()."
    )
    public init() { self.init() }
}

/// A nested collection: a property that holds a collection inside another one.
///
/// ```swift
/// @FlagCollection(description: "Experiments not yet announced")
/// var secrets: SecretExperiments          // the keys of its flags begin with "secrets/"
/// ```
@propertyWrapper
public struct FlagCollection<Group: FlagCollectionProtocol>: Sendable {
    /// The place in the construction by a loader, or `nil` if there was none.
    private let place: FlagPlace?

    /// The nested collection.
    public let wrappedValue: Group

    /// The nested collection with its key path, for listing its flags and the collections inside.
    public var projectedValue: FlagGroup {
        let owner = place?.owner
        let ordinal = place.flatMap { owner?.ordinal(of: $0.number, isGroup: true) }
        return FlagGroup(owner: ordinal == nil ? nil : owner, ordinal: ordinal ?? -1)
    }

    /// Creates a nested collection.
    ///
    /// - Parameters:
    ///   - name: The display name. If it is `nil`, the name in `description` is used, or the property's name.
    ///   - key: The component in the key paths, which is not transformed. It is the same as
    ///     `keyConfiguration: .custom(…)` and takes precedence over it.
    ///   - keyConfiguration: The component that the collection adds to the key paths of its flags.
    ///   - description: The purpose of the collection in a sentence, or further metadata.
    ///   - fileID: The file of the declaration, for messages. Leave out this argument and the next two.
    ///   - line: The line of the declaration.
    ///   - column: The column of the declaration.
    public init(
        name: String? = nil, key: String? = nil, keyConfiguration: CollectionKeyConfiguration = .default,
        description: FlagMetadata = FlagMetadata(), fileID: StaticString = #fileID, line: UInt = #line,
        column: UInt = #column
    ) {
        var metadata = description
        if let name { metadata.name = name }
        let declaration = FlagCollectionDeclaration(
            keyConfiguration: key.map { .custom($0) } ?? keyConfiguration, metadata: metadata,
            site: FlagSite(fileID: fileID, line: line, column: column), property: Self.self)
        (place, wrappedValue) = FlagConstruction.construct(declaration) { Group() }
    }
}

extension FlagCollection: FlagProperty {
    package static func contents(of property: Any) -> (place: FlagPlace?, collection: (any FlagCollectionProtocol)?)? {
        (property as? FlagCollection).map { ($0.place, $0.wrappedValue) }
    }
}

/// A collection of a loader: the root, or a nested one (`loader.$secrets`).
///
/// It keeps the loader's data alive, but not the loader object. It is cheap to copy. Use it from any thread.
public struct FlagGroup: Sendable {
    /// The loader's data, or `nil` for a collection that no loader constructed or whose loader is deallocated. The
    /// group is empty then.
    package let owner: (any FlagOwner)?
    /// The number of the nested collection, or -1 for the root.
    package let ordinal: Int
}
