#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif
package import TacklineCore
package import TacklineFormats

// Foundation: `URL` is where documents are.

/// Asks for documents one at a time, for whoever keeps them by itself: a provider without a machine.
package struct DocumentSource: Sendable {
    /// A document that was accepted, with what is needed to ask for a newer one.
    package struct Fetched: Sendable {
        let document: RemoteDocument
        /// Holds the document, and nothing else ever.
        package let store: any FlagDocumentStore
    }

    package enum Answer: Sendable {
        case document(Fetched)
        /// The document at hand is the newest.
        case unchanged
        /// The time that the server wants silence for, where it said so.
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
    }

    /// The time since this was made.
    package var now: Duration { time.now }

    /// Asks for a document, within the total deadline.
    ///
    /// - Parameter current: What is at hand from this URL; `nil` for nothing.
    package func fetch(_ url: URL, current: Fetched?) async -> Answer {
        let store = configuration.format.makeStore(providerName: name)
        let fetcher = DocumentFetcher(
            configuration: configuration, transport: transport,
            reader: RemoteDocumentReader(configuration, store: store))
        let result = await within(configuration.totalDeadline, on: time) {
            await fetcher.fetch(url, current: current?.document)
        }
        switch result {
        case .document(let document, _)?:
            document.content.activate()
            return .document(Fetched(document: document, store: store))
        case .unchanged?: return .unchanged
        case .rejected(let reason, _)?:
            return .failed(error(.rejected, "the document was rejected: \(reason)"), retryAfter: nil)
        case .failed(let reason, let retryAfter)?: return .failed(error(.network, reason), retryAfter: retryAfter)
        case .misconfigured(let status, let detail)?:
            let reason = "the server answered with status \(status)\(detail.map { ": \($0)" } ?? "")"
            return .failed(error("misconfigured", reason), retryAfter: nil)
        case nil:
            let reason = "the answer was not complete within \(configuration.totalDeadline)"
            return .failed(error(.network, reason), retryAfter: nil)
        }
    }

    private func error(_ code: FlagProviderError.Code, _ reason: String) -> FlagProviderError {
        FlagProviderError(code, provider: name, reason: reason)
    }
}
