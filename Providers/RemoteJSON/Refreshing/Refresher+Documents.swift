import Foundation
import Synchronization
package import TacklineCore
import TacklineSigning

// Foundation: `Date` is kept in the cache.

extension Refresher {
    /// Returns the reason why a document must not be accepted after earlier ones; `nil` if it may be. Of signed documents
    /// only those by the same key are compared, so a document by another trusted key begins anew.
    func refusal(of document: RemoteDocument, after state: borrowing State) -> String? {
        guard let last = state.version else { return nil }
        guard let version = document.version else {
            return "it has no $version, and the last one had \(last.number); add one"
        }
        if let signer = last.signer, !document.signers.contains(signer) { return nil }
        if version < last.number {
            return "its $version \(version) is older than \(last.number), which was accepted before; raise it"
        }
        guard version == last.number, last.signer != nil, let known = last.document, known.payload != document.payload
        else { return nil }
        return "its $version \(version) is that of another document, which was accepted before; raise it"
    }

    private func remember(_ document: RemoteDocument, _ state: inout State) {
        guard let version = document.version else { return }
        let signer =
            state.version?.signer.flatMap { document.signers.contains($0) ? $0 : nil } ?? document.signers.first
        state.version = (version, signer, document)
    }

    // MARK: From the server

    func accept(_ document: RemoteDocument, _ fetch: Fetch, _ state: inout State, _ effects: inout Effects) {
        let held = Held(document: document, confirmedAt: effects.now, confirmedDate: effects.wall)
        (state.newest, state.wantsWhole, state.writtenAt) = (held, false, nil)
        remember(document, &state)
        if configuration.isEvaluating { follow(document.stream, &state, &effects) }
        state.isStaged = configuration.activation != .immediate
        effects.writesCache = configuration.activation != .manual
        guard state.isStaged else {
            put(held, .fresh, &state, &effects)
            effects.swap?.reportsUnchanged = true
            effects.swapped = fetch.outcome
            return
        }
        state.news.append(.staged(document.revision))
        settle(&state, &effects)
        effects.answers.append((fetch.outcome, .success(.staged)))
    }

    /// Handles an answer without a newer document than the one whose validators were sent.
    func confirm(_ fetch: Fetch, _ state: inout State, _ effects: inout Effects) {
        if var newest = state.newest, newest.document === fetch.current {
            (newest.confirmedAt, newest.confirmedDate) = (effects.now, effects.wall)
            state.newest = newest
            if state.active?.document === newest.document {
                state.active = newest
                if state.source != .fresh || state.isStaleReported { state.news.append(.ready(.fresh)) }
                (state.source, state.isStaleReported) = (.fresh, false)
            }
            let isKept = configuration.activation != .manual || !state.isStaged
            // What is kept is written at most hourly, unless the last write failed.
            effects.writesCache = isKept && (state.writtenAt.map { effects.now - $0 >= .seconds(3600) } ?? true)
        } else {
            // The document was withdrawn during the request, so the whole document is requested.
            state.schedule.request(at: effects.now)
        }
        state.news.append(.unchanged)
        effects.answers.append((fetch.outcome, .success(.unchanged)))
    }

    // MARK: In force

    package func activate() -> Bool {
        change { state, effects in
            guard state.isStaged, let staged = state.newest else { return false }
            state.isStaged = false
            guard effects.now - staged.confirmedAt < RemoteJSONProvider.Configuration.timeToLive else {
                state.newest = nil
                return false
            }
            state.news.append(.activated(staged.document.revision))
            put(staged, .fresh, &state, &effects)
            effects.writesCache = configuration.activation == .manual
            return true
        }
    }

    /// Puts a document in force.
    private func put(_ held: Held, _ source: RemoteSource, _ state: inout State, _ effects: inout Effects) {
        let wasFresh = state.source == .fresh && !state.isStaleReported
        (state.active, state.source, state.isStaleReported) = (held, source, false)
        let isFresh = source == .fresh && effects.now - held.confirmedAt < configuration.effectiveStaleAfter
        if source == .cached || isFresh && !wasFresh { state.news.append(.ready(source)) }
        let isOther = effects.swap?.isOtherSubject ?? false
        effects.swap = (held.document, isOther, false)
        effects.ready = state.readiness
    }

    /// Handles the age of the active document, which may have become stale or expired, and returns the time of the next
    /// such change.
    func age(_ state: inout State, _ effects: inout Effects) -> Duration? {
        guard let active = state.active else { return nil }
        let now = effects.now
        let expiry = active.confirmedAt + RemoteJSONProvider.Configuration.timeToLive
        let staleness = active.confirmedAt + configuration.effectiveStaleAfter
        if now >= expiry {
            if let newest = state.newest, newest.confirmedAt <= active.confirmedAt { state.newest = nil }
            withdraw(isOtherSubject: false, &state, &effects)
            return nil
        }
        if now >= staleness, !state.isStaleReported {
            state.isStaleReported = true
            state.news.append(.stale(since: active.confirmedDate))
        }
        return state.isStaleReported ? expiry : min(expiry, staleness)
    }

    /// Withdraws the active document, so that the values are those of the bootstrap.
    private func withdraw(isOtherSubject: Bool, _ state: inout State, _ effects: inout Effects) {
        (state.active, state.isStaleReported) = (nil, false)
        state.isStaged = state.isStaged && state.newest != nil
        effects.swap = (nil, isOtherSubject, false)
        if state.readiness.value != nil { state.readiness = FlagPromise() }
    }

    // MARK: Another target

    /// Turns to another target. A document for the same subject stays in force until there is another one; every other one
    /// is withdrawn.
    ///
    /// - Parameters:
    ///   - forgetting: Whether the former subject's document is also removed from the cache.
    ///   - isAwaited: Whether a caller waits for the server's answer.
    /// - Returns: A closure that waits for that answer, if there is one to wait for.
    @discardableResult
    package func turn(
        forgetting: Bool = false, isAwaited: Bool = false, _ edit: (inout RemoteTarget) -> Void
    ) -> @Sendable () async throws(FlagError) -> FlagRefreshOutcome {
        let old = read { $0.target }
        var target = old
        edit(&target)
        let isOther = !target.hasSameSubject(as: old)
        let cached = isOther ? readCache(of: target) : nil
        let fetch: Result<Fetch, FlagError>? = change { state, effects in
            if target != state.target {
                giveUp("the provider turned to another subject", &state, &effects)
                state.target = target
                (state.items, state.lastAsked, state.lastError) = ([], nil, nil)
                state.schedule.restart(at: effects.now)
                if isOther {
                    turn(cached, &state, &effects)
                } else {
                    state.newest?.isForTarget = false
                    state.active?.isForTarget = false
                }
                state.news.append(.note("turned to another \(isOther ? "subject" : "context")"))
                wake(&state, &effects)
            }
            return isAwaited ? join(&state, effects) : nil
        }
        if forgetting, isOther {
            changeCache { wall in try RemoteCache(configuration, old)?.removeDocument(at: wall) }
        }
        return { [self] () async throws(FlagError) in
            guard let fetch else { return .unchanged }
            return try await outcome(of: fetch.get())
        }
    }

    private func turn(_ cached: CachedDocument?, _ state: inout State, _ effects: inout Effects) {
        (state.newest, state.isStaged, state.version, state.writtenAt) = (nil, false, nil, nil)
        state.wantsWhole = false
        (state.lastEventID, state.stream) = (nil, StreamSchedule())
        if configuration.isEvaluating { state.streamURL = nil }
        // The former values are withdrawn, unless the new subject's cached values replace them in this step.
        withdraw(isOtherSubject: true, &state, &effects)
        state.source = nil
        take(cached, &state, &effects)
    }

    // MARK: The cache

    /// The content of a cache, read and verified.
    struct CachedDocument: Sendable {
        var entry: RemoteCacheEntry
        var document: RemoteDocument?
        var reason: String?
        var isForTarget: Bool
    }

    /// Reads and verifies the content of the cache. It blocks on the disk.
    func readCache(of target: RemoteTarget) -> CachedDocument? {
        guard let entry = RemoteCache(configuration, target)?.load() else { return nil }
        let isForTarget = entry.request == target.body.map { Checksum($0).text }
        var cached = CachedDocument(entry: entry, isForTarget: isForTarget)
        guard let body = entry.body else { return cached }
        do throws(FlagError) {
            cached.document = try fetcher.reader.read(body) { [configuration] name in
                switch name {
                case "ETag": entry.entityTag
                case "Last-Modified": entry.lastModified
                default: name == configuration.signatureField ? entry.signature : nil
                }
            }
        } catch {
            cached.reason = error.reason
        }
        return cached
    }

    /// Takes the content of the cache, if there is no document yet.
    func take(_ cached: CachedDocument?, _ state: inout State, _ effects: inout Effects) {
        guard let cached, state.newest == nil else { return }
        let (entry, now, wall) = (cached.entry, effects.now, effects.wall)
        let trusted = configuration.trust?.keys.map(\.id)
        if let version = entry.version,
            trusted == nil ? entry.signer == nil : trusted?.contains(entry.signer ?? "") ?? false
        {
            state.version = (version, entry.signer, cached.document)
        }
        if let notBefore = entry.notBefore {
            // The wall clock may have been set.
            let rest = min(Duration.seconds(notBefore.timeIntervalSince(wall)), RetryAfter.longest)
            if rest > .zero {
                state.schedule.beSilent(for: rest, at: now, random: effects.random)
                state.news.append(.throttled(until: notBefore))
            }
        }
        guard entry.body != nil else { return }
        let age = Duration.seconds(wall.timeIntervalSince(entry.confirmedAt))
        var reason = cached.reason ?? cached.document.flatMap { refusal(of: $0, after: state) }
        if age >= RemoteJSONProvider.Configuration.timeToLive { reason = "its time to live is over" }
        // The age of a document from the future isn't known. Clocks may differ by five minutes.
        if age < .seconds(-300) { reason = "it is from the future by the device's clock" }
        guard let document = cached.document, reason == nil else {
            return state.news.append(.note("the cached document was not used: \(reason ?? "")"))
        }
        let held = Held(
            document: document, confirmedAt: now - max(.zero, age), confirmedDate: entry.confirmedAt,
            isForTarget: cached.isForTarget)
        (state.newest, state.isStaged, state.writtenAt) = (held, false, held.confirmedAt)
        put(held, .cached, &state, &effects)
    }

    /// The cache may have become readable and writable.
    package func unlockCache() {
        let target = read { $0.target }
        let cached = readCache(of: target)
        change { state, effects in
            guard state.target == target else { return }
            take(cached, &state, &effects)
            effects.writesCache = state.newest != nil && state.writtenAt == nil
        }
    }

    /// Writes what there is to keep to the cache. It blocks on the disk.
    func writeCache() {
        changeCache { wall in
            let now = clock.now
            let (target, held, silentUntil) = read { state in
                let isKept = configuration.activation != .manual || !state.isStaged
                let held = (isKept ? state.newest : state.active).flatMap { $0.isForTarget ? $0 : nil }
                return (state.target, held, state.schedule.silentUntil)
            }
            guard let cache = RemoteCache(configuration, target) else { return }
            if let held {
                let document = held.document
                var entry = RemoteCacheEntry(body: document.body, confirmedAt: held.confirmedDate)
                // A 304 answer names no stream, so the next run has to ask without the tag.
                entry.entityTag = document.stream == nil ? document.validators.entityTag : nil
                (entry.lastModified, entry.signature) = (document.validators.lastModified, document.signature)
                entry.version = document.version
                entry.signer = read { state in
                    let signer = state.version?.signer ?? ""
                    return document.signers.contains(signer) ? signer : document.signers.first
                }
                entry.request = target.body.map { Checksum($0).text }
                try cache.save(entry, at: wall)
                noteWrite(of: held)
            }
            if let silentUntil, silentUntil > now {
                try cache.setNotBefore(date(of: silentUntil, at: now, wall), at: wall)
            }
            if let count = configuration.dialect.maximumKept { cache.removeOldest(keeping: count) }
        }
    }

    /// Changes the cache, one change at a time, and reports a failure.
    private func changeCache(_ body: (Date) throws -> Void) {
        let wall = configuration.wallClock()
        let failure: FlagError? = writing.withLock { _ in
            do {
                try body(wall)
                return nil
            } catch {
                return FlagError(
                    .inputOutput, provider: name, reason: "\(error)", advice: "Make room, or make the folder writable")
            }
        }
        guard let failure else { return }
        noteWrite(of: nil)
        change { state, _ in if !state.hasStopped { state.news.append(.cacheWriteFailed(failure)) } }
    }
}
