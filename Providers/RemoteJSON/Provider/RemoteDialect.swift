#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif
package import TacklineCore

// Foundation: `URL` is where streams are, `Data` what servers answer.

/// What is different where documents come by a protocol of their own. Its transport makes the requests of it.
package struct RemoteDialect: Sendable {
    /// Statuses after which nobody is asked any more, until the application wants it.
    package var finalStatuses: Set<Int> = []
    /// Makes header fields that nobody may see, for each request anew.
    package var secretHeaders: (@Sendable () async throws -> HTTPTransportHeaders)?
    /// Takes out of a document where its server tells changes, which is kept on no disk.
    package var takeStream: @Sendable (inout FlagDocument) -> URL? = { _ in nil }
    /// Whether an event of the stream says that there is something new.
    package var isChange: @Sendable (ServerSentEvent) -> Bool = { _ in true }
    /// What the body of a refusal says, in a few words.
    package var refusal: @Sendable (Data) -> String? = { _ in nil }
    /// Is told each event, with nothing locked.
    package var tell: @Sendable (RemoteJSONEvent) -> Void = { _ in }
    /// How many documents are kept in the folder of the cache, which is nobody else's; `nil` for any number.
    package var maximumKept: Int?

    package init() {}
}

extension RemoteJSONConfiguration {
    /// The transport that a provider of this name uses.
    package func makeTransport(provider: String) -> any HTTPTransport {
        transport ?? RefreshDriver.standardTransport(provider)
    }

    /// Where documents are kept; `nil` for nowhere.
    package var cacheFolder: URL? {
        switch cache {
        case .disabled: nil
        case .directory(let directory): directory
        case .standard: RemoteJSONCache.standardFolder
        }
    }
}
