/// The identity of a flag in every loader of its root collection, whatever the keys are.
///
/// The key paths that a loader creates carry it. So a provider whose values are given by property and not by key, such
/// as a configuration in code, finds its values under the keys of any loader.
package struct FlagIdentity: Sendable, Hashable {
    /// The type of the root collection.
    package let root: ObjectIdentifier
    /// The number of the flag among the flags of the collection.
    package let ordinal: Int

    package init(root: ObjectIdentifier, ordinal: Int) {
        self.root = root
        self.ordinal = ordinal
    }
}
