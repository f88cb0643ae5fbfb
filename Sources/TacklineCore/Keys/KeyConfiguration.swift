/// A key given by hand, in place of the one made from a property's name.
///
/// ```swift
/// @Flag(key: "sson", default: false, description: "…") var allowsSSON: Bool              // secrets/sson
/// @Flag(key: .absolute("sson"), default: false, description: "…") var allowsSSON: Bool   // sson
/// ```
public struct FlagKey: Sendable, Equatable, ExpressibleByStringLiteral {
    package enum Kind: Sendable, Equatable {
        case component(String)
        case absolute(String)
        case name(String)
    }

    package let kind: Kind

    /// Replaces the last component of the key path; those of the flag's collections stay. Not transformed.
    ///
    /// A component that is empty or holds the separator is reported as a mistake in the declaration.
    public static func component(_ name: String) -> FlagKey { FlagKey(kind: .component(name)) }

    /// Replaces the whole key path, including the prefix of the loader. Not transformed.
    public static func absolute(_ path: String) -> FlagKey { FlagKey(kind: .absolute(path)) }

    /// Replaces the property's name, which the loader then transforms as usual.
    public static func name(_ name: String) -> FlagKey { FlagKey(kind: .name(name)) }

    /// The same as ``component(_:)``.
    public init(stringLiteral name: String) { self.init(kind: .component(name)) }

    private init(kind: Kind) { self.kind = kind }
}

/// What a nested collection adds to the key paths of the flags inside it.
public struct CollectionKeyConfiguration: Sendable, Equatable {
    package enum Kind: Sendable, Equatable {
        case `default`, kebabCase, snakeCase, skip
        case custom(String)
    }

    package let kind: Kind

    /// The property's name as the loader transforms it.
    public static let `default` = CollectionKeyConfiguration(kind: .default)
    /// The property's name in kebab case, whatever the transform of the loader is.
    public static let kebabCase = CollectionKeyConfiguration(kind: .kebabCase)
    /// The property's name in snake case, whatever the transform of the loader is.
    public static let snakeCase = CollectionKeyConfiguration(kind: .snakeCase)
    /// Nothing: the flags inside get key paths as if they were declared next to the collection.
    public static let skip = CollectionKeyConfiguration(kind: .skip)
    /// The given component, not transformed.
    ///
    /// A component that is empty or holds the separator is reported as a mistake in the declaration.
    public static func custom(_ component: String) -> CollectionKeyConfiguration {
        CollectionKeyConfiguration(kind: .custom(component))
    }

    /// Returns the component for the name of a property, or `nil` if the collection adds none.
    package func component(forProperty name: String, transform: FlagKeyTransform) -> String? {
        switch kind {
        case .default: transform(name)
        case .kebabCase: FlagKeyTransform.kebabCase(name)
        case .snakeCase: FlagKeyTransform.snakeCase(name)
        case .skip: nil
        case .custom(let component): component
        }
    }
}

/// How a loader makes key paths: an optional first component, the separator, and the transform of property names.
public struct KeyConfiguration: Sendable, Equatable {
    /// The first component of every key path; `nil` for none.
    ///
    /// Not transformed. A prefix that holds the separator makes several components.
    public var prefix: String?
    /// What stands between two components. An empty one is reported as a mistake in the declaration.
    public var pathSeparator: String
    /// How property names become components. Keys given by hand are not transformed, except ``FlagKey/name(_:)``.
    public var keyTransform: FlagKeyTransform

    /// Makes a configuration.
    public init(
        prefix: String? = nil, pathSeparator: String = FlagKeyPath.defaultSeparator,
        keyTransform: FlagKeyTransform = .snakeCase
    ) {
        self.prefix = prefix
        self.pathSeparator = pathSeparator
        self.keyTransform = keyTransform
    }

    /// The key path of the root collection: the prefix, or no components.
    var rootKeyPath: FlagKeyPath {
        let components = prefix.map { FlagKeyPath($0, separator: pathSeparator).components } ?? []
        return FlagKeyPath(components: components, separator: pathSeparator)
    }
}
