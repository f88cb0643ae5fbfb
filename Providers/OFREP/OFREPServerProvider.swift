public import Foundation
import Synchronization
public import TacklineCore

import TacklineRemoteJSON
public import TacklineTargeting

// Foundation: `URL` is the type that applications use.

/// A provider for servers with many users at a time. A flag server evaluates its values for the context of each
/// request, by OpenFeature's remote evaluation protocol (OFREP 0.3).
///
/// ```swift
/// let remote = try OFREPServerProvider(baseURL: url)
/// let flags = FlagsLoader(ShopFlags.self, providers: [remote])       // one for the process
///
/// await remote.withEvaluation(for: ["targetingKey": request.userID]) {   // waits for the server, once
///     flags.newCheckout ? "new" : "old"                              // reads never wait
/// }
/// ```
///
/// All flags of a context come with one request, which concurrent callers for that context share, and are kept for
/// ``maximumAge``. The values for a request don't change until its end. Outside ``withEvaluation(for:operation:)`` the
/// provider has no values.
///
/// The provider may be used from any thread.
public final class OFREPServerProvider: FlagProvider {
    private struct Kept: Sendable {
        var evaluation: OFREPEvaluation
        var fetched: DocumentSource.Fetched
        var at: Duration
    }

    private struct Flight: Sendable {
        var number: Int
        var result = FlagPromise<Result<OFREPEvaluation, FlagProviderError>>()
        var task: Task<Void, Never>?
        var waiters = 0
    }

    private struct State {
        var kept: RecentValues<EvaluationContext, Kept>
        var flights: [EvaluationContext: Flight] = [:]
        var lastFlight = 0
        /// The server asked for no requests before this time.
        var silentUntil: Duration?
        var failure: FlagProviderError?
    }

    /// The provider's name in messages and explanations, and its id in a chain.
    public let name: String
    /// The time for which an evaluation counts as current.
    public let maximumAge: Duration
    /// The time after that for which an evaluation is still used if the server cannot be asked.
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
    ///   - name: The provider's name in messages and explanations, and its id in a chain.
    ///   - maximumContexts: The number of contexts whose evaluations are kept. A new one replaces the least recently
    ///     used one.
    ///   - maximumAge: The time for which an evaluation counts as current. After it the server is asked again, with the
    ///     evaluation's tag.
    ///   - staleIfError: The time after `maximumAge` for which an evaluation is still used if the server cannot be
    ///     asked, with the reason `STALE` (as in RFC 5861 for HTTP). With zero, the default, flags then have the next
    ///     provider's values or their defaults.
    ///   - maximumRequests: The greatest number of concurrent requests. A further one fails at once with `busy`.
    ///   - configuration: The settings of requests. Nothing is kept on disk, and no stream is followed.
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
        // A problem with a flag is the same in every context, so this provider reports it once.
        let remote = configuration.remote(endpoint, OFREPHints(), provider: name, .silent)
        source = DocumentSource(remote, provider: name)
        state = Mutex(State(kept: RecentValues(limit: maximumContexts)))
    }

    // MARK: Evaluating

    /// Runs an operation that reads flags from one evaluation for a context: the current one, or the server's answer,
    /// for which it waits first.
    ///
    /// The evaluation applies to this task and its children. If the server cannot be asked, the operation runs without
    /// values: flags have those of other providers or their defaults, and `explain()` gives the reason.
    ///
    /// - Parameters:
    ///   - context: The context for which flags are evaluated.
    ///   - operation: The operation that reads flags.
    /// - Returns: The result of the operation.
    /// - Throws: The error of the operation.
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

    /// Returns the evaluation of all flags for a context: the current one, or the server's answer.
    ///
    /// Concurrent calls for one context share a request. It is cancelled when the last of their tasks is cancelled.
    ///
    /// - Throws: ``/TacklineCore/FlagProviderError``: `network`, `rejected`, `misconfigured`, `throttled` while the
    ///   server has asked for no requests, `busy`, or `cancelled`.
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
            .cancelled, provider: name, reason: "the task that waited for an evaluation was cancelled",
            advice: "Evaluate in a task that is not cancelled")
    }

    private enum Joined: Sendable {
        case kept(OFREPEvaluation)
        case flight(Flight)
        case refused(FlagProviderError)
    }

    private func join(_ context: EvaluationContext, at now: Duration, _ state: inout State) -> Joined {
        let kept = state.kept.value(for: context)
        if let kept, now - kept.at < maximumAge { return .kept(kept.evaluation) }
        if state.flights[context] != nil {
            state.flights[context]?.waiters += 1
            return state.flights[context].map { .flight($0) } ?? .refused(tooMany)
        }
        if let until = state.silentUntil, until > now {
            if let stale = stale(kept, at: now) { return .kept(stale) }
            let reason = "the server asked for no requests for another \((until - now).roundedText)"
            let advice = "Evaluate after that, or raise staleIfError, so that older answers are used until then"
            return .refused(FlagProviderError("throttled", provider: name, reason: reason, advice: advice))
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

    /// Returns the kept evaluation if it may be used although the server cannot be asked.
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
            let reason = "the server answered 304, and there is no earlier answer that it could confirm"
            let advice = "Let the server, and proxies before it, answer 304 only to requests with If-None-Match"
            result = .failure(FlagProviderError(.network, provider: name, reason: reason, advice: advice))
        case (.failed(let error, let retryAfter), _):
            silence = retryAfter
            result = .failure(error)
        }
        var replaced: Kept?
        defer { withExtendedLifetime(replaced) {} }
        let promise = state.withLock { state -> FlagPromise<Result<OFREPEvaluation, FlagProviderError>>? in
            guard let flight = state.flights[context], flight.number == number else { return nil }
            state.flights[context] = nil
            if let new { replaced = state.kept.setValue(new, for: context) }
            if let silence { state.silentUntil = max(state.silentUntil ?? .zero, now + silence) }
            state.failure = if case .failure(let error) = result { error } else { nil }
            return flight.result
        }
        // Without waiters a cancelled request is no failure of the server.
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

    /// The evaluation for the current task; `nil` outside ``withEvaluation(for:operation:)``.
    public var evaluation: OFREPEvaluation? { OFREPEvaluation.current[ObjectIdentifier(self)] }

    /// Returns the server's value for the context of the current task, or `nil` if there is none.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { evaluation?.value(for: key) }

    /// Returns the value with its variant, reason and metadata, or the error.
    public func detailedValue(for key: FlagKeyPath) -> DetailedFlagValue {
        evaluation?.detailedValue(for: key) ?? DetailedFlagValue(value: nil)
    }

    /// The kind: task-dependent.
    public var kind: FlagProviderKind { .taskDependent }

    /// Returns `false`: the values depend on the task, so flags are resolved at each read.
    public func observe(_ observer: FlagProviderObserver) -> Bool { false }

    /// The status: `failed` if the last evaluation failed, and `ready` otherwise.
    public var status: FlagProviderStatus { state.withLock { $0.failure }.map { .failed($0) } ?? .ready }

    /// The number of callers that wait for the server.
    var waiterCount: Int { state.withLock { $0.flights.values.reduce(0) { $0 + $1.waiters } } }

    /// The number of contexts with a kept evaluation.
    var keptCount: Int { state.withLock { $0.kept.count } }
}
