import Foundation
import Synchronization
import TacklineCore
import TacklineSigning

/// The target of a refresher, and what the cache has for it.
extension Refresher {
    /// Turns to another target. A document for the same subject stays in force until there is another one; every other one
    /// is withdrawn.
    ///
    /// - Parameter forgetting: Whether the former subject's document is also removed from the cache.
    package func turn(to target: RemoteTarget, forgetting: Bool = false) {
        let cached = readCache(of: target)
        let old = change { state -> RemoteTarget in
            let old = state.target
            guard target != old else { return old }
            giveUp("the provider turned to another subject", &state)
            (state.target, state.lastError) = (target, nil)
            state.schedule.restart(at: state.now)
            state.schedule.forgetStream(isSame: !configuration.isEvaluating)
            // The next answer names the stream.
            if configuration.isEvaluating { state.streamURL = nil }
            if target.hasSameSubject(as: old) {
                state.staged?.isForTarget = false
                state.active?.isForTarget = false
            } else {
                (state.staged, state.version) = (nil, nil)
                // The next launch has to know of it in whichever file it reads.
                state.effects.writesCache = state.schedule.silentUntil != nil
                // The former values are withdrawn, unless the new subject's cached values replace them in this step.
                put(nil, &state)
                take(cached, &state)
                state.effects.swap?.isOtherSubject = true
            }
            return old
        }
        guard forgetting, !target.hasSameSubject(as: old) else { return }
        changeCache { _ in try RemoteCache(configuration, old)?.forget() }
    }

    // MARK: The cache

    /// Reads and verifies the content of the cache. It blocks on the disk.
    func readCache(of target: RemoteTarget) -> (entry: RemoteCacheEntry, document: RemoteDocument?)? {
        guard let entry = RemoteCache(configuration, target)?.load() else { return nil }
        guard let body = entry.body else { return (entry, nil) }
        do throws(FlagError) {
            let signature = entry.signature
            return (entry, try fetcher.read(body, signature: signature, for: target, conditions: entry.conditions))
        } catch {
            change(resumes: false) { $0.log("the cached document was not used: \(error.reason)") }
            return (entry, nil)
        }
    }

    /// Takes the content of the cache, if there is no document yet.
    func take(_ cached: (entry: RemoteCacheEntry, document: RemoteDocument?)?, _ state: inout State) {
        guard let (entry, document) = cached, state.newest == nil else { return }
        let (now, wall) = (state.now, state.moment.wall)
        let trusted = configuration.trust?.keys.map(\.id)
        let signer = entry.signers.first
        if let version = entry.version, trusted?.contains(signer ?? "") ?? (signer == nil) {
            state.version = (version, signer)
        }
        if let notBefore = entry.notBefore {
            // The wall clock may have been set.
            let rest = min(Duration.seconds(notBefore.timeIntervalSince(wall)), RetryAfter.longest)
            if rest > .zero { state.schedule.beSilent(for: rest, at: now, random: state.random) }
        }
        let age = Duration.seconds(wall.timeIntervalSince(entry.confirmedAt))
        guard var document else { return }
        let isOver = age >= RemoteJSONProvider.Configuration.timeToLive
        if let reason = isOver ? "its time to live is over" : refusal(of: document, after: state) {
            return state.log("the cached document was not used: \(reason)")
        }
        (document.confirmedAt, document.isFromCache) = (now - max(.zero, age), true)
        document.isForTarget = entry.request == state.target.requestHash
        put(document, &state)
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
            let (target, document, silentUntil, signer) = read { state in
                let document = configuration.activation == .manual ? state.active : state.newest
                return (state.target, document, state.schedule.silentUntil, state.version?.signer)
            }
            var entry: RemoteCacheEntry?
            if let document, document.isForTarget {
                var new = RemoteCacheEntry(body: document.body, confirmedAt: moment.date(of: document.confirmedAt))
                (new.version, new.request) = (document.terms.version, target.requestHash)
                // A 304 answer names no stream, so the next run has to ask without the tag.
                new.conditions = document.stream == nil ? document.conditions : [:]
                new.signature = document.signature
                // The version belongs to the first one.
                new.signers = document.signers.filter { $0 == signer } + document.signers.filter { $0 != signer }
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
            change { state in if !state.hasStopped { state.log("the cache was not written: \(error.reason)") } }
        }
    }
}
