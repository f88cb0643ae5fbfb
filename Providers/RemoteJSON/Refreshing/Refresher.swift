import Foundation
import Synchronization
package import TacklineCore

/// The part of a provider that keeps its document fresh. It sends requests when they are due or wanted, puts documents in
/// force, and keeps them in the cache.
///
/// There is at most one request. Each `refresh()` during it waits for the next one, so that no caller gets a state from
/// before its call. A request is given up when its last caller has left, unless the provider runs, and when the provider is
/// suspended, switched offline, stopped or turned to another target. What comes of it then changes nothing.
package final class Refresher: Sendable {
    package typealias Outcome = Result<FlagRefreshOutcome, FlagError>

    /// A request, for which any number of callers wait.
    final class Request: Sendable {
        let outcome = FlagPromise<Outcome>()
        let callers = Atomic(0)

        var hasCallers: Bool { callers.load(ordering: .relaxed) > 0 }
    }

    struct State {
        var target: RemoteTarget
        var schedule: RefreshSchedule
        var streamURL: URL?
        /// The wait that the stream's server wants before the next connection.
        var streamRetry = Duration.seconds(1)
        var connection: (number: Int, task: Task<Void, Never>)?
        /// The number of the last connection.
        var lastNumber = 0
        /// The document in force, and one that waits for its activation.
        var active: RemoteDocument?
        var staged: RemoteDocument?
        /// The last version that was accepted, and a key that has signed it.
        var version: (number: Int128, signer: String?)?
        var lastError: FlagError?
        /// The task of the current run.
        var runner: Task<Void, Never>?
        var hasStopped = false
        /// The request that was sent, its task, and the next one, whose callers came meanwhile.
        var request: Request?
        var task: Task<Void, Never>?
        var next: Request?
        /// Resolved by the next change, so that those who wait look again.
        var changed = FlagPromise<Void>()
        /// The state that consumers have, without its dates and ages.
        var published: RemoteJSONProvider.State?

        /// The time of the current change, and a random number from 0 to 1.
        var moment: Moment
        var random = 0.0
        /// The effects of the current change.
        var effects = Effects()

        var now: Duration { moment.now }
        /// The document whose validators are sent.
        var newest: RemoteDocument? { staged ?? active }

        /// Writes a line to the log.
        mutating func log(_ line: String) { effects.lines.append(line) }

        mutating func cancel(_ task: Task<Void, Never>?) { effects.work.append { task?.cancel() } }
    }

    /// A time on both clocks.
    package struct Moment: Sendable {
        let now: Duration
        let wall: Date

        func date(of instant: Duration) -> Date { wall.addingTimeInterval((instant - now) / .seconds(1)) }
    }

    /// The work that is left when the lock of the state is released.
    struct Effects {
        /// The document to put in force, and the request that gets the changes.
        var swap: (document: RemoteDocument?, isOtherSubject: Bool, request: Request?)?
        var lines: [String] = []
        var outcomes: [Outcome] = []
        var writesCache = false
        /// Work that may run foreign code. It is done last.
        var work: [@Sendable () -> Void] = []

        /// Gives callers the outcome of a request.
        mutating func answer(_ request: Request, _ outcome: Outcome) {
            outcomes.append(outcome)
            work.append { request.outcome.resolve(outcome) }
        }
    }

    let name: String
    let configuration: RemoteJSONProvider.Configuration
    let clock: RemoteClock
    package let store: any FlagDocumentStore
    let fetcher: DocumentFetcher
    let reporter = FlagIssueReporter.current
    private let bootstrap: PreparedFlagDocument?
    private let lineBroadcast = FlagBroadcast<String>(bufferLimit: 1024)
    private let outcomeBroadcast = FlagBroadcast<Outcome>(bufferLimit: 1024)
    private let stateBroadcast = FlagBroadcast<RemoteJSONProvider.State>(bufferLimit: 1)
    /// Held while the state is changed and values are swapped, so that both happen in one order. Readers don't wait for it.
    /// It is recursive, because an executor may run a task that waits for a value as soon as it changes.
    let changes = NSRecursiveLock()
    private let state: Mutex<State>
    /// Held while the cache is written.
    let writing = Mutex<Void>(())

    /// Creates a refresher with the values from the cache or the bootstrap.
    package init(
        name: String, target: RemoteTarget, bootstrap: FlagDocument, configuration: RemoteJSONProvider.Configuration
    ) {
        (self.name, self.configuration) = (name, configuration)
        clock = RemoteClock(configuration.clock)
        let store = configuration.format.makeStore(providerName: name)
        self.store = store
        fetcher = DocumentFetcher(configuration, clock: clock, bootstrap: bootstrap) {
            (document, json) throws(FlagError) in try store.prepare(document, json: json)
        }
        var (bootstrap, problem) = (bootstrap, FlagError?.none)
        if configuration.format.holdsValues { bootstrap.root = bootstrap.root.filter { !$0.key.hasPrefix("$") } }
        do throws(FlagError) {
            self.bootstrap = bootstrap.root.isEmpty ? nil : try store.prepare(bootstrap, json: nil)
        } catch {
            self.bootstrap = nil
            let reason = "its bootstrap is not a document in the format \(configuration.format.name): \(error.reason)"
            problem = FlagError(.rejected, provider: name, reason: reason, advice: "Correct the bootstrap of the app")
        }
        _ = self.bootstrap?()
        let moment = Moment(now: clock.now, wall: configuration.wallClock())
        let schedule = RefreshSchedule(now: moment.now, interval: configuration.effectivePollInterval)
        var state = State(target: target, schedule: schedule, moment: moment)
        state.lastError = problem
        state.streamURL = configuration.streamURL.flatMap { Origin($0) == nil ? nil : $0 }
        self.state = Mutex(state)
        configuration.reportProblems(with: target.url, provider: name, and: problem?.reason)
        store.reportIssues()
        if let log = configuration.log {
            // Foreign text must not break or flood it.
            Task { [lines = lineBroadcast.makeStream()] in
                for await line in lines { log("\(name): " + line.prefix(600).map { $0.isNewline ? " " : $0 }) }
            }
        }
        let cached = readCache(of: target)
        change { take(cached, &$0) }
    }

    // MARK: Reading the state

    func read<Result: Sendable>(_ body: (borrowing State) -> Result) -> Result { state.withLock { body($0) } }

    package var moment: Moment { Moment(now: clock.now, wall: configuration.wallClock()) }

    /// A stream of the outcome of every request from now on, for one consumer.
    package var outcomes: AsyncStream<Outcome> { outcomeBroadcast.makeStream() }

    /// A stream of the current state and each that differs from the one before, for one consumer.
    package var states: AsyncStream<RemoteJSONProvider.State> {
        changes.withLock { stateBroadcast.makeStream(beginningWith: publicState) }
    }

    /// The age of the values in force, if the server has not confirmed them for the target.
    package var unconfirmed: (age: Duration, isForTarget: Bool)? {
        let now = clock.now
        return read { state in
            guard let active = state.active, active.isFromCache || !active.isForTarget else { return nil }
            return (now - active.confirmedAt, active.isForTarget)
        }
    }

    package var publicState: RemoteJSONProvider.State {
        let moment = moment
        return read { state in
            RemoteJSONProvider.State(
                status: status(of: state, at: moment), revision: state.active?.revision,
                isFromCache: state.active?.isFromCache ?? false, isFetching: state.request != nil,
                lastSuccess: state.active.map { moment.date(of: $0.confirmedAt) }, lastError: state.lastError,
                nextAttempt: state.request == nil ? state.schedule.due.map(moment.date) : nil)
        }
    }

    private func status(of state: borrowing State, at moment: Moment) -> FlagProviderStatus {
        if state.schedule.trouble == .refused, let error = state.lastError { return .failed(error) }
        guard let active = state.active else {
            return (throttled(state, at: moment) ?? state.lastError).map { .failed($0) } ?? .notReady
        }
        let age = moment.now - active.confirmedAt
        return age >= configuration.effectiveStaleAfter || !active.isForTarget ? .stale(age: age) : .ready
    }

    /// The error of requests while the server wants none; `nil` if it does not.
    func throttled(_ state: borrowing State, at moment: Moment) -> FlagError? {
        guard let until = state.schedule.silentUntil, until > moment.now else { return nil }
        let date = moment.date(of: until).formatted(.iso8601)
        return failure(
            "throttled", "the server asked for no requests until \(date)", advice: "Call refresh() after that")
    }

    func failure(_ code: FlagError.Code, _ reason: String, advice: String) -> FlagError {
        FlagError(code, provider: name, reason: reason, advice: advice)
    }

    // MARK: Changing the state

    /// Changes the state, and does what that causes: swaps values, sends outcomes and the state, and writes the cache. Tasks
    /// that wait for a change look at the state again, unless `resumes` is `false`.
    @discardableResult
    func change<Result: Sendable>(resumes: Bool = true, _ body: (inout State) -> Result) -> Result {
        // The clocks and the random numbers may be foreign code, so they are asked before any lock is taken.
        let (moment, random) = (moment, configuration.randomNumber())
        var (effects, changed) = (Effects(), FlagPromise<Void>?.none)
        let result = changes.withLock {
            let result = state.withLock { state in
                (state.moment, state.random) = (moment, random)
                if resumes { (changed, state.changed) = (state.changed, FlagPromise()) }
                let result = body(&state)
                (effects, state.effects) = (state.effects, Effects())
                return result
            }
            swap(&effects)
            effects.lines.forEach(lineBroadcast.send)
            effects.outcomes.forEach(outcomeBroadcast.send)
            publish()
            return result
        }
        // Before what may take long: the disk, and foreign code.
        changed?.resolve(())
        if effects.swap != nil { store.reportIssues() }
        if effects.writesCache { writeCache() }
        for work in effects.work { work() }
        return result
    }

    /// Sends the state, unless only its dates and ages differ, as they do at each look.
    private func publish() {
        let new = publicState
        var bare = new
        (bare.lastSuccess, bare.nextAttempt) = (nil, new.nextAttempt.map { _ in .distantPast })
        if case .stale = bare.status { bare.status = .stale(age: .zero) }
        let isNew = state.withLock { [bare] state in
            defer { state.published = bare }
            return state.published != bare
        }
        if isNew { stateBroadcast.send(new) }
    }

    /// Puts the document of the swap in force.
    private func swap(_ effects: inout Effects) {
        guard let (document, isOtherSubject, request) = effects.swap else { return }
        let changes = document?.content() ?? bootstrap?() ?? store.clear()
        if isOtherSubject { store.announceSubjectChange() }
        let keys = Set(changes.map(\.key))
        let names = keys.map(\.text).sorted().prefix(5).joined(separator: ", ")
        effects.lines.append("\(keys.count) values changed (\(document?.revision ?? "withdrawn")): \(names)")
        if let request { effects.answer(request, .success(keys.isEmpty ? .unchanged : .changed(keys))) }
    }
}
