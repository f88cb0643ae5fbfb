package import TacklineCore

/// A provider that answers with another one's values.
package struct WrappingProvider: FlagProvider {
    package let name: String
    package let wrappedProviders: [any FlagProvider]

    package init(name: String = "wrapper", wrappedProviders: [any FlagProvider]) {
        self.name = name
        self.wrappedProviders = wrappedProviders
    }

    package func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        wrappedProviders.lazy.compactMap { $0.value(for: key) }.first
    }
}
