#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
public import TacklineCore

// Foundation: `URL` is what applications have.

extension FlagProvider where Self == RemoteJSONProvider {
    /// Makes a provider for a JSON document on a server, and starts it: `[overrides, .json(url: url)]`.
    ///
    /// It keeps its values fresh until it goes, which is when the last chain or variable lets go of it. In the closure of
    /// a `ProviderChain` the dot would belong to the line before; write `RemoteJSONProvider.json(url:)` there.
    ///
    /// - Parameters:
    ///   - url: Where the document is, by http or https.
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - configuration: How it works.
    public static func json(
        url: URL,
        name: String = "RemoteJSONProvider",
        configuration: RemoteJSONConfiguration = RemoteJSONConfiguration()
    ) -> RemoteJSONProvider {
        let provider = RemoteJSONProvider(url: url, name: name, configuration: configuration)
        provider.start()
        return provider
    }
}
