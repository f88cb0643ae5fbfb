/// A provider that returns the values of other providers.
///
/// A chain looks inside, so that a wrapped override or live provider counts as one. ``FlagHandle/explain()`` shows the
/// variant and the reason of the first provider inside that holds the wrapper's value; a wrapper for which that would be
/// wrong, since it asks under other keys or changes values, conforms to ``DetailedFlagProvider`` too.
public protocol FlagProviderWrapper: MarkedFlagProvider {
    /// The providers inside. Must always be the same ones.
    var wrappedProviders: [any FlagProvider] { get }
}

extension FlagProvider {
    /// Whether it is, or contains, a ``FlagOverrideProvider``.
    package var isOverride: Bool { containsProvider { $0 is any FlagOverrideProvider } }

    /// Whether it is, or contains, a ``LiveFlagProvider``.
    package var isLive: Bool { containsProvider { $0 is any LiveFlagProvider } }

    /// Looks through wrappers. Returns `true` for more than 1,000 nested providers, such as a wrapper of itself.
    private func containsProvider(_ isWanted: (any MarkedFlagProvider) -> Bool) -> Bool {
        guard self is any MarkedFlagProvider else { return false }
        var waiting: [any FlagProvider] = [self]
        var seen = 0
        while let provider = waiting.popLast() {
            seen += 1
            guard seen <= 1000 else { return true }
            guard let marked = provider as? any MarkedFlagProvider else { continue }
            if isWanted(marked) { return true }
            if let wrapper = marked as? any FlagProviderWrapper { waiting += wrapper.wrappedProviders }
        }
        return false
    }
}

/// A provider that needs to know the loader: a configuration in code names flags by property, not by key.
package protocol LoaderBoundProvider: MarkedFlagProvider {
    /// Returns the form of the provider for a loader's chain. Called when the loader installs the chain.
    func bound(to loader: LoaderBinding) -> any FlagProvider
}

extension FlagProvider {
    /// Returns the form of the provider for a loader's chain; by default the provider itself.
    package func fitting(_ loader: @autoclosure () -> LoaderBinding) -> any FlagProvider {
        guard let marked = self as? any MarkedFlagProvider, let bound = marked as? any LoaderBoundProvider else {
            return self
        }
        return bound.bound(to: loader())
    }
}

/// What a ``LoaderBoundProvider`` learns about a loader.
package struct LoaderBinding: Sendable {
    /// The type of the loader's collection.
    package let root: ObjectIdentifier
    /// The keys of its flags, by ordinal.
    package let keys: [FlagKeyPath]
    /// Where its issues go.
    package let reporter: FlagIssueReporter
}
