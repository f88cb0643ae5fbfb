package import Foundation
package import TacklineCore
package import TacklineFormats

// Foundation: `URL` is the address of documents.

/// A source that requests single documents, for a provider that keeps them itself instead of using a machine.
package struct DocumentSource: Sendable {
    /// An accepted document, with the validators for the next request.
    package struct Fetched: Sendable {
        let document: RemoteDocument
        /// The store that holds this document only.
        package let store: any FlagDocumentStore
    }

    package enum Answer: Sendable {
        case document(Fetched)
        /// The current document is the newest.
        case unchanged
        /// The request failed. `retryAfter` is the time for which the server wants no requests, or `nil` if it gave
        /// none.
        case failed(FlagProviderError, retryAfter: Duration?)
    }

    private let configuration: RemoteJSONConfiguration
    private let transport: any HTTPTransport
    private let name: String
    private let time: MonotonicTime

    package init(_ configuration: RemoteJSONConfiguration, provider: String) {
        self.configuration = configuration
        transport = configuration.makeTransport(provider: provider)
        name = provider
        time = MonotonicTime(configuration.clock)
        RemoteIssues(provider: provider).report(configuration.problems(with: nil))
    }

    /// The time since this value was made.
    package var now: Duration { time.now }

    /// Requests a document, within the total deadline.
    ///
    /// - Parameter current: The last document from this URL; `nil` if there is none.
    package func fetch(_ url: URL, current: Fetched?) async -> Answer {
        let store = configuration.format.makeStore(providerName: name)
        let fetcher = DocumentFetcher(
            configuration: configuration, transport: transport,
            reader: RemoteDocumentReader(configuration, store: store))
        let result =
            await within(configuration.totalDeadline, on: time) {
                await fetcher.fetch(url, current: current?.document)
            } ?? .late(configuration.totalDeadline)
        if let error = result.error(provider: name) {
            guard case .failed(_, let retryAfter) = result else { return .failed(error, retryAfter: nil) }
            return .failed(error, retryAfter: retryAfter)
        }
        guard case .document(let document, _) = result else { return .unchanged }
        document.content.activate()
        return .document(Fetched(document: document, store: store))
    }
}
