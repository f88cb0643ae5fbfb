package import Foundation
import Synchronization
package import TacklineCore

// Foundation: `URL` and `Date` belong to requests and events.

/// The driver of a ``RefreshMachine``. It carries out the machine's effects, and connects its state to clocks, tasks,
/// files and observers.
///
/// Every event goes through ``send(_:)``. Under one lock the machine handles it, values are swapped, and then events
/// are enqueued, so an observer sees the values of each event that it receives. Foreign code and slow work run after
/// the lock was released: tasks are cancelled, files are written, log lines are written, and callers are answered.
///
/// The driver is an object of its own, so that its tasks do not keep the provider alive. Releasing the provider ends
/// them.
package final class RefreshDriver: Sendable {
    typealias Outcome = Result<FlagRefreshOutcome, FlagError>

    struct State {
        var machine: RefreshMachine
        /// The promises of requests, by number.
        var outcomes: [Int: FlagPromise<Outcome>] = [:]
        /// The promise of values, for callers that wait for values or a staged document.
        var readiness = FlagPromise<Bool>()
        /// The promise that is resolved when the current run ends.
        var ending = FlagPromise<Void>()
        /// The current tasks by number, including the request, the stream and the timer.
        var workers: [Int: Task<Void, Never>] = [:]
        var lastWorker = 0
        var request: Int?
        var stream: Int?
        var timer: Int?
        var lastWrite = 0
    }

    let name: String
    let configuration: RemoteJSONConfiguration
    let time: MonotonicTime
    package let store: any FlagDocumentStore
    let events: EventBroadcaster
    let transport: any HTTPTransport
    /// The document in force until there is another one; `nil` for none.
    let bootstrap: PreparedFlagDocument?
    let cacheWriter = CacheWriter()
    /// The writes that failed, by the path of the file.
    let unwritten = Mutex<[String: (number: Int, writing: RefreshMachine.CacheWriting)]>([:])
    private let network = Mutex<NetworkWatch?>(nil)
    let issues: RemoteIssues
    /// The lock is held while an event is handled and its effects are carried out.
    private let state: Mutex<State>
    /// A copy of the machine after the last event, so that reading its state never waits for a swap.
    private let view: Mutex<RefreshMachine>

    /// Makes a driver with the values from the cache or the bootstrap.
    package init(name: String, url: URL, subject: String?, configuration: RemoteJSONConfiguration) {
        self.name = name
        self.configuration = configuration
        time = MonotonicTime(configuration.clock)
        store = configuration.format.makeStore(providerName: name)
        events = EventBroadcaster(prefix: name, log: configuration.log)
        issues = RemoteIssues(provider: name)
        let moment = RefreshMachine.Moment(now: time.now, wall: configuration.wallClock(), random: 0)
        var machine = RefreshMachine(
            url: url, subject: subject, rules: RefreshRules(name: name, configuration), at: moment)
        transport = configuration.transport ?? Self.standardTransport(name)
        bootstrap = Self.prepareBootstrap(configuration, store, provider: name, &machine.lastError)
        bootstrap?.activate()
        if configuration.readsCacheAtOnce { machine.cache = .reading }
        state = Mutex(State(machine: machine))
        view = Mutex(machine)
        store.reportIssues()
        if configuration.readsCacheAtOnce { send(.cacheRead(machine.address, readCache(of: machine.address))) }
    }

    /// Reports what is wrong with the configuration.
    package func reportProblems() {
        var problems = configuration.problems(with: machine.url)
        if let error = machine.lastError { problems.append(error.reason) }
        issues.report(problems)
    }

    /// Returns the best transport for the platform.
    static func standardTransport(_ provider: String) -> any HTTPTransport {
        #if canImport(FoundationNetworking) && canImport(CTacklineCurl)
            if let transport = CurlTransport() { return transport }
            reportFallback(provider, once: hasFallenBack)
        #endif
        return URLSessionTransport()
    }

    /// Reports that a server can end the process.
    ///
    /// - Parameter hasReported: Whether it was reported, since once in a program suffices.
    static func reportFallback(_ provider: String, once hasReported: borrowing Mutex<Bool>) {
        let isFirst = hasReported.withLock { hasReported in
            defer { hasReported = true }
            return !hasReported
        }
        guard isFirst else { return }
        let message =
            "Provider \"\(provider)\" carries its requests with URLSession, since there is no libcurl in this process "
            + "(7.68 or later; a program that is linked statically has none). On this system a server that closes a "
            + "connection in the middle of its header ends a process that uses URLSession. Link dynamically, or set "
            + "configuration.transport."
        FlagIssueReporter.current.report(FlagError(.init("transport-fallback"), message, provider: provider))
    }

    private static let hasFallenBack = Mutex(false)

    /// Prepares the document that was shipped with the program.
    private static func prepareBootstrap(
        _ configuration: RemoteJSONConfiguration, _ store: any FlagDocumentStore, provider: String,
        _ failure: inout FlagError?
    ) -> PreparedFlagDocument? {
        guard !configuration.bootstrap.root.isEmpty else { return nil }
        var bootstrap = configuration.bootstrap
        do throws(FlagError) {
            if configuration.trust != nil, configuration.format.holdsValues {
                bootstrap.root = bootstrap.root.filter { !$0.key.hasPrefix("$") }
            }
            return try store.prepare(bootstrap, json: nil)
        } catch {
            failure = FlagError(
                .rejected, provider: provider,
                reason: "its bootstrap is not a document in the format \(configuration.format.name): \(error.reason)",
                advice: "Correct what is shipped with the program")
            return nil
        }
    }

    // MARK: Reading the state

    /// The current state of the machine, for reading.
    var machine: RefreshMachine { view.withLock { $0 } }

    /// The age of the values in force, if they come from the cache and the server has not confirmed them.
    var cacheAge: Duration? {
        view.withLock { $0.documents.source == .cached ? $0.documents.active?.confirmedAt : nil }.map { time.now - $0 }
    }

    /// The time since the server sent or last confirmed the values in force; `nil` if there are none.
    package var confirmationAge: Duration? {
        view.withLock { $0.documents.active?.confirmedAt }.map { time.now - $0 }
    }

    /// The rest of the time for which the server wants no requests; `nil` if it is over.
    package var remainingSilence: Duration? {
        view.withLock { $0.schedule.silence?.until }.map { $0 - time.now }.flatMap { $0 > .zero ? $0 : nil }
    }

    var moment: RefreshMachine.Moment {
        RefreshMachine.Moment(now: time.now, wall: configuration.wallClock(), random: configuration.randomNumber())
    }

    // MARK: Changing the state

    /// The result of an event, for its sender.
    struct Reply: Sendable {
        /// The request that the event has joined, and its number.
        var joined: (number: Int, outcome: FlagPromise<Outcome>)?
        var refusal: FlagError?
        var didSwap = false
        var ending: FlagPromise<Void>?
    }

    @discardableResult
    func send(_ event: RefreshMachine.Event) -> Reply {
        // The clocks may be foreign code, so they are read before the lock is taken.
        let moment = moment
        var reply = Reply()
        var rest = Rest()
        state.withLock { state in
            let wasRunning = state.machine.isRunning
            let effects = state.machine.handle(event, at: moment)
            if !wasRunning, state.machine.isRunning { state.ending = FlagPromise() }
            reply.ending = state.ending
            var outcome = FlagRefreshOutcome.unchanged
            for effect in effects { carryOut(effect, &state, &rest, &reply, &outcome) }
            let machine = state.machine
            view.withLock { $0 = machine }
            // Events are sent last, so that a consumer that receives one finds the new state.
            events.send(rest.news)
        }
        finish(rest)
        return reply
    }

    /// The work that is left when the lock is released.
    private struct Rest {
        var cancelled: [Task<Void, Never>] = []
        var ready: FlagPromise<Bool>?
        var settled: FlagPromise<Bool>?
        var ended: FlagPromise<Void>?
        var writes: [(number: Int, writing: RefreshMachine.CacheWriting)] = []
        var answers: [(FlagPromise<Outcome>, Outcome)] = []
        var didSwap = false
        /// The events and log lines, which are enqueued before the lock is released.
        var news: [EventBroadcaster.News] = []
    }

    private func carryOut(
        _ effect: RefreshMachine.Effect, _ state: inout State, _ rest: inout Rest, _ reply: inout Reply,
        _ outcome: inout FlagRefreshOutcome
    ) {
        switch effect {
        case .readCache(let address):
            begin(&state) { driver in
                let cached = driver.readCache(of: address)
                driver.send(.cacheRead(address, cached))
            }
        case .request(let number, let url, let current):
            state.request = begin(&state) { driver in
                let result = await driver.fetcher(of: number).fetch(url, current: current)
                driver.send(.response(number, result))
            }
        case .cancelRequest: cancel(\.request, &state, &rest)
        case .connect(let number, let url, let memory):
            state.stream = begin(&state) { driver in
                let reader = EventStreamReader(configuration: driver.configuration, transport: driver.transport)
                let end = await reader.read(url, memory) { driver.send(.stream(number, $0)) }
                driver.send(.stream(number, end))
            }
        case .disconnect: cancel(\.stream, &state, &rest)
        case .arm(let instant):
            cancel(\.timer, &state, &rest)
            guard let instant else { return }
            state.timer = begin(&state) { driver in
                guard (try? await driver.time.sleep(until: instant)) != nil else { return }
                driver.send(.timer)
            }
        case .swap(let swap):
            let changes = swap.document?.content.activate() ?? bootstrap?.activate() ?? store.clear()
            if swap.isOtherSubject { store.announceSubjectChange() }
            let keys = Set(changes.map(\.key))
            outcome = keys.isEmpty ? .unchanged : .changed(keys)
            rest.news += swap.first.map { .event($0) }
            if !keys.isEmpty {
                rest.news.append(.event(.changed(keys: keys, revision: swap.document?.revision, source: swap.source)))
            } else if swap.tellsUnchanged {
                rest.news.append(.event(.unchanged))
            }
            rest.didSwap = true
            reply.didSwap = true
        case .writeCache(let writing):
            state.lastWrite += 1
            rest.writes.append((state.lastWrite, writing))
        case .tell(let event): rest.news.append(.event(event))
        case .warn(let line): rest.news.append(.warning(line))
        case .ignored(let reason): rest.news.append(.warning("nothing was done: \(reason)"))
        case .ready(true): rest.ready = state.readiness
        case .ready(false):
            rest.ready = nil
            if state.readiness.value != nil { state.readiness = FlagPromise() }
        case .settled:
            guard state.readiness.value == nil else { return }
            rest.settled = state.readiness
            state.readiness = FlagPromise()
        case .joined(let number):
            let promise = state.outcomes[number] ?? FlagPromise()
            state.outcomes[number] = promise
            reply.joined = (number, promise)
        case .refused(let error): reply.refusal = error
        case .answer(let number, let answer):
            let result: Outcome =
                switch answer {
                case .swapped: .success(outcome)
                case .outcome(let outcome): .success(outcome)
                case .failure(let error): .failure(error)
                }
            if let promise = state.outcomes.removeValue(forKey: number) { rest.answers.append((promise, result)) }
        case .ended: rest.ended = state.ending
        }
    }

    private func finish(_ rest: Rest) {
        for task in rest.cancelled { task.cancel() }
        // Failed writes are repeated before newer ones.
        if !rest.answers.isEmpty { retryWrites() }
        for (number, writing) in rest.writes { writeCache(writing, number) }
        events.drainLog()
        for case .event(let event) in rest.news {
            if let dialect = configuration.dialect { dialect.tell(event) } else { issues.take(event) }
        }
        if rest.didSwap { store.reportIssues() }
        rest.ready?.resolve(true)
        rest.settled?.resolve(false)
        rest.ended?.resolve(())
        for (promise, outcome) in rest.answers { promise.resolve(outcome) }
    }

    // MARK: Workers

    /// Starts a task and registers it until it ends.
    @discardableResult
    private func begin(_ state: inout State, _ work: @escaping @Sendable (RefreshDriver) async -> Void) -> Int {
        state.lastWorker += 1
        let number = state.lastWorker
        state.workers[number] = Task {
            await work(self)
            _ = self.state.withLock { $0.workers.removeValue(forKey: number) }
        }
        return number
    }

    private func cancel(_ worker: WritableKeyPath<State, Int?>, _ state: inout State, _ rest: inout Rest) {
        if let number = state[keyPath: worker], let task = state.workers[number] { rest.cancelled.append(task) }
        state[keyPath: worker] = nil
    }

    /// Changes the address, with the content of its cache.
    @discardableResult
    func turn(_ change: RemoteAddressChange) -> Reply {
        var change = change
        let present = machine.address
        let address = change.applied(to: present)
        if configuration.readsCacheAtOnce, address != present { change.cached = (address, readCache(of: address)) }
        return send(.turned(change))
    }

    /// Starts to observe the network, once.
    func watchNetwork() {
        guard network.withLock({ $0 == nil }) else { return }
        let watch = NetworkWatch { [weak self] in
            guard let self, machine.lacksNetwork else { return }
            send(.networkReturned)
        }
        network.withLock { $0 = $0 ?? watch }
    }

    // MARK: Waiting

    /// Asks the server, as ``RemoteJSONProvider/refresh()`` does.
    @discardableResult
    package func refresh() async throws(FlagError) -> FlagRefreshOutcome {
        try await outcome(send(.refreshAsked))
    }

    /// Waits for the end of the request that a call has joined.
    func outcome(_ reply: Reply) async throws(FlagError) -> FlagRefreshOutcome {
        guard let joined = reply.joined else {
            throw reply.refusal
                ?? FlagError(
                    .cancelled, provider: name, reason: "the refresh was not started", advice: "Call refresh() again")
        }
        if let result = await joined.outcome.wait() { return try result.get() }
        send(.waiterLeft(joined.number))
        // The answer may have arrived at the same moment.
        let left = "the task that waited for the answer was cancelled"
        throw FlagError(
            .cancelled, provider: name, reason: left, advice: "Ask again in a task that is not cancelled")
    }

    func run() async throws {
        watchNetwork()
        let reply = send(.started)
        if let refusal = reply.refusal { throw refusal }
        // The wait ends with `stop()` or a cancellation of the task.
        if await reply.ending?.wait() == nil { send(.stopped) }
        for task in state.withLock({ $0.workers.values.filter(\.isCancelled) }) { await task.value }
        throw CancellationError()
    }

    func waitUntilReady(timeout: Duration) async -> Bool {
        let (promise, isHopeful) = state.withLock { ($0.readiness, $0.machine.isHopeful) }
        if promise.value == true { return true }
        guard isHopeful, timeout > .zero else { return false }
        _ = await within(timeout, on: time) { await promise.wait() != nil }
        return promise.value ?? false
    }
}
