#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import Synchronization
import TacklineCore
import TacklineFormats

// Foundation: `URL` and `Date` belong to requests and events.

/// Carries out what a ``RefreshMachine`` decides: the only place where its state meets clocks, tasks, files and observers.
///
/// Every event goes through ``send(_:)``. Under one lock the machine handles it, values are swapped, and then events are
/// enqueued; so nobody sees a swap without what is told of it, or hears of what is not so yet. What may run code of somebody
/// else's, or wait, comes after the lock was left: tasks are cancelled, files written, the log is told, callers are answered.
///
/// An object of its own, so that its tasks do not keep the provider alive, whose end is the end of them.
final class RefreshDriver: Sendable {
    typealias Outcome = Result<FlagRefreshOutcome, FlagProviderError>

    struct State {
        var machine: RefreshMachine
        /// Those who wait for the request on its way, and for values.
        var outcome = Promise<Outcome>()
        var readiness = Promise<Void>()
        /// Resolved when the present run is over.
        var ending = Promise<Void>()
        /// What works at present, by number; the request, the stream and the timer among them.
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
    let store: any FlagDocumentStore
    let events: EventBroadcaster
    let transport: any HTTPTransport
    /// What is in force until there is something better; `nil` for nothing.
    let bootstrap: PreparedFlagDocument?
    let cacheWriter = CacheWriter()
    /// Held while an event is handled and its effects are carried out.
    private let state: Mutex<State>
    /// The machine as the last event left it, so that whoever only looks never waits for a swap.
    private let view: Mutex<RefreshMachine>

    init(name: String, url: URL, configuration: RemoteJSONConfiguration) {
        self.name = name
        self.configuration = configuration
        time = MonotonicTime(configuration.clock)
        store = configuration.format.makeStore(providerName: name)
        events = EventBroadcaster(prefix: name, log: configuration.log)
        let moment = RefreshMachine.Moment(now: time.now, wall: configuration.wallClock(), random: 0)
        var machine = RefreshMachine(url: url, rules: RefreshRules(name: name, configuration), at: moment)
        transport = configuration.transport ?? Self.standardTransport(name)
        bootstrap = Self.prepareBootstrap(configuration, store, provider: name, &machine.lastError)
        bootstrap?.activate()
        state = Mutex(State(machine: machine))
        view = Mutex(machine)
        store.reportIssues()
    }

    /// What suits the platform best.
    static func standardTransport(_ provider: String) -> any HTTPTransport {
        #if canImport(FoundationNetworking) && canImport(CTacklineCurl)
            if let transport = CurlTransport() { return transport }
            reportFallback(provider, once: hasFallenBack)
        #endif
        return URLSessionTransport()
    }

    /// Tells that a server can end the process.
    ///
    /// - Parameter hasReported: Whether it was told, which need be only once in a program.
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
        FlagIssueReporter.current.report(FlagIssue(.init("transport-fallback"), message: message, provider: provider))
    }

    private static let hasFallenBack = Mutex(false)

    /// Checks the document that was shipped with the program.
    private static func prepareBootstrap(
        _ configuration: RemoteJSONConfiguration, _ store: any FlagDocumentStore, provider: String,
        _ failure: inout FlagProviderError?
    ) -> PreparedFlagDocument? {
        guard !configuration.bootstrap.root.isEmpty else { return nil }
        var bootstrap = configuration.bootstrap
        if configuration.trust != nil, configuration.format.holdsValues {
            bootstrap.removeMembers { $0.hasPrefix("$") }
        }
        do throws(FlagDocumentError) {
            return try store.prepare(bootstrap)
        } catch {
            failure = FlagProviderError(
                .rejected, provider: provider,
                reason: "its bootstrap is no document in the format \(configuration.format.name): \(error.reason)",
                advice: "Correct what is shipped with the program")
            return nil
        }
    }

    // MARK: Looking

    /// The machine as it is, for questions.
    var machine: RefreshMachine { view.withLock { $0 } }

    var moment: RefreshMachine.Moment {
        RefreshMachine.Moment(now: time.now, wall: configuration.wallClock(), random: configuration.randomNumber())
    }

    // MARK: The one way to change the state

    /// The result of an event, for whoever sent it.
    struct Reply {
        /// What to wait for, with its number.
        var joined: (number: Int, outcome: Promise<Outcome>)?
        var refusal: FlagProviderError?
        var didSwap = false
        var ending: Promise<Void>?
    }

    @discardableResult
    func send(_ event: RefreshMachine.Event) -> Reply {
        // The clocks may be somebody else's code, so they are asked before the lock is taken.
        let moment = moment
        var reply = Reply()
        var rest = Rest()
        state.withLock { state in
            let wasRunning = state.machine.isRunning
            let effects = state.machine.handle(event, at: moment)
            if !wasRunning, state.machine.isRunning { state.ending = Promise() }
            reply.ending = state.ending
            var outcome = FlagRefreshOutcome.unchanged
            for effect in effects { carryOut(effect, &state, &rest, &reply, &outcome) }
            let machine = state.machine
            view.withLock { $0 = machine }
            // Last, so that whoever hears of something finds it so.
            events.send(rest.news)
        }
        finish(rest)
        return reply
    }

    /// What is done when the lock was left.
    private struct Rest {
        var cancelled: [Task<Void, Never>] = []
        var ready: Promise<Void>?
        var ended: Promise<Void>?
        var writes: [(number: Int, writing: RefreshMachine.CacheWriting)] = []
        var answers: [(Promise<Outcome>, Outcome)] = []
        var didSwap = false
        /// Told before the lock is left.
        var news: [EventBroadcaster.News] = []
    }

    private func carryOut(
        _ effect: RefreshMachine.Effect, _ state: inout State, _ rest: inout Rest, _ reply: inout Reply,
        _ outcome: inout FlagRefreshOutcome
    ) {
        switch effect {
        case .readCache(let url):
            begin(&state) { driver in
                let cached = driver.readCache(of: url)
                driver.send(.cacheRead(url, cached))
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
            if state.readiness.value != nil { state.readiness = Promise() }
        case .joined(let number): reply.joined = (number, state.outcome)
        case .refused(let error): reply.refusal = error
        case .answer(_, let answer):
            let result: Outcome =
                switch answer {
                case .swapped: .success(outcome)
                case .outcome(let outcome): .success(outcome)
                case .failure(let error): .failure(error)
                }
            rest.answers.append((state.outcome, result))
            state.outcome = Promise()
        case .ended: rest.ended = state.ending
        }
    }

    private func finish(_ rest: Rest) {
        for task in rest.cancelled { task.cancel() }
        for (number, writing) in rest.writes { writeCache(writing, number) }
        events.drainLog()
        if let dialect = configuration.dialect {
            for case .event(let event) in rest.news { dialect.tell(event) }
        }
        if rest.didSwap { store.reportIssues() }
        rest.ready?.resolve(())
        rest.ended?.resolve(())
        for (promise, outcome) in rest.answers { promise.resolve(outcome) }
    }

    // MARK: Workers

    /// Begins a task that is known until it ends.
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

    // MARK: What callers wait for

    func refresh() async throws(FlagProviderError) -> FlagRefreshOutcome {
        let reply = send(.refreshAsked)
        guard let joined = reply.joined else {
            throw reply.refusal ?? FlagProviderError(.cancelled, provider: name, reason: "the refresh was not started")
        }
        if let result = await joined.outcome.wait() { return try result.get() }
        send(.waiterLeft(joined.number))
        // The answer may have come in the same moment.
        let left = "the task that waited for a refresh was cancelled"
        throw FlagProviderError(.cancelled, provider: name, reason: left)
    }

    func run() async throws {
        let reply = send(.started)
        if let refusal = reply.refusal { throw refusal }
        // Until somebody stops it, or until the task is cancelled.
        if await reply.ending?.wait() == nil { send(.stopped) }
        for task in state.withLock({ $0.workers.values.filter(\.isCancelled) }) { await task.value }
        throw CancellationError()
    }

    func waitUntilReady(timeout: Duration) async -> Bool {
        let promise = state.withLock { $0.readiness }
        if promise.value != nil { return true }
        guard timeout > .zero else { return false }
        _ = await within(timeout, on: time) { await promise.wait() != nil }
        return promise.value != nil
    }
}
