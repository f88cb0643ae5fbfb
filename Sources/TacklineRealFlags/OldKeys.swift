import TacklineCore

/// The keys under which RealFlags may have kept a flag.
enum OldKeys {
    /// Returns the keys in the order in which they are to be tried.
    ///
    /// RealFlags passes the `key` of a collection over and takes its property's name, and its transforms differ at acronyms.
    ///
    /// - Parameters:
    ///   - key: The flag's key, now or by the old configuration.
    ///   - property: The names of its property's path in the source; empty where they are not known.
    ///   - configuration: The configuration that RealFlags had.
    static func candidates(
        for key: FlagKeyPath, property: [String], _ configuration: KeyConfiguration
    ) -> [FlagKeyPath] {
        let old = configuration.asInRealFlags
        let prefix = old.prefix.map { [$0] } ?? []
        let aligned = aligned(key.components, with: property)
        var candidates = [key.components, aligned]
        if let last = aligned.last, !property.isEmpty {
            // A key that was given by hand is the last name.
            candidates.append(prefix + property.dropLast().map { old.keyTransform($0) } + [last])
            candidates.append(prefix + property.map { old.keyTransform($0) })
        }
        return candidates.map { FlagKeyPath(components: $0, separator: configuration.pathSeparator) }
    }

    /// Replaces the names that a transform made of the property's, in their order, by those that RealFlags makes.
    private static func aligned(_ components: [String], with property: [String]) -> [String] {
        var rest = property[...]
        return components.map { component in
            for (position, name) in zip(rest.indices, rest) {
                for transform in [
                    KeyConfiguration.Transform.snakeCase, .kebabCase, .realFlagsSnakeCase, .realFlagsKebabCase, .none,
                ]
                where transform(name) == component {
                    rest = rest[(position + 1)...]
                    return transform.asInRealFlags(name)
                }
            }
            return component
        }
    }
}
