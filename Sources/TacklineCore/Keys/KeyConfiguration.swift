/// A key that replaces the one that the loader derives from a property's name.
///
/// ```swift
/// struct Secrets: FlagCollectionProtocol {
///     @Flag(key: "sson", default: false) var allowsSSON: Bool                  // secrets/sson
///     @Flag(key: .absolute("beta"), default: false) var showsBeta: Bool        // beta
/// }
/// ```
public struct FlagKey: Sendable, Hashable, ExpressibleByStringLiteral {
    package enum Kind: Sendable, Hashable {
        case component(String)
        case absolute(String)
        case name(String)
    }

    package let kind: Kind

    /// Returns a key that replaces the last component of the key path. The name is not transformed.
    ///
    /// The components of the flag's collections stay the same. A name that is empty or contains the separator is
    /// reported as a mistake in the declaration.
    public static func component(_ name: String) -> FlagKey { FlagKey(kind: .component(name)) }

    /// Returns a key that replaces the whole key path, including the loader's prefix. The path is not transformed.
    public static func absolute(_ path: String) -> FlagKey { FlagKey(kind: .absolute(path)) }

    /// Returns a key that replaces the property's name. The loader transforms the name like that of a property.
    package static func name(_ name: String) -> FlagKey { FlagKey(kind: .name(name)) }

    /// Creates the same key as ``component(_:)`` from a string literal.
    public init(stringLiteral name: String) { self.init(kind: .component(name)) }

    private init(kind: Kind) { self.kind = kind }
}

/// The component that a nested collection adds to the key paths of its flags.
///
/// ```swift
/// @FlagCollection(keyConfiguration: .custom("x")) var secrets: Secrets         // x/boom_feature
/// @FlagCollection(keyConfiguration: .skip) var search: SearchFlags             // max_results
/// ```
public enum CollectionKeyConfiguration: Sendable, Hashable {
    /// The property's name, transformed by the loader's transform.
    case `default`
    /// The property's name in kebab case. The loader's transform is not used.
    case kebabCase
    /// The property's name in snake case. The loader's transform is not used.
    case snakeCase
    /// No component. The flags have the key paths they would have if they were declared next to the collection.
    case skip
    /// The given component, which is not transformed.
    ///
    /// A component that is empty or contains the separator is reported as a mistake in the declaration.
    case custom(String)

    /// Returns the component for the name of the collection's property, or `nil` for ``skip``.
    package func component(forProperty name: String, transform: KeyConfiguration.Transform) -> String? {
        switch self {
        case .default: transform(name)
        case .kebabCase: KeyConfiguration.Transform.kebabCase(name)
        case .snakeCase: KeyConfiguration.Transform.snakeCase(name)
        case .skip: nil
        case .custom(let component): component
        }
    }
}

/// The prefix, the separator and the transform from which a loader creates key paths.
///
/// ```swift
/// let keys = KeyConfiguration(prefix: "myapp", pathSeparator: ".", keyTransform: .kebabCase)
/// let loader = FlagsLoader(AppFlags.self, keyConfiguration: keys, providers: [overrides, remote])
/// loader.$boomFeature.keyPath                                                  // myapp.boom-feature
/// ```
public struct KeyConfiguration: Sendable, Equatable {
    /// The first component of every key path, or `nil` for no prefix.
    ///
    /// The prefix is not transformed. A prefix that contains the separator is split into several components.
    public var prefix: String?
    /// The text between two components. An empty separator is reported as a mistake in the declaration.
    public var pathSeparator: String
    /// The transform of property names to components. Keys in declarations are not transformed.
    public var keyTransform: Transform

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - prefix: The first component of every key path. The default is `nil`, for no prefix.
    ///   - pathSeparator: The text between two components. The default is `/`.
    ///   - keyTransform: The transform of property names. The default is ``Transform/snakeCase``.
    public init(
        prefix: String? = nil, pathSeparator: String = FlagKeyPath.defaultSeparator,
        keyTransform: Transform = .snakeCase
    ) {
        (self.prefix, self.pathSeparator, self.keyTransform) = (prefix, pathSeparator, keyTransform)
    }

    /// The key path of the root collection. It consists of the prefix, or it has no components.
    var rootKeyPath: FlagKeyPath {
        FlagKeyPath(prefix?.names(separatedBy: pathSeparator) ?? [], pathSeparator, text: prefix ?? "")
    }
}
