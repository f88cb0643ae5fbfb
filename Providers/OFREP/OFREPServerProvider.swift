#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif
import Synchronization
public import TacklineCore

import TacklineRemoteJSON
public import TacklineTargeting

// Foundation: `URL` is what applications have.

/// A provider whose values a server evaluates for each request's context, by OpenFeature's remote evaluation protocol (OFREP 0.3):
/// for servers, where there are many users at a time.
///
/// ```swift
/// let remote = try OFREPServerProvider(baseURL: url)
/// let flags = FlagsLoader(ShopFlags.self, providers: [remote])       // one for the process
///
/// await remote.withEvaluation(for: ["targetingKey": request.userID]) {   // waits for the server, once
///     flags.newCheckout ? "new" : "old"                              // reads wait for nothing
/// }
/// ```
///
/// All flags of a context come with one request, for all who ask for that context meanwhile, and are kept for
/// ``maximumAge``. What a request was given stays as it is until its end. Outside ``withEvaluation(for:operation:)`` the provider
/// has no values.
///
/// Safe from any thread.
public final class OFREPServerProvider: FlagProvider {
    private struct Kept: Sendable {
        var evaluation: OFREPEvaluation
        var fetched: DocumentSource.Fetched
        var at: Duration
    }

    private struct Flight: Sendable {
        var number: Int
        var result = Promise<Result<OFREPEvaluation, FlagProviderError>>()
        var task: Task<Void, Never>?
        var waiters = 0
    }

    private struct State {
        var kept: ContextCache<Kept>
        var flights: [EvaluationContext: Flight] = [:]
        var lastFlight = 0
        /// Before this the server wants to hear nothing.
        var silentUntil: Duration?
        var failure: FlagProviderError?
    }

    /// Its name in messages and explanations, and its id in a chain.
    public let name: String
    /// How long an evaluation is taken for the present one.
    public let maximumAge: Duration
    /// For how long after that it counts all the same where the server cannot be asked.
    public let staleIfError: Duration
    private let maximumRequests: Int
    private let endpoint: OFREPEndpoint
    private let source: DocumentSource
    private let issues: OFREPIssues
    private let state: Mutex<State>

    /// Makes a provider. Nothing is sent before ``evaluate(for:)`` or ``withEvaluation(for:operation:)``.
    ///
    /// - Parameters:
    ///   - baseURL: The server's URL up to `/ofrep`, by http or https.
    ///   - name: Its name in messages and explanations, and its id in a chain.
    ///   - maximumContexts: For how many contexts evaluations are kept. Those that were not asked for of late go first.
    ///   - maximumAge: How long an evaluation is taken for the present one. After that the server is asked again, with its tag.
    ///   - staleIfError: For how long after that it counts all the same where the server cannot be asked, with the reason `STALE`
    ///     (as RFC 5861 has it for HTTP). By default not at all: flags have what the next provider says, or their defaults.
    ///   - maximumRequests: How many requests may be on their way at once. What would be more fails at once, as `busy`.
    ///   - configuration: How requests are made. Nothing is kept on disk, and no stream is followed.
    /// - Throws: ``/TacklineCore/FlagProviderError`` with the code `invalid-url`.
    public init(
        baseURL: URL, name: String = "OFREPServerProvider", maximumContexts: Int = 1000,
        maximumAge: Duration = .seconds(30), staleIfError: Duration = .zero, maximumRequests: Int = 256,
        configuration: OFREPConfiguration = OFREPConfiguration()
    ) throws(FlagProviderError) {
        self.name = name
        self.maximumAge = maximumAge
        self.staleIfError = staleIfError
        self.maximumRequests = max(1, maximumRequests)
        endpoint = try OFREPEndpoint(baseURL, provider: name)
        let reporter = FlagIssueReporter.current
        issues = OFREPIssues(provider: name, reporter: reporter)
        // What is wrong with a flag is wrong for every context; it is told by this provider, once.
        let remote = configuration.remote(endpoint, OFREPHints(), provider: name, .silent)
        source = DocumentSource(remote, provider: name)
        state = Mutex(State(kept: ContextCache(limit: maximumContexts)))
    }

    // MARK: Evaluating

    /// Runs an operation whose reads go by one evaluation for a context: the one that is kept, or the server's answer, which is
    /// waited for first.
    ///
    /// It holds for this task and its children. Where the server cannot be asked, the operation runs all the same, without values:
    /// flags have those of other providers, or their defaults, and `explain()` says why.
    ///
    /// - Parameters:
    ///   - context: Whom flags are evaluated for.
    ///   - operation: What reads flags.
    /// - Returns: What the operation returned.
    /// - Throws: What the operation throws.
    public func withEvaluation<Success, Failure: Error>(
        for context: EvaluationContext, operation: () async throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        let evaluation: OFREPEvaluation
        do throws(FlagProviderError) {
            evaluation = try await evaluate(for: context)
        } catch {
            evaluation = OFREPEvaluation(name: name, context: context, answer: OFREPAnswer(), error: error)
        }
        var all = OFREPEvaluation.current
        all[ObjectIdentifier(self)] = evaluation
        let result: Result<Success, Failure> = await OFREPEvaluation.$current.withValue(all) {
            do throws(Failure) { return .success(try await operation()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Returns the evaluation of all flags for a context: the one that is kept, or the server's answer.
    ///
    /// Those who ask for one context at a time share a request. It is given up when the last of them is cancelled.
    ///
    /// - Throws: ``/TacklineCore/FlagProviderError``: `network`, `rejected`, `misconfigured`, `throttled` before the end of the
    ///   silence that the server asked for, `busy`, or `cancelled`.
    public func evaluate(for context: EvaluationContext) async throws(FlagProviderError) -> OFREPEvaluation {
        let now = source.now
        let flight: Flight
        switch state.withLock({ join(context, at: now, &$0) }) {
        case .kept(let evaluation): return evaluation
        case .flight(let joined): flight = joined
        case .refused(let error):
            if error.code == "busy" { issues.busy(error.reason) }
            throw error
        }
        if let result = await flight.result.wait() { return try result.get() }
        leave(flight, context)
        throw FlagProviderError(
            .cancelled, provider: name, reason: "the task that waited for an evaluation was cancelled")
    }

    private enum Joined: Sendable {
        case kept(OFREPEvaluation)
        case flight(Flight)
        case refused(FlagProviderError)
    }

    private func join(_ context: EvaluationContext, at now: Duration, _ state: inout State) -> Joined {
        let kept = state.kept[context]
        if let kept, now - kept.at < maximumAge { return .kept(kept.evaluation) }
        if state.flights[context] != nil {
            state.flights[context]?.waiters += 1
            return state.flights[context].map { .flight($0) } ?? .refused(tooMany)
        }
        if let until = state.silentUntil, until > now {
            if let stale = stale(kept, at: now) { return .kept(stale) }
            let reason = "the server asked for silence for \(until - now) more"
            return .refused(FlagProviderError("throttled", provider: name, reason: reason))
        }
        guard state.flights.count < maximumRequests else { return .refused(tooMany) }
        state.lastFlight += 1
        var flight = Flight(number: state.lastFlight)
        flight.waiters = 1
        let number = flight.number
        flight.task = Task { await self.fetch(context, kept, number) }
        state.flights[context] = flight
        return .flight(flight)
    }

    /// What is kept, where it may count although the server cannot be asked.
    private func stale(_ kept: Kept?, at now: Duration) -> OFREPEvaluation? {
        guard let kept, now - kept.at < maximumAge + staleIfError else { return nil }
        return kept.evaluation.stale
    }

    private var tooMany: FlagProviderError {
        FlagProviderError(
            "busy", provider: name, reason: "\(maximumRequests) evaluations are on their way already",
            advice: "Raise maximumRequests, or look at why the server is slow")
    }

    private func leave(_ left: Flight, _ context: EvaluationContext) {
        let given = state.withLock { state -> Flight? in
            guard var flight = state.flights[context], flight.number == left.number else { return nil }
            flight.waiters -= 1
            state.flights[context] = flight.waiters > 0 ? flight : nil
            return flight.waiters > 0 ? nil : flight
        }
        given?.task?.cancel()
    }

    private func fetch(_ context: EvaluationContext, _ kept: Kept?, _ number: Int) async {
        let (url, problem) = endpoint.url(for: context)
        if let problem { issues.context(problem) }
        let answer = await source.fetch(url, current: kept?.fetched)
        let now = source.now
        var result: Result<OFREPEvaluation, FlagProviderError>
        var new: Kept?
        var silence: Duration?
        switch (answer, kept) {
        case (.document(let fetched), _):
            let own = (fetched.store as? OFREPStore)?.answer ?? OFREPAnswer()
            issues.flags(own.problems)
            let evaluation = OFREPEvaluation(name: name, context: context, answer: own)
            new = Kept(evaluation: evaluation, fetched: fetched, at: now)
            result = .success(evaluation)
        case (.unchanged, let kept?):
            new = Kept(evaluation: kept.evaluation, fetched: kept.fetched, at: now)
            result = .success(kept.evaluation)
        case (.unchanged, nil):
            let reason = "the server confirmed what nobody has"
            result = .failure(FlagProviderError(.network, provider: name, reason: reason))
        case (.failed(let error, let retryAfter), _):
            silence = retryAfter
            result = .failure(error)
        }
        let promise = state.withLock { state -> Promise<Result<OFREPEvaluation, FlagProviderError>>? in
            guard let flight = state.flights[context], flight.number == number else { return nil }
            state.flights[context] = nil
            if let new { state.kept[context] = new }
            if let silence { state.silentUntil = max(state.silentUntil ?? .zero, now + silence) }
            state.failure = if case .failure(let error) = result { error } else { nil }
            return flight.result
        }
        // Nobody waits any more; a server that was not waited for is no failure.
        guard let promise else { return }
        switch result {
        case .success: issues.take(.unchanged)
        case .failure(let error) where error.code == .rejected:
            issues.take(.rejected(reason: error.reason, status: 200))
        case .failure(let error): issues.take(.failed(error, attempt: 1, retryAt: nil))
        }
        if case .failure = result, let stale = stale(kept, at: now) { result = .success(stale) }
        promise.resolve(result)
    }

    // MARK: Reading

    /// The evaluation that the present task goes by; `nil` outside ``withEvaluation(for:operation:)``.
    public var evaluation: OFREPEvaluation? { OFREPEvaluation.current[ObjectIdentifier(self)] }

    /// Returns the value that the server gave for the context of the present task, or `nil`.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { evaluation?.value(for: key) }

    /// The value with variant, reason and metadata, or what went wrong.
    public func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue {
        evaluation?.detailedValue(for: key) ?? DetailedFlagValue(value: nil)
    }

    /// Dependent on the task.
    public var kind: FlagProviderKind { .taskDependent }

    /// Tells an observer that values depend on the task, so that flags ask at each read.
    public func observe(_ observer: FlagProviderObserver) -> Bool { false }

    /// `failed` after an evaluation that failed, `ready` after one that did not, and before the first.
    public var status: FlagProviderStatus { state.withLock { $0.failure }.map { .failed($0) } ?? .ready }

    /// How many wait for the server.
    var waiterCount: Int { state.withLock { $0.flights.values.reduce(0) { $0 + $1.waiters } } }

    /// For how many contexts there are evaluations.
    var keptCount: Int { state.withLock { $0.kept.count } }
}
