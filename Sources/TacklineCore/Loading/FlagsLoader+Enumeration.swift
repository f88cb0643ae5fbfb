extension FlagsLoader {
    /// The root collection as a tree: its flags and its nested collections.
    public var root: FlagGroup { FlagGroup(owner: loaded, ordinal: -1) }

    /// Every flag, as declared, the flags of a nested collection where the collection stands.
    public var allFlags: [FlagReference] { loaded.references { _ in true } }

    /// Returns the flag at a path, or `nil` if there is none.
    ///
    /// - Parameter path: The key as text, in the separator of the loader: `"secrets/boom_feature"`.
    /// - Complexity: O(*n*) in the length of the path.
    public func flag(at path: String) -> FlagReference? {
        loaded.index.ordinal(forText: path).map { FlagReference(loaded: loaded, ordinal: $0) }
    }
}
