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
/// provider has no values. The provider may be used from any thread.
public final class OFREPServerProvider: FlagProvider {
    private typealias Answer = Result<OFREPEvaluation, FlagError>

    private struct Kept: Sendable {
        var evaluation: OFREPEvaluation
        var validators: DocumentValidators
        /// The time at which the server sent or last confirmed it.
        var confirmedAt: Duration
        /// The number of the use after which it was not used.
        var lastUse: Int
    }

    private struct Question: Sendable {
        let answer = FlagPromise<Answer>()
        /// The number of callers that wait for the answer.
        var callers = 1
        var task: Task<Void, Never>?
    }

    private struct State {
        var kept: [EvaluationContext: Kept] = [:]
        var uses = 0
        /// The contexts for which the server is being asked.
        var questions: [EvaluationContext: Question] = [:]
        /// No requests are sent before a time, for any context: the server asked for that, or it failed too often.
        var pause: (end: Duration, error: FlagError)?
        var failuresInARow = 0
        var failure: FlagError?
    }

    /// The provider's name in messages and explanations, and its id in a chain.
    public let name: String
    /// The time for which an evaluation counts as current.
    public let maximumAge: Duration
    /// The time after that for which an evaluation is still used if the server cannot be asked.
    public let staleIfError: Duration
    private let maximumContexts: Int
    private let maximumRequests: Int
    private let endpoint: OFREPEndpoint
    private let requests: RemoteJSONProvider.Configuration
    private let transport: any HTTPTransport
    private let clock: RemoteClock
    private let issues: RemoteIssues
    private let state = Mutex(State())

    /// Creates a provider. Nothing is sent before ``withEvaluation(for:operation:)``.
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
    /// - Throws: ``/TacklineCore/FlagError`` with the code `invalid-url`.
    public init(
        baseURL: URL, name: String = "OFREPServerProvider", maximumContexts: Int = 1000,
        maximumAge: Duration = .seconds(30), staleIfError: Duration = .zero, maximumRequests: Int = 256,
        configuration: OFREPProvider.Configuration = OFREPProvider.Configuration()
    ) throws(FlagError) {
        (self.name, self.maximumAge, self.staleIfError) = (name, maximumAge, staleIfError)
        (self.maximumContexts, self.maximumRequests) = (max(1, maximumContexts), max(1, maximumRequests))
        endpoint = try OFREPEndpoint(baseURL, provider: name)
        issues = RemoteIssues(provider: name)
        requests = configuration.requests(to: endpoint, issues)
        transport = requests.effectiveTransport
        clock = RemoteClock(requests.clock)
        requests.reportProblems(with: baseURL, provider: name)
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
        do throws(FlagError) {
            evaluation = try await evaluate(for: context)
        } catch {
            evaluation = OFREPEvaluation(context: context, answer: OFREPAnswer(), error: error)
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
    /// - Throws: `FlagError`: `network`, `rejected`, `misconfigured`, `throttled` while the server has asked for no
    ///   requests, `busy`, or `cancelled`.
    func evaluate(for context: EvaluationContext) async throws(FlagError) -> OFREPEvaluation {
        let now = clock.now
        let (known, answer) = state.withLock { join(context, at: now, &$0) }
        if case .failure(let error)? = known, error.code == "busy" {
            issues.reporter.report(FlagError("ofrep-busy", error.message, provider: name))
        }
        if let known { return try known.get() }
        if let result = await answer.wait() { return try result.get() }
        let task = state.withLock { state -> Task<Void, Never>? in
            guard var question = state.questions[context], question.answer === answer else { return nil }
            question.callers -= 1
            state.questions[context] = question.callers > 0 ? question : nil
            return question.callers > 0 ? nil : question.task
        }
        task?.cancel()
        throw FlagError(
            .cancelled, provider: name, reason: "the task that waited for the answer was cancelled",
            advice: "Ask again in a task that is not cancelled")
    }

    /// Returns the answer if it is known without a request, and otherwise one to wait for.
    private func join(
        _ context: EvaluationContext, at now: Duration, _ state: inout State
    ) -> (known: Answer?, FlagPromise<Answer>) {
        var question = Question()
        state.uses += 1
        state.kept[context]?.lastUse = state.uses
        let kept = state.kept[context]
        if let kept, now - kept.confirmedAt < maximumAge { return (.success(kept.evaluation), question.answer) }
        if let answer = state.questions[context]?.answer {
            state.questions[context]?.callers += 1
            return (nil, answer)
        }
        if let pause = state.pause, pause.end > now { return (stale(kept, at: now, or: pause.error), question.answer) }
        guard state.questions.count < maximumRequests else {
            let error = FlagError(
                "busy", provider: name, reason: "\(maximumRequests) evaluations are on their way already",
                advice: "Raise maximumRequests, or look at why the server is slow")
            return (.failure(error), question.answer)
        }
        question.task = Task { [answer = question.answer] in
            if let result = await ask(context, kept, for: answer) { answer.resolve(result) }
        }
        state.questions[context] = question
        return (nil, question.answer)
    }

    /// Returns the kept evaluation if it may be used although the server cannot be asked, or the error.
    private func stale(_ kept: Kept?, at now: Duration, or error: FlagError) -> Answer {
        guard let kept, now - kept.confirmedAt < maximumAge + staleIfError else { return .failure(error) }
        return .success(
            OFREPEvaluation(context: kept.evaluation.context, answer: kept.evaluation.answer, isStale: true))
    }

    /// Asks the server, and keeps the answer; returns `nil` if all callers have left.
    private func ask(_ context: EvaluationContext, _ kept: Kept?, for question: FlagPromise<Answer>) async -> Answer? {
        let answer = Mutex(OFREPAnswer())
        let reader = RemoteDocumentReader(requests) { (document, _) throws(FlagError) in
            let new = try OFREPAnswer(document)
            answer.withLock { $0 = new }
            return { [] }
        }
        let fetcher = DocumentFetcher(requests, transport: transport, clock: clock, reader: reader)
        let result = await fetcher.fetch(endpoint.target(for: context, issues), current: kept?.validators)
        let (now, error) = (clock.now, result.error(provider: name))
        let outcome = state.withLock { state -> Answer? in
            guard state.questions[context]?.answer === question else { return nil }
            state.questions[context] = nil
            state.failure = error
            state.failuresInARow = error == nil ? 0 : state.failuresInARow + 1
            if let error {
                if case .failed(_, let retryAfter) = result { pause(retryAfter, error, at: now, &state) }
                return stale(kept, at: now, or: error)
            }
            // A 304 comes only for an answer that is kept. It stays the same object.
            var new = kept
            if case .document(let document, _) = result {
                let evaluation = OFREPEvaluation(context: context, answer: answer.withLock { $0 })
                new = Kept(
                    evaluation: evaluation, validators: document.validators, confirmedAt: now, lastUse: state.uses)
            }
            new?.confirmedAt = now
            if state.kept[context] == nil, state.kept.count >= maximumContexts,
                let oldest = state.kept.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
            {
                state.kept[oldest] = nil
            }
            state.kept[context] = new
            return new.map { .success($0.evaluation) }
        }
        guard let outcome else { return nil }
        issues.take(error)
        for issue in answer.withLock({ $0 }).issues(provider: name) { issues.reporter.report(issue) }
        return outcome
    }

    /// Pauses as long as the server wants, or after three failures in a row for a time that doubles up to half a minute, so
    /// that not every request of the application waits for a server that is down.
    private func pause(_ retryAfter: Duration?, _ error: FlagError, at now: Duration, _ state: inout State) {
        guard retryAfter != nil || state.failuresInARow >= 3 else { return }
        let end = now + (retryAfter ?? .seconds(min(30, 1 << min(state.failuresInARow - 3, 5))))
        guard end > state.pause?.end ?? now else { return }
        let throttled = retryAfter.map { time in
            FlagError(
                "throttled", provider: name, reason: "the server asked for no requests for \(time.roundedText)",
                advice: "Evaluate after that, or raise staleIfError, so that older answers are used until then")
        }
        state.pause = (end, throttled ?? error)
    }

    // MARK: Reading

    /// The evaluation for the current task; `nil` outside ``withEvaluation(for:operation:)``.
    var evaluation: OFREPEvaluation? { OFREPEvaluation.current[ObjectIdentifier(self)] }

    /// Returns the server's value for the context of the current task, or `nil` if there is none.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { evaluation?.answer.values.value(for: key) }

    /// Returns the value with its variant, reason and metadata, or the error.
    public func evaluation(for key: FlagKeyPath) -> FlagEvaluation {
        evaluation?.evaluation(for: key) ?? FlagEvaluation(value: nil)
    }

    /// The traits: task-dependent.
    public var traits: FlagProviderTraits { .taskDependent }

    /// Returns `false`: the values depend on the task, so flags are resolved at each read.
    public func observe(_ observer: FlagProviderObserver) -> Bool { false }

    /// The status: `failed` if the last evaluation failed, and `ready` otherwise.
    public var status: FlagProviderStatus { state.withLock { $0.failure }.map { .failed($0) } ?? .ready }

    /// The number of callers that wait for the server, and of contexts with a kept evaluation.
    var counts: (waiters: Int, kept: Int) {
        state.withLock { state in (state.questions.values.reduce(0) { $0 + $1.callers }, state.kept.count) }
    }
}

/// A server's evaluation of the flags for one context at one time.
final class OFREPEvaluation: Sendable {
    /// The evaluations for the current task, by provider.
    @TaskLocal static var current: [ObjectIdentifier: OFREPEvaluation] = [:]

    let context: EvaluationContext
    let answer: OFREPAnswer
    /// The reason why there are no values; `nil` if the server has answered.
    let error: FlagError?
    /// Whether the server could not be asked again, so that the values have the reason `STALE`.
    let isStale: Bool

    init(context: EvaluationContext, answer: OFREPAnswer, error: FlagError? = nil, isStale: Bool = false) {
        (self.context, self.answer, self.error, self.isStale) = (context, answer, error, isStale)
    }

    func evaluation(for key: FlagKeyPath) -> FlagEvaluation {
        if let error {
            return FlagEvaluation(value: nil, reason: .error, errorCode: .general, errorMessage: error.reason)
        }
        var evaluation = answer.evaluation(for: key)
        evaluation.subject = context.targetingKey
        if isStale, evaluation.value != nil { evaluation.reason = .stale }
        return evaluation
    }
}
