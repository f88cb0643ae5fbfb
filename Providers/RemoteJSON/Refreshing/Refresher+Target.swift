import Foundation
import Synchronization
package import TacklineCore
import TacklineSigning

// Foundation: `Date` is kept in the cache.

/// The target of a refresher, and what the cache has for it.
extension Refresher {
    /// Turns to another target. A document for the same subject stays in force until there is another one; every other one
    /// is withdrawn.
    ///
    /// - Parameter forgetting: Whether the former subject's document is also removed from the cache.
    package func turn(to target: RemoteTarget, forgetting: Bool = false) {
        let (old, _) = turn(to: target) { _ in }
        guard forgetting, !target.hasSameSubject(as: old) else { return }
        changeCache { _ in try RemoteCache(configuration, old)?.forget() }
    }

    /// Turns to another target, and waits for the server's answer.
    package func refresh(turningTo target: RemoteTarget) async throws(FlagError) -> FlagRefreshOutcome {
        let (_, request) = turn(to: target) { state in join(&state) }
        return try await outcome(of: request)
    }

    /// Turns to another target, and changes the state further in the same step. Returns the former target.
    private func turn<Value: Sendable>(
        to target: RemoteTarget, then body: (inout State) -> Value
    ) -> (old: RemoteTarget, Value) {
        let former = read { $0.target }
        let cached = target.hasSameSubject(as: former) ? nil : readCache(of: target)
        let result: (RemoteTarget, Value)? = change { state in
            let old = state.target
            guard old.hasSameSubject(as: former) else { return nil }
            guard target != old else { return (old, body(&state)) }
            let isOther = !target.hasSameSubject(as: old)
            giveUp("the provider turned to another subject", &state)
            (state.target, state.items, state.lastAsked, state.lastError) = (target, [], nil, nil)
            state.schedule.restart(at: state.now)
            if isOther {
                (state.staged, state.version, state.wantsWhole, state.lastEventID) = (nil, nil, false, nil)
                state.schedule.forgetStream(isSame: !configuration.isEvaluating)
                if configuration.isEvaluating { state.streamURL = nil }
                // The next launch has to know of it in whichever file it reads.
                state.effects.writesCache = state.schedule.silentUntil != nil
                // The former values are withdrawn, unless the new subject's cached values replace them in this step.
                put(nil, &state)
                take(cached, &state)
                state.effects.swap?.isOtherSubject = true
            } else {
                state.staged?.isForTarget = false
                state.active?.isForTarget = false
            }
            state.news.append(.note("turned to another \(isOther ? "subject" : "context")"))
            return (old, body(&state))
        }
        // Another call has turned meanwhile, so what was read of the cache may be wrong.
        return result ?? turn(to: target, then: body)
    }

    // MARK: The cache

    typealias CachedDocument = (entry: RemoteCacheEntry, document: Result<RemoteDocument, FlagError>?)

    /// Reads and verifies the content of the cache. It blocks on the disk.
    func readCache(of target: RemoteTarget) -> CachedDocument? {
        guard let entry = RemoteCache(configuration, target)?.load() else { return nil }
        let fields = [
            "ETag": entry.conditions["If-None-Match"], "Last-Modified": entry.conditions["If-Modified-Since"],
        ]
        let document = entry.body.map { body in
            Result { () throws(FlagError) in
                try fetcher.reader.read(body) { fields[$0] ?? entry.signature }
            }
        }
        return (entry, document)
    }

    /// Takes the content of the cache, if there is no document yet.
    func take(_ cached: CachedDocument?, _ state: inout State) {
        guard let (entry, result) = cached, state.newest == nil else { return }
        let (now, wall) = (state.now, state.moment.wall)
        let trusted = configuration.trust?.keys.map(\.id)
        let signer = entry.signers.first
        if let version = entry.version, trusted?.contains(signer ?? "") ?? (signer == nil) {
            state.version = (version, signer, (try? result?.get())?.fingerprint)
        }
        if let notBefore = entry.notBefore {
            // The wall clock may have been set.
            let rest = min(Duration.seconds(notBefore.timeIntervalSince(wall)), RetryAfter.longest)
            if rest > .zero {
                state.schedule.beSilent(for: rest, at: now, random: state.random)
                state.news.append(.throttled(until: notBefore))
            }
        }
        guard let result else { return }
        let age = Duration.seconds(wall.timeIntervalSince(entry.confirmedAt))
        do throws(FlagError) {
            let document = try result.get()
            var reason = refusal(of: document, after: state)
            if age >= RemoteJSONProvider.Configuration.timeToLive { reason = "its time to live is over" }
            if let reason { throw FlagError(.rejected, reason) }
            var held = Held(document: document, source: .cached, confirmedAt: now - max(.zero, age))
            held.isForTarget = entry.request == state.target.requestHash
            put(held, &state)
        } catch {
            state.news.append(.note("the cached document was not used: \(error.reason)"))
        }
    }

    /// The cache may have become readable and writable.
    package func unlockCache() {
        let target = read { $0.target }
        let cached = readCache(of: target)
        change { state in
            guard state.target == target else { return }
            take(cached, &state)
            state.effects.writesCache = true
        }
    }

    /// Writes what there is to keep to the cache. It blocks on the disk.
    func writeCache() {
        changeCache { moment in
            let (target, held, silentUntil, version) = read { state in
                let held = configuration.activation == .manual ? state.active : state.newest
                return (state.target, held, state.schedule.silentUntil, state.version)
            }
            var entry: RemoteCacheEntry?
            if let held, held.isForTarget {
                let document = held.document
                var new = RemoteCacheEntry(body: document.body, confirmedAt: moment.date(of: held.confirmedAt))
                // A 304 answer names no stream, so the next run has to ask without the tag.
                new.conditions = document.stream == nil ? document.conditions : [:]
                new.signature = document.signature
                new.version = document.terms.version
                let signer = document.signers.filter { $0 == version?.signer }
                new.signers = signer + document.signers.filter { !signer.contains($0) }
                new.request = target.requestHash
                entry = new
            }
            let notBefore = silentUntil.flatMap { $0 > moment.now ? moment.date(of: $0) : nil }
            if entry != nil || notBefore != nil {
                try RemoteCache(configuration, target)?.save(entry, notBefore: notBefore, at: moment.wall)
            }
        }
    }

    /// Changes the cache, one change at a time, and reports a failure.
    private func changeCache(_ body: (Moment) throws -> Void) {
        let moment = moment
        do {
            try writing.withLock { _ in try body(moment) }
        } catch {
            let error = failure(.inputOutput, "\(error)", advice: "Make room, or make the folder writable")
            change { state in if !state.hasStopped { state.news.append(.cacheWriteFailed(error)) } }
        }
    }
}
