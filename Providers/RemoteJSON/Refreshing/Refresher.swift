import Foundation
import Synchronization
package import TacklineCore

// Foundation: `URL` and `Date` belong to requests and events.

/// The part of a provider that keeps its document fresh. It sends requests when they are due or wanted, puts documents in
/// force, and keeps them in the cache.
///
/// There is at most one request. A `refresh()` before it is sent joins it; later ones share the next request, so that no
/// caller gets a state from before its call. A request is given up when its last caller has left, unless the refresher wanted
/// it too, and when the provider is suspended, switched offline, stopped or turned to another target. What comes of a request
/// that was given up changes nothing.
package final class Refresher: Sendable {
    typealias Outcome = Result<FlagRefreshOutcome, FlagError>

    /// A document, and the time at which the server sent or last confirmed it.
    struct Held: Sendable {
        let document: RemoteDocument
        var source: RemoteSource
        var confirmedAt: Duration
        /// Whether the document answers a request with the body of the target. If not, it is stale.
        var isForTarget = true
    }

    struct Fetch: Sendable {
        let number: Int
        /// The earliest time to send the request, because of the gap after the one before.
        let earliest: Duration
        let outcome = FlagPromise<Outcome>()
        /// The number of callers of `refresh()` that wait.
        var waiters = 0
        /// Whether the refresher wants the request itself.
        var isOwn = false
        var isSent = false
        var current: RemoteDocument?
        var items: [URLQueryItem] = []
        var task: Task<Void, Never>?
    }

    struct State {
        var target: RemoteTarget
        var schedule: RefreshSchedule
        var streamURL: URL?
        var stream = StreamSchedule()
        /// The id and the wait of the stream's last events.
        var lastEventID: String?
        var streamRetry = Duration.seconds(1)
        var connection: (number: Int, task: Task<Void, Never>)?
        /// The query items that an event of the stream gave for the next request.
        var items: [URLQueryItem] = []
        /// The document in force, and one that waits for its activation.
        var active: Held?
        var staged: Held?
        var isStaleReported = false
        /// The last version that was accepted, a key that has signed it, and its document.
        var version: (number: Int128, signer: String?, document: RemoteDocument?)?
        var lastError: FlagError?
        /// The number of the current run, or of the next one while there is none.
        var run = 0
        var runner: Task<Void, Never>?
        var isRunning = false
        var hasStopped = false
        var isSuspended = false
        var isOffline = false
        /// The request that is on its way or is sent next, and one for callers that asked after the first was sent.
        var fetches: [Fetch] = []
        /// The number of the last request or connection.
        var lastNumber = 0
        /// The earliest time to send the last request that `refresh()` made.
        var lastAsked: Duration?
        /// Whether the next request has no conditions.
        var wantsWhole = false
        var hasWarned = false
        /// Resolved when something that the run waits for may be due earlier.
        var wake = FlagPromise<Void>()
        var news: [RemoteEvent] = []
        var isSendingNews = false
        /// Whether the values in force are not yet those of the state.
        var isSwapping = false

        /// The document whose validators are sent.
        var newest: Held? { staged ?? active }
        var mayAsk: Bool { isRunning && !isSuspended && !isOffline }
    }

    /// The work that is left when the lock of the state is released.
    struct Effects {
        /// The time of the change on both clocks, and a random number from 0 to 1. They may be foreign code, so they are read
        /// before any lock is taken.
        let now: Duration
        let wall: Date
        let random: Double
        /// The document to put in force, and the request that gets the changes.
        var swap: (document: RemoteDocument?, isOtherSubject: Bool, asked: FlagPromise<Outcome>?)?
        var writesCache = false
        var others: [@Sendable () -> Void] = []

        mutating func answer(_ fetch: Fetch, _ outcome: Outcome) {
            others.append { fetch.outcome.resolve(outcome) }
        }

        mutating func cancel(_ task: Task<Void, Never>?) { others.append { task?.cancel() } }
    }

    let name: String
    let configuration: RemoteJSONProvider.Configuration
    let clock: RemoteClock
    package let store: any FlagDocumentStore
    let fetcher: DocumentFetcher
    let issues: RemoteIssues
    private let bootstrap: PreparedFlagDocument?
    private let broadcast = FlagBroadcast<RemoteEvent>(bufferLimit: 1024)
    /// Held while the state is changed and values are swapped, so that both happen in one order. Readers don't wait for it.
    private let changes = Mutex<Void>(())
    private let state: Mutex<State>
    /// Held while the cache is written.
    let writing = Mutex<Void>(())

    /// Creates a refresher with the values from the cache or the bootstrap.
    package init(
        name: String, target: RemoteTarget, bootstrap: FlagDocument, configuration: RemoteJSONProvider.Configuration
    ) {
        (self.name, self.configuration) = (name, configuration)
        clock = RemoteClock(configuration.clock)
        issues = RemoteIssues(provider: name)
        let store = configuration.format.makeStore(providerName: name)
        self.store = store
        let reader = RemoteDocumentReader(configuration, bootstrap: bootstrap) {
            (document, json) throws(FlagError) in try store.prepare(document, json: json)
        }
        fetcher = DocumentFetcher(
            configuration, transport: configuration.effectiveTransport, clock: clock, reader: reader)
        var (bootstrap, problem) = (bootstrap, FlagError?.none)
        if configuration.format.holdsValues, configuration.trust != nil {
            bootstrap.root = bootstrap.root.filter { !$0.key.hasPrefix("$") }
        }
        do throws(FlagError) {
            self.bootstrap = bootstrap.root.isEmpty ? nil : try store.prepare(bootstrap, json: nil)
        } catch {
            self.bootstrap = nil
            let reason = "its bootstrap is not a document in the format \(configuration.format.name): \(error.reason)"
            problem = FlagError(.rejected, provider: name, reason: reason, advice: "Correct the bootstrap of the app")
        }
        _ = self.bootstrap?()
        var state = State(target: target, schedule: RefreshSchedule(now: clock.now))
        state.lastError = problem
        state.streamURL = configuration.streamURL.flatMap { Origin($0) == nil ? nil : $0 }
        self.state = Mutex(state)
        configuration.reportProblems(with: target.url, provider: name, and: problem?.reason)
        store.reportIssues()
        let cached = readCache(of: target)
        change { state, effects in take(cached, &state, &effects) }
    }

    // MARK: Reading the state

    func read<Result: Sendable>(_ body: (borrowing State) -> Result) -> Result { state.withLock { body($0) } }

    /// A stream of every event from now on, for one consumer.
    package var events: AsyncStream<RemoteEvent> { broadcast.makeStream() }

    /// The age of the values in force, if the server has not confirmed them for the target.
    package var unconfirmed: (age: Duration, isForTarget: Bool)? {
        let now = clock.now
        return read { state in
            guard let active = state.active, active.source == .cached || !active.isForTarget else { return nil }
            return (now - active.confirmedAt, active.isForTarget)
        }
    }

    /// The name of the user whose values are in force; `nil` while they change.
    package var label: String?? { read { $0.isSwapping ? nil : .some($0.target.label) } }

    package var status: FlagProviderStatus {
        let (now, wall) = (clock.now, configuration.wallClock())
        return read { status(of: $0, at: now, wall) }
    }

    private func status(of state: borrowing State, at now: Duration, _ wall: Date) -> FlagProviderStatus {
        if case .refused? = state.schedule.trouble, let error = state.lastError { return .failed(error) }
        guard let active = state.active else {
            return (throttled(state, at: now, wall) ?? state.lastError).map { .failed($0) } ?? .notReady
        }
        let age = now - active.confirmedAt
        return age >= configuration.effectiveStaleAfter || !active.isForTarget ? .stale(age: age) : .ready
    }

    package var publicState: RemoteJSONProvider.State {
        let (now, wall) = (clock.now, configuration.wallClock())
        return read { state in
            let due = state.mayAsk && state.fetches.isEmpty ? state.schedule.due : nil
            return RemoteJSONProvider.State(
                status: status(of: state, at: now, wall), revision: state.active?.document.revision,
                stagedRevision: state.staged?.document.revision, isFromCache: state.active?.source == .cached,
                isFetching: state.fetches.first?.isSent ?? false,
                lastSuccess: state.active.map { date(of: $0.confirmedAt, at: now, wall) },
                lastError: state.lastError, nextAttempt: due.map { date(of: $0, at: now, wall) })
        }
    }

    func date(of instant: Duration, at now: Duration, _ wall: Date) -> Date {
        wall.addingTimeInterval((instant - now) / .seconds(1))
    }

    func throttled(_ state: borrowing State, at now: Duration, _ wall: Date) -> FlagError? {
        guard let until = state.schedule.silentUntil, until > now else { return nil }
        let date = date(of: until, at: now, wall).formatted(.iso8601)
        return FlagError(
            "throttled", provider: name, reason: "the server asked for no requests until \(date)",
            advice: "Call refresh() after that")
    }

    // MARK: Changing the state

    /// Changes the state, and does what that causes: swaps values, writes the cache, and resumes those who wait.
    @discardableResult
    func change<Result: Sendable>(_ body: (inout State, inout Effects) -> Result) -> Result {
        let random = min(max(configuration.randomNumber(), 0), 1)
        var effects = Effects(now: clock.now, wall: configuration.wallClock(), random: random)
        let result = changes.withLock { _ in
            let result = state.withLock { state in
                let result = body(&state, &effects)
                state.isSwapping = effects.swap != nil
                return result
            }
            swap(&effects)
            return result
        }
        if effects.swap != nil { store.reportIssues() }
        if effects.writesCache { writeCache() }
        sendNews()
        for work in effects.others { work() }
        return result
    }

    /// Puts the document of the swap in force. Called while ``changes`` is held.
    private func swap(_ effects: inout Effects) {
        guard let swap = effects.swap else { return }
        let changes = swap.document?.content() ?? bootstrap?() ?? store.clear()
        if swap.isOtherSubject { store.announceSubjectChange() }
        let keys = Set(changes.map(\.key))
        state.withLock { state in
            state.isSwapping = false
            if !keys.isEmpty {
                let source = state.active?.source ?? .fresh
                state.news.append(.changed(keys: keys, revision: swap.document?.revision, source: source))
            } else if swap.asked != nil {
                state.news.append(.unchanged)
            }
        }
        guard let asked = swap.asked else { return }
        effects.others.append { asked.resolve(.success(keys.isEmpty ? .unchanged : .changed(keys))) }
    }

    /// Sends the events that wait, in order and on one thread at a time, without a lock.
    private func sendNews() {
        while true {
            let news = state.withLock { state in
                guard !state.isSendingNews, !state.news.isEmpty else { return [RemoteEvent]() }
                state.isSendingNews = true
                defer { state.news = [] }
                return state.news
            }
            guard !news.isEmpty else { return }
            for event in news {
                broadcast.send(event)
                configuration.log?("\(name): \(event)")
            }
            state.withLock { $0.isSendingNews = false }
        }
    }

    /// Ends the waits of the run, which then looks again at what is due.
    func wake(_ state: inout State, _ effects: inout Effects) {
        effects.others.append { [wake = state.wake] in wake.resolve(()) }
        state.wake = FlagPromise()
    }
}
