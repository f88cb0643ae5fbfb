/// A provider that answers for each loader in a way of its own: a configuration by the flags themselves, whatever keys the
/// loader gives them.
///
/// The loader, which lies in a higher layer, asks for the form that fits it when it installs a chain.
package protocol LoaderBoundProvider: FlagProvider {
    /// Returns the provider for a loader's chain.
    func bound(to loader: LoaderBinding) -> any FlagProvider
}

/// What a provider may know of a loader whose chain it is in.
package struct LoaderBinding: Sendable {
    /// The type of the loader's collection.
    package let root: ObjectIdentifier
    /// The keys of its flags, by ordinal.
    package let keys: [FlagKeyPath]
    /// Where its issues go.
    package let reporter: FlagIssueReporter

    package init(root: ObjectIdentifier, keys: [FlagKeyPath], reporter: FlagIssueReporter) {
        self.root = root
        self.keys = keys
        self.reporter = reporter
    }
}
