/// What a nested collection adds to the key paths of the flags inside it.
public struct CollectionKeyConfiguration: Sendable, Hashable {
    package enum Kind: Sendable, Hashable {
        case `default`, kebabCase, snakeCase, skip
        case custom(String)
    }

    package let kind: Kind

    /// The property's name, by the transform of the loader.
    public static let `default` = CollectionKeyConfiguration(kind: .default)
    /// The property's name in kebab case, whatever the loader's transform is.
    public static let kebabCase = CollectionKeyConfiguration(kind: .kebabCase)
    /// The property's name in snake case, whatever the loader's transform is.
    public static let snakeCase = CollectionKeyConfiguration(kind: .snakeCase)
    /// Nothing: the flags inside stand at the level of the collection itself.
    public static let skip = CollectionKeyConfiguration(kind: .skip)
    /// The given component, as it stands.
    ///
    /// One that is empty or holds the separator is reported as a mistake in the declaration.
    public static func custom(_ component: String) -> CollectionKeyConfiguration {
        CollectionKeyConfiguration(kind: .custom(component))
    }

    /// Returns the component, or `nil` where the collection adds none.
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
