#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Synchronization
import TacklineCore
import TacklineFormats

// Foundation: `Date` is kept in the cache.

/// Writes cache files one after the other, and none over a newer one: writes are numbered in the order of what they tell.
final class CacheWriter: Sendable {
    private struct State {
        /// The number of the last write, by path.
        var written: [String: Int] = [:]
        var isTidy = false
    }

    /// Held while a file is written.
    private let state = Mutex(State())

    func write(_ number: Int, to path: String, of cache: RemoteJSONCache, _ body: () throws -> Void) rethrows {
        try state.withLock { state in
            guard number > state.written[path] ?? 0 else { return }
            try body()
            state.written[path] = number
            // After the write, whose file says what time it is there.
            if !state.isTidy { cache.removeAbandonedFiles() }
            state.isTidy = true
        }
    }
}

extension RefreshDriver {
    /// What makes the request with a number.
    func fetcher(of number: Int) -> DocumentFetcher {
        DocumentFetcher(configuration: configuration, transport: transport, reader: reader) { [weak self] lead in
            self?.send(.clockCompared(number, lead: lead))
        }
    }

    private var reader: RemoteDocumentReader {
        RemoteDocumentReader(configuration, store: store)
    }

    /// Reads and verifies what the cache holds. Waits for the disk.
    func readCache(of url: URL) -> CachedDocument? {
        guard let entry = RemoteJSONCache(configuration, url: url)?.load() else { return nil }
        return CachedDocument(
            document: document(from: entry, url: url), fetchedDate: entry.fetchedAt, confirmedDate: entry.validatedAt,
            notBefore: entry.notBefore, highestVersion: entry.highestVersion)
    }

    private func document(from entry: RemoteJSONCacheEntry, url: URL) -> RemoteDocument? {
        guard let body = entry.body else { return nil }
        var headers = HTTPTransportHeaders()
        headers["ETag"] = entry.entityTag
        headers["Last-Modified"] = entry.lastModified
        if let field = configuration.effectiveVerifier?.signatureField { headers[field] = entry.signature }
        do {
            return try reader.read(body, from: url, headers: headers, current: nil)
        } catch {
            events.warn("the cached document was not used: \(error.reason)")
            return nil
        }
    }

    /// Waits for the disk.
    func writeCache(_ writing: RefreshMachine.CacheWriting, _ number: Int) {
        do {
            switch writing {
            case .values(let held):
                guard let cache = RemoteJSONCache(configuration, url: held.document.url) else { return }
                try cacheWriter.write(number, to: cache.path, of: cache) {
                    try cache.save(RemoteJSONCacheEntry(held))
                    if let count = configuration.dialect?.maximumKept { cache.removeOldest(keeping: count) }
                }
            case .state(let url, let held, let notBefore, let version):
                guard let cache = RemoteJSONCache(configuration, url: url) else { return }
                var state = RemoteJSONCacheState(
                    checksum: held?.document.revision.checksum,
                    validatedAt: held?.confirmedDate ?? configuration.wallClock(), notBefore: notBefore)
                try cacheWriter.write(number, to: cache.statePath, of: cache) {
                    // Another process may have come further.
                    if let version { state.highestVersion = max(version, cache.load()?.highestVersion ?? version) }
                    try cache.save(state)
                }
            }
        } catch {
            let advice = "Make room, or make the folder writable"
            send(
                .cacheWriteFailed(
                    FlagProviderError(.inputOutput, provider: name, reason: "\(error)", advice: advice)))
        }
    }
}

extension RemoteJSONCacheEntry {
    fileprivate init(_ held: DocumentAges.Held) {
        self.init(body: held.document.body, fetchedAt: held.fetchedDate, validatedAt: held.confirmedDate)
        // Where the stream is the server says only with the whole document.
        entityTag = held.document.stream == nil ? held.document.revision.entityTag : nil
        lastModified = held.document.lastModified
        signature = held.document.signature
    }
}
