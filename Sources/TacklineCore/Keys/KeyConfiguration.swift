/// How a loader makes key paths: an optional first component, the separator, and the transform of property names.
public struct KeyConfiguration: Sendable, Hashable {
    /// The first component of every key path; `nil` for none.
    ///
    /// It is used as it stands. It may hold separators, and then makes several components.
    public var prefix: String?
    /// What stands between two components. An empty one is reported as a mistake in the declaration.
    public var pathSeparator: String
    /// How property names become components. Keys given by hand are never transformed.
    public var keyTransform: FlagKeyTransform

    /// Makes a configuration.
    public init(
        prefix: String? = nil,
        pathSeparator: String = FlagKeyPath.defaultSeparator,
        keyTransform: FlagKeyTransform = .snakeCase
    ) {
        self.prefix = prefix
        self.pathSeparator = pathSeparator
        self.keyTransform = keyTransform
    }
}
