import Synchronization
import TacklineCore

extension RemoteJSONEngine {
    private enum Step {
        case fetch
        case join(SharedFetch)
        case announceStale
        case withdraw
        case wait(until: Duration?)
    }

    /// Polls, and follows the stream if there is one, until the task is cancelled.
    func run() async throws {
        guard beginRun() else {
            let advice = "Let one task run it, or call start() alone"
            throw error("already-running", "run() was called while it runs already", advice: advice)
        }
        await loadCacheOnce()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.poll() }
            if let url = configuration.streamURL {
                group.addTask { await self.followStream(at: url) }
            }
        }
        endRun()
        throw CancellationError()
    }

    private func beginRun() -> Bool {
        update { state in
            guard state.life != .running else { return false }
            if state.life == .stopped { state.schedule.trigger(at: time.now) }
            state.life = .running
            return true
        }
    }

    private func endRun() {
        // Whoever swaps values holds the lock; what comes later finds its fetch gone.
        commit {
            cancelFetch("the provider was stopped")
            locked { state in
                state.life = .stopped
                events.send(.stopped)
            }
        }
    }

    private func poll() async {
        while !Task.isCancelled {
            switch nextStep() {
            case .fetch:
                await loadCacheOnce()
                guard let fetch = try? join(isManual: false) else { continue }
                _ = try? await wait(for: fetch)
            case .join(let fetch):
                _ = await fetch.outcome.wait()
            case .announceStale:
                announceStale()
            case .withdraw:
                withdraw()
            case .wait(let instant):
                await pollWakeup.wait(until: instant, on: time)
            }
        }
    }

    private func nextStep() -> Step {
        update { state in
            let now = time.now
            let expiry = state.validatedAt.map { $0 + configuration.cacheTimeToLive }
            if let expiry, expiry <= now { return .withdraw }
            let staleness =
                state.isStaleAnnounced ? nil : state.validatedAt.map { $0 + configuration.effectiveStaleAfter }
            if let staleness, staleness <= now { return .announceStale }
            var instants = [expiry, staleness]
            if !state.isSuspended, !state.isOffline {
                if let fetch = state.fetch { return .join(fetch) }
                if let due = state.schedule.due, due <= now { return .fetch }
                instants.append(state.schedule.due)
            }
            return .wait(until: instants.compactMap { $0 }.min())
        }
    }

    private func announceStale() {
        let moment = moment
        update { state in
            guard let validatedAt = state.validatedAt, !state.isStaleAnnounced else { return }
            state.isStaleAnnounced = true
            events.send(.stale(since: moment.wall(at: validatedAt)))
        }
    }

    /// Takes back values that the server has not confirmed for so long that nobody should go by them.
    private func withdraw() {
        commit { withdrawWhileCommitting() }
    }

    /// Takes all values back to what was shipped with the program, for callers inside ``commit(_:)``.
    func withdrawWhileCommitting() {
        let changes = revertToBootstrap()
        locked { state in
            let source = state.source ?? .cached
            state.newest = nil
            state.staged = nil
            state.active = nil
            state.source = nil
            state.validatedAt = nil
            state.validatedDate = nil
            state.isStaleAnnounced = false
            guard !changes.isEmpty else { return }
            events.send(.changed(keys: Set(changes.map(\.key)), revision: nil, source: source))
        }
        becomeUnready()
    }
}
