package import Foundation
package import TacklineCore

// Foundation: `URL` is the address of a stream, `Data` the body of an answer.

/// The differences between a document protocol of its own and plain JSON documents. The transport of such a provider
/// makes the protocol's requests.
package struct RemoteDialect: Sendable {
    /// The statuses after which the provider sends no request by itself until the application asks for one.
    package var finalStatuses: Set<Int> = []
    /// Makes secret header fields, anew for each request.
    package var secretHeaders: (@Sendable () async throws -> HTTPTransportHeaders)?
    /// Removes the URL of the change stream from a document and returns it. The URL is not written to the cache.
    package var takeStream: @Sendable (inout FlagDocument) -> URL? = { _ in nil }
    /// Returns whether an event of the stream announces a change.
    package var isChange: @Sendable (ServerSentEvent) -> Bool = { _ in true }
    /// Returns the text in the body of a refusal, in a few words, or `nil` if there is none.
    package var refusal: @Sendable (Data) -> String? = { _ in nil }
    /// Receives each event. It is called without a lock.
    package var tell: @Sendable (RemoteJSONEvent) -> Void = { _ in }
    /// Whether a refresh joins a request that was sent before it, for a provider that keeps answers for a while anyway.
    package var joinsSentRequests = false
    /// The number of documents kept in the cache folder, which only this provider uses; `nil` for any number.
    package var maximumKept: Int?

    package init() {}
}

extension RemoteJSONConfiguration {
    /// Returns the transport for a provider with this name.
    package func makeTransport(provider: String) -> any HTTPTransport {
        transport ?? RefreshDriver.standardTransport(provider)
    }

    /// The folder of the cache; `nil` if the cache is disabled.
    package var cacheFolder: URL? {
        switch cache {
        case .disabled: nil
        case .directory(let directory): directory
        case .standard: RemoteJSONCache.standardFolder
        }
    }
}
