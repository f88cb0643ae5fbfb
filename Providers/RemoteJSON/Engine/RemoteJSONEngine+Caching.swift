#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Synchronization
import TacklineCore

// Foundation: `Date` is kept in the cache.

extension RemoteJSONEngine {
    /// Reads and verifies the cache, and publishes what it holds. Waits for the disk.
    func loadCache() {
        let moment = moment
        let url = update { $0.url }
        let entry = RemoteJSONCache(configuration, url: url)?.load().flatMap { credible($0, at: moment) }
        let document = entry.flatMap { self.document(from: $0, url: url, at: moment) }
        commit {
            let isWanted = locked { state in
                guard state.url == url, !state.isCacheLoaded else { return false }
                if let notBefore = entry?.notBefore { forbid(until: notBefore, &state, at: moment) }
                return document != nil && state.newest == nil
            }
            guard isWanted, let entry, let document else { return }
            let changes = document.content.activate()
            locked { state in
                let age = age(of: entry, at: moment)
                state.newest = document
                state.active = document
                state.source = .cached
                state.validatedAt = moment.now - age
                state.validatedDate = entry.validatedAt
                state.fetchedDate = entry.fetchedAt
                events.send(.ready(.cached))
                let keys = Set(changes.map(\.key))
                if !keys.isEmpty { events.send(.changed(keys: keys, revision: document.revision, source: .cached)) }
            }
            becomeReady()
        }
        update { if $0.url == url { $0.isCacheLoaded = true } }
    }

    private func document(from entry: RemoteJSONCacheEntry, url: URL, at moment: Moment) -> RemoteDocument? {
        guard let body = entry.body, age(of: entry, at: moment) < configuration.cacheTimeToLive else { return nil }
        var headers = HTTPHeaders()
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

    /// Nobody knows the age of an entry from the future, beyond what clocks may differ, and so nobody could tell when its
    /// time is over: it is as good as none.
    private func credible(_ entry: RemoteJSONCacheEntry, at moment: Moment) -> RemoteJSONCacheEntry? {
        let lead = Duration.seconds(max(entry.fetchedAt, entry.validatedAt).timeIntervalSince(moment.wall))
        guard lead > configuration.clockSkewAllowance else { return entry }
        events.warn("the cached document was not used: it is from the future, says the clock on the wall")
        return nil
    }

    /// How long ago the entry was confirmed.
    private func age(of entry: RemoteJSONCacheEntry, at moment: Moment) -> Duration {
        max(.zero, .seconds(moment.wall.timeIntervalSince(entry.validatedAt)))
    }

    /// However the clock on the wall was set since, silence lasts no longer than a server can ask for.
    private func forbid(until date: Date, _ state: inout EngineState, at moment: Moment) {
        let rest = min(Duration.seconds(date.timeIntervalSince(moment.wall)), RetryAfter.range.upperBound)
        guard rest > .zero else { return }
        state.schedule.forbid(until: moment.now + rest)
        events.send(.throttled(until: moment.wall(at: moment.now + rest)))
    }

    /// Writes what is in force, or a document that is about to be remembered; under its own URL, never under another one
    /// to which the provider has turned meanwhile.
    func saveCache(_ document: RemoteDocument? = nil, at moment: Moment) {
        guard document == nil || configuration.activation != .manual else { return }
        let kept = update { state -> (url: URL, entry: RemoteJSONCacheEntry)? in
            let isStagedKept = configuration.activation == .nextStart
            let candidate = document ?? (isStagedKept ? state.newest : state.active)
            let content = candidate?.url == state.url ? candidate : nil
            guard content != nil || document == nil && state.schedule.notBefore != nil else { return nil }
            let isNew = document != nil
            var entry = RemoteJSONCacheEntry(
                body: content?.body,
                fetchedAt: isNew ? moment.wall : state.fetchedDate ?? moment.wall,
                validatedAt: isNew || content == nil ? moment.wall : state.validatedDate ?? moment.wall
            )
            entry.entityTag = content?.revision.entityTag
            entry.lastModified = content?.lastModified
            entry.signature = content?.signature
            entry.notBefore = state.schedule.notBefore.map { moment.wall(at: $0) }
            return (state.url, entry)
        }
        guard let kept, let cache = RemoteJSONCache(configuration, url: kept.url) else { return }
        do {
            try cacheWrites.withLock { isTidy in
                try cache.save(kept.entry)
                // After the write, whose file says what time it is there.
                if !isTidy { cache.removeAbandonedFiles() }
                isTidy = true
            }
        } catch {
            let failure = self.error(.inputOutput, "\(error)", advice: "Make room, or make the folder writable")
            update { _ in events.send(.cacheWriteFailed(failure)) }
        }
    }
}
