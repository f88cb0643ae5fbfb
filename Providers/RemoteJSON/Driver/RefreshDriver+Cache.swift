import Foundation
import Synchronization
import TacklineCore

// Foundation: `Date` is kept in the cache.

/// A writer that writes cache files one at a time. Writes are numbered in the order of their content, and an older one
/// never replaces a newer one.
final class CacheWriter: Sendable {
    private struct State {
        /// The number of the last write, by path.
        var written: [String: Int] = [:]
        var isTidy = false
    }

    /// The lock is held while a file is written.
    private let state = Mutex(State())

    func write(_ number: Int, to path: String, of cache: RemoteJSONCache, _ body: () throws -> Void) rethrows {
        try state.withLock { state in
            guard number > state.written[path] ?? 0 else { return }
            try body()
            state.written[path] = number
            // Ages are measured against the file that was just written.
            if !state.isTidy { cache.removeAbandonedFiles() }
            state.isTidy = true
        }
    }
}

extension RefreshDriver {
    /// Returns the fetcher for the request with a number.
    func fetcher(of number: Int) -> DocumentFetcher {
        DocumentFetcher(configuration: configuration, transport: transport, reader: reader) { [weak self] lead in
            self?.send(.clockCompared(number, lead: lead))
        }
    }

    private var reader: RemoteDocumentReader {
        RemoteDocumentReader(configuration, store: store)
    }

    /// Reads and verifies the content of the cache. It blocks on the disk.
    func readCache(of address: RemoteAddress) -> CachedDocument? {
        guard let entry = RemoteJSONCache(configuration, address)?.load() else { return nil }
        return CachedDocument(
            document: document(from: entry, url: address.url), fetchedDate: entry.fetchedAt,
            confirmedDate: entry.validatedAt, notBefore: entry.notBefore, versions: entry.versions,
            highestVersion: configuration.trust.flatMap(entry.versions.highest(by:)))
    }

    private func document(from entry: RemoteJSONCacheEntry, url: URL) -> RemoteDocument? {
        guard let body = entry.body else { return nil }
        var headers = HTTPTransportHeaders()
        headers["ETag"] = entry.entityTag
        headers["Last-Modified"] = entry.lastModified
        if let field = configuration.verifier?.signatureField { headers[field] = entry.signature }
        do {
            return try reader.read(body, from: url, headers: headers, current: nil)
        } catch {
            events.warn("the cached document was not used: \(error.reason)")
            return nil
        }
    }

    /// Repeats the reads and writes that failed while the device was locked.
    func unlockCache() {
        retryWrites()
        if machine.documents.newest == nil { send(.cacheAvailable) }
    }

    /// Repeats the writes that failed. It blocks on the disk.
    func retryWrites() {
        let writes = unwritten.withLock { writes in
            defer { writes = [:] }
            return writes.values
        }
        for (number, writing) in writes { writeCache(writing, number, isRepeated: true) }
    }

    /// Writes to the cache. It blocks on the disk.
    ///
    /// - Parameter isRepeated: Whether the write failed before, which was reported then.
    func writeCache(_ writing: RefreshMachine.CacheWriting, _ number: Int, isRepeated: Bool = false) {
        do {
            switch writing {
            case .values(let address, let held):
                guard let cache = RemoteJSONCache(configuration, address) else { return }
                try cacheWriter.write(number, to: cache.path, of: cache) {
                    try cache.save(RemoteJSONCacheEntry(held))
                    if let count = configuration.dialect?.maximumKept { cache.removeOldest(keeping: count) }
                }
            case .removal(let address):
                guard let cache = RemoteJSONCache(configuration, address) else { return }
                cacheWriter.write(number, to: cache.path, of: cache) { cache.removeValues() }
            case .state(let address, let held, let notBefore, let versions):
                guard let cache = RemoteJSONCache(configuration, address) else { return }
                var state = RemoteJSONCacheState(
                    checksum: held?.document.revision.checksum,
                    validatedAt: held?.confirmedDate ?? configuration.wallClock(), notBefore: notBefore)
                state.versions = versions
                try cacheWriter.write(number, to: cache.statePath, of: cache) { [state] in try cache.save(state) }
            }
        } catch {
            if case .values(let address, _) = writing, let cache = RemoteJSONCache(configuration, address) {
                unwritten.withLock { writes in
                    if number > writes[cache.path]?.number ?? 0 { writes[cache.path] = (number, writing) }
                }
            }
            guard !isRepeated else { return }
            let advice = "Make room, or make the folder writable"
            send(
                .cacheWriteFailed(
                    FlagError(.inputOutput, provider: name, reason: "\(error)", advice: advice)))
        }
    }
}

extension RemoteJSONCacheEntry {
    fileprivate init(_ held: DocumentAges.Held) {
        self.init(body: held.document.body, fetchedAt: held.fetchedDate, validatedAt: held.confirmedDate)
        // A 304 answer doesn't name the stream, so the tag is not kept if there is a stream.
        entityTag = held.document.stream == nil ? held.document.revision.entityTag : nil
        lastModified = held.document.lastModified
        signature = held.document.signature
    }
}
