/// A provider whose values belong to the flags of a collection type, whatever keys a loader gives them.
///
/// The loader, which lies in a higher layer, asks for the form that fits its keys when it installs a chain.
package protocol CollectionBoundProvider: FlagProvider {
    /// Returns the provider for a loader's chain.
    ///
    /// - Parameters:
    ///   - root: The type of the loader's collection.
    ///   - keys: The keys of its flags, by ordinal.
    func bound(to root: ObjectIdentifier, keys: [FlagKeyPath]) -> any FlagProvider
}
