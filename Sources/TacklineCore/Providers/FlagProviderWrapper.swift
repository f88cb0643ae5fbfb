/// A provider that answers with other providers' values.
///
/// Adopt it in a wrapper of your own. A chain looks through it, so that the mark of an override or of a live provider
/// inside does not get lost; and ``FlagHandle/explain()`` shows the variant and the reason of the first provider inside that
/// holds the wrapper's value. A wrapper that asks under other keys or changes values, so that this would be wrong, conforms
/// to ``DetailedFlagProvider`` itself.
public protocol FlagProviderWrapper: FlagProvider {
    /// Whose values it answers with. They never change.
    var wrappedProviders: [any FlagProvider] { get }
}

extension FlagProvider {
    /// Whether it is, or contains, a provider that is marked as an override.
    package var isOverride: Bool { containsProvider(orElse: true) { $0 is any FlagOverrideProvider } }

    /// Whether it is, or contains, a provider whose values come from elsewhere.
    package var isLive: Bool { containsProvider(orElse: true) { $0 is any LiveFlagProvider } }

    /// Looks through wrappers.
    ///
    /// - Parameter fallback: The answer for a nest of more than a thousand providers, such as a wrapper of itself.
    private func containsProvider(orElse fallback: Bool, _ isWanted: (any FlagProvider) -> Bool) -> Bool {
        var waiting: [any FlagProvider] = [self]
        var seen = 0
        while let provider = waiting.popLast() {
            if isWanted(provider) { return true }
            seen += 1
            guard seen <= 1000 else { return fallback }
            if let wrapper = provider as? any FlagProviderWrapper { waiting += wrapper.wrappedProviders }
        }
        return false
    }
}

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
