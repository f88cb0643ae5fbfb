import Foundation
import Synchronization
package import TacklineCore

// Foundation: `URL` and `Date` belong to requests and events.

/// What keeps the document of a provider fresh: it sends requests when they are due or wanted, puts documents in force, and
/// keeps them in the cache.
///
/// There is at most one request. A `refresh()` before it is sent joins it; later ones share the next request, so that no
/// caller gets a state from before its call. A request is given up when its last caller has left, unless the refresher wanted
/// it too, and when the provider is suspended, switched offline, stopped or turned to another target. What comes of a request
/// that was given up changes nothing.
///
/// The *newest* document is the one whose validators are sent. The *active* one is in force. They differ while a new one is
/// staged. Each has an age of its own, counted from the time when the server sent or last confirmed it.
package final class Refresher: Sendable {
    typealias Outcome = Result<FlagRefreshOutcome, FlagError>

    struct Held: Sendable {
        let document: RemoteDocument
        var confirmedAt: Duration
        var confirmedDate: Date
        /// Whether the document answers a request with the body of the target. If not, it is stale.
        var isForTarget = true
    }

    struct Fetch: Sendable {
        let number: Int
        let outcome = FlagPromise<Outcome>()
        /// The number of callers of `refresh()` that wait.
        var waiters = 0
        /// Whether the refresher wants the request itself.
        var isOwn = false
        /// The earliest time to send the request, because of the gap after the one before.
        var earliest: Duration
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
        /// Resolved to close the connection of the stream; `nil` without one.
        var closing: FlagPromise<Void>?
        /// The query items that an event of the stream gave for the next request.
        var items: [URLQueryItem] = []
        var newest: Held?
        var isStaged = false
        var active: Held?
        var source: RemoteSource?
        var isStaleReported = false
        /// The last version that was accepted, a key that has signed it, and its document.
        var version: (number: Int128, signer: String?, document: RemoteDocument?)?
        var lastError: FlagError?
        /// The number of the current run, or of the next one while there is none.
        var run = 0
        var isRunning = false
        var hasStopped = false
        var isSuspended = false
        var isOffline = false
        var fetch: Fetch?
        /// The next request, for callers that ask after the current one was sent.
        var next: Fetch?
        var lastNumber = 0
        /// The earliest time to send the last request that `refresh()` made.
        var lastAsked: Duration?
        /// Whether the next request has no conditions.
        var wantsWhole = false
        var hasWarned = false
        /// The time of the confirmation that is in the cache; `nil` if the cache must be written.
        var writtenAt: Duration?
        var readiness = FlagPromise<Bool>()
        /// Resolved when something that the run waits for may be due earlier.
        var wake = FlagPromise<Void>()
        var runner: Task<Void, Never>?
        var news: [RemoteEvent] = []
        var isSendingNews = false
        /// Whether the values in force are not yet those of the state.
        var isSwapping = false
    }

    /// What is left to do when the lock of the state is released.
    struct Effects {
        /// The time of the change on both clocks, and a random number from 0 to 1. They may be foreign code, so they are read
        /// before any lock is taken.
        let now: Duration
        let wall: Date
        let random: Double
        var swap: (document: RemoteDocument?, isOtherSubject: Bool, reportsUnchanged: Bool)?
        var cancelled: [Task<Void, Never>?] = []
        var ready: FlagPromise<Bool>?
        var settled: FlagPromise<Bool>?
        var closing: FlagPromise<Void>?
        var wake: FlagPromise<Void>?
        var answers: [(FlagPromise<Outcome>, Outcome)] = []
        /// The request that gets the changes of the swap.
        var swapped: FlagPromise<Outcome>?
        var writesCache = false
    }

    let name: String
    let configuration: RemoteJSONProvider.Configuration
    let clock: RemoteClock
    package let store: any FlagDocumentStore
    let transport: any HTTPTransport
    let fetcher: DocumentFetcher
    private let bootstrap: PreparedFlagDocument?
    private let broadcast = FlagBroadcast<RemoteEvent>(bufferLimit: 1024)
    private let reporter = FlagIssueReporter.current
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
        transport = configuration.makeTransport(provider: name)
        let store = configuration.format.makeStore(providerName: name)
        self.store = store
        let reader = RemoteDocumentReader(configuration, bootstrap: bootstrap) {
            (document, json) throws(FlagError) in try store.prepare(document, json: json)
        }
        fetcher = DocumentFetcher(configuration, transport: transport, clock: clock, reader: reader)
        var problem: String?
        var prepared: PreparedFlagDocument?
        do throws(FlagError) {
            var bootstrap = bootstrap
            if configuration.format.holdsValues, configuration.trust != nil {
                bootstrap.root = bootstrap.root.filter { !$0.key.hasPrefix("$") }
            }
            if !bootstrap.root.isEmpty { prepared = try store.prepare(bootstrap, json: nil) }
        } catch {
            problem = "its bootstrap is not a document in the format \(configuration.format.name): \(error.reason)"
        }
        self.bootstrap = prepared
        prepared?.activate()
        var state = State(target: target, schedule: RefreshSchedule(now: clock.now))
        state.lastError = problem.map { FlagError(.rejected, provider: name, reason: $0) }
        state.streamURL = configuration.streamURL.flatMap { Origin($0) == nil ? nil : $0 }
        self.state = Mutex(state)
        configuration.reportProblems(with: target.url, provider: name, and: problem)
        store.reportIssues()
        let cached = readCache(of: target)
        change { state, effects in take(cached, &state, &effects) }
    }

    // MARK: Reading the state

    func read<Result: Sendable>(_ body: (borrowing State) -> Result) -> Result { state.withLock { body($0) } }

    /// Notes the confirmation that is in the cache, or that the last write failed.
    func noteWrite(of held: Held?) {
        state.withLock { state in
            if let held, state.newest?.document !== held.document, state.active?.document !== held.document { return }
            state.writtenAt = held?.confirmedAt
        }
    }

    /// A stream of every event from now on, for one consumer.
    package var events: AsyncStream<RemoteEvent> { broadcast.makeStream() }

    /// The age of the values in force, if the server has not confirmed them for the target.
    package var unconfirmed: (age: Duration, isForTarget: Bool)? {
        let now = clock.now
        return read { state in
            guard let active = state.active, state.source == .cached || !active.isForTarget else { return nil }
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
            if let throttled = throttled(state, at: now, wall) { return .failed(throttled) }
            return state.lastError.map { .failed($0) } ?? .notReady
        }
        let age = now - active.confirmedAt
        return age >= configuration.effectiveStaleAfter || !active.isForTarget ? .stale(age: age) : .ready
    }

    package var publicState: RemoteJSONProvider.State {
        let (now, wall) = (clock.now, configuration.wallClock())
        return read { state in
            let isAwake = state.isRunning && !state.isSuspended && !state.isOffline && state.fetch == nil
            return RemoteJSONProvider.State(
                status: status(of: state, at: now, wall), revision: state.active?.document.revision,
                stagedRevision: state.isStaged ? state.newest?.document.revision : nil,
                isFromCache: state.source == .cached, isFetching: state.fetch?.isSent ?? false,
                lastSuccess: state.active?.confirmedDate, lastError: state.lastError,
                nextAttempt: isAwake ? state.schedule.due.map { date(of: $0, at: now, wall) } : nil)
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
        for task in effects.cancelled { task?.cancel() }
        effects.closing?.resolve(())
        if effects.swap != nil { store.reportIssues() }
        if effects.writesCache { writeCache() }
        sendNews()
        effects.ready?.resolve(true)
        effects.settled?.resolve(false)
        effects.wake?.resolve(())
        for (promise, outcome) in effects.answers { promise.resolve(outcome) }
        return result
    }

    /// Puts the document of the swap in force. Called while ``changes`` is held.
    private func swap(_ effects: inout Effects) {
        guard let swap = effects.swap else { return }
        let changes = swap.document?.content.activate() ?? bootstrap?.activate() ?? store.clear()
        if swap.isOtherSubject { store.announceSubjectChange() }
        let keys = Set(changes.map(\.key))
        state.withLock { state in
            state.isSwapping = false
            if !keys.isEmpty {
                let source = state.source ?? .fresh
                state.news.append(.changed(keys: keys, revision: swap.document?.revision, source: source))
            } else if swap.reportsUnchanged {
                state.news.append(.unchanged)
            }
        }
        if let promise = effects.swapped {
            effects.answers.append((promise, .success(keys.isEmpty ? .unchanged : .changed(keys))))
        }
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
                if let receive = configuration.dialect.receive { receive(event) } else { report(event) }
            }
            state.withLock { $0.isSendingNews = false }
        }
    }

    /// Reports a rejected document, once until another one is accepted.
    private func report(_ event: RemoteEvent) {
        switch event {
        case .rejected(let reason, _):
            let message = """
                The document of provider "\(name)" was rejected: \(reason). The values stay as they were. Correct the \
                document on the server.
                """
            reporter.report(FlagError("rejected-document", message, provider: name))
        case .changed(_, _, .fresh), .unchanged, .ready(.fresh), .staged:
            reporter.resolve("rejected-document", provider: name)
        default: break
        }
    }

    /// Ends the waits of the run, which then looks again at what is due.
    func wake(_ state: inout State, _ effects: inout Effects) {
        guard effects.wake == nil else { return }
        effects.wake = state.wake
        state.wake = FlagPromise()
    }

    // MARK: Life

    /// Begins a run. Returns its number, or `nil` if there is one already.
    private func begin() -> Int? {
        change { state, effects in
            guard !state.isRunning else { return nil }
            if state.hasStopped || state.schedule.isFinal { state.schedule.request(at: effects.now) }
            (state.isRunning, state.hasStopped) = (true, false)
            state.stream.closed(at: effects.now)
            return state.run
        }
    }

    /// Ends a run, or the current one.
    package func stop(_ number: Int? = nil) {
        change { state, effects in
            guard state.isRunning, number == nil || number == state.run else { return }
            (state.isRunning, state.hasStopped) = (false, true)
            state.run += 1
            giveUp("the provider was stopped", &state, &effects)
            settle(&state, &effects)
            state.news.append(.stopped)
            effects.cancelled.append(state.runner)
            state.runner = nil
            wake(&state, &effects)
        }
    }

    package func start() {
        guard let number = begin() else { return }
        let runner = Task { await keepFresh(number) }
        let isCurrent = change { state, _ in
            guard state.isRunning, state.run == number else { return false }
            state.runner = runner
            return true
        }
        if !isCurrent { runner.cancel() }
    }

    package func run() async throws {
        guard let number = begin() else {
            throw FlagError(
                "already-running", provider: name, reason: "run() was called while it runs already",
                advice: "Let one task run it, or call start() alone")
        }
        await keepFresh(number)
        throw CancellationError()
    }

    /// Sends requests and reads the stream until the run ends or the task is cancelled.
    private func keepFresh(_ number: Int) async {
        let network = NetworkWatch { [weak self] in self?.networkReturned() }
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await self.followStream(number) }
            while !Task.isCancelled, let (instant, wake) = step(number) { await clock.wait(until: instant, or: wake) }
            group.cancelAll()
        }
        withExtendedLifetime(network) {}
        let request = read { $0.run == number ? $0.fetch?.task : nil }
        stop(number)
        await request?.value
    }

    /// Does what is due, and returns the time of the next step and a promise that ends the wait for it; `nil` after the end
    /// of the run.
    private func step(_ number: Int) -> (Duration?, FlagPromise<Void>)? {
        change { state, effects in
            guard state.isRunning, state.run == number else { return nil }
            let now = effects.now
            var instants = [age(&state, &effects)]
            if state.fetch == nil, !state.isSuspended, !state.isOffline, let due = state.schedule.due {
                if due <= now {
                    state.fetch = newFetch(at: now, &state)
                    state.fetch?.isOwn = true
                    startFetch(&state)
                } else {
                    instants.append(due)
                }
            }
            return (instants.compactMap(\.self).min(), state.wake)
        }
    }

    private func networkReturned() {
        change { state, effects in
            guard state.isRunning, !state.isSuspended, !state.isOffline else { return }
            let requests = state.schedule.networkReturned(at: effects.now)
            let stream = state.stream.networkReturned(at: effects.now)
            guard requests || stream else { return }
            state.news.append(.note("the network may have returned"))
            wake(&state, &effects)
        }
    }

    package func suspend() {
        change { state, effects in
            guard !state.isSuspended else { return }
            state.isSuspended = true
            if !state.hasStopped { state.news.append(.suspended) }
            giveUp("the provider was suspended", &state, &effects)
            wake(&state, &effects)
        }
    }

    /// Ends a suspension. Values that are older than a minute are refreshed at once.
    package func resume() {
        change { state, effects in
            guard state.isSuspended else { return }
            state.isSuspended = false
            if !state.hasStopped { state.news.append(.resumed) }
            state.wantsWhole = configuration.isEvaluating && state.streamURL != nil
            let isOld = state.active.map { effects.now - $0.confirmedAt >= .seconds(60) } ?? true
            if state.isRunning, state.wantsWhole || isOld {
                state.schedule.request(at: effects.now, endsFinalRefusal: false)
            }
            wake(&state, &effects)
        }
    }

    package var isOffline: Bool {
        get { read { $0.isOffline } }
        set {
            change { state, effects in
                guard newValue != state.isOffline else { return }
                state.isOffline = newValue
                state.news.append(.note(newValue ? "switched offline" : "switched online"))
                if newValue {
                    giveUp("the provider was switched offline", &state, &effects)
                } else if state.isRunning {
                    state.schedule.request(at: effects.now, endsFinalRefusal: false)
                }
                settle(&state, &effects)
                wake(&state, &effects)
            }
        }
    }

    /// Ends the waits for values if there are none to be expected.
    func settle(_ state: inout State, _ effects: inout Effects) {
        guard !isHopeful(state), state.readiness.value == nil else { return }
        effects.settled = state.readiness
        state.readiness = FlagPromise()
    }

    /// Whether there may be values soon: no document is staged, the server doesn't refuse, and requests are made.
    private func isHopeful(_ state: borrowing State) -> Bool {
        if state.active != nil || state.fetch != nil || state.next != nil { return true }
        if case .refused? = state.schedule.trouble { return false }
        return !state.hasStopped && !state.isOffline && !state.isStaged
    }

    package func waitUntilReady(timeout: Duration) async -> Bool {
        let (promise, mayCome) = read { ($0.readiness, isHopeful($0)) }
        if promise.value == true { return true }
        guard mayCome, timeout > .zero else { return false }
        await clock.wait(until: clock.now + timeout, or: promise)
        return promise.value ?? false
    }
}
