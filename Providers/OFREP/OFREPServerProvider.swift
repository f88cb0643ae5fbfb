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
        /// The driver that asked for it, which has the tag of the answer.
        var driver: RefreshDriver
        /// The time at which the server sent or last confirmed it.
        var at: Duration
    }

    private struct Question: Sendable {
        var driver: RefreshDriver
        /// The number of callers that wait for the answer.
        var callers = 0
    }

    private struct State {
        var kept: RecentValues<EvaluationContext, Kept>
        /// The contexts for which the server is being asked.
        var questions: [EvaluationContext: Question] = [:]
        /// The server asked for no requests before this time, for any context.
        var silentUntil: Duration?
        var failure: FlagError?
    }

    /// The provider's name in messages and explanations, and its id in a chain.
    public let name: String
    /// The time for which an evaluation counts as current.
    public let maximumAge: Duration
    /// The time after that for which an evaluation is still used if the server cannot be asked.
    public let staleIfError: Duration
    private let maximumRequests: Int
    private let endpoint: OFREPEndpoint
    /// The settings of the drivers. Each context has a driver of its own.
    private let requests: RemoteJSONConfiguration
    private let time: MonotonicTime
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
    /// - Throws: ``/TacklineCore/FlagError`` with the code `invalid-url`.
    public init(
        baseURL: URL, name: String = "OFREPServerProvider", maximumContexts: Int = 1000,
        maximumAge: Duration = .seconds(30), staleIfError: Duration = .zero, maximumRequests: Int = 256,
        configuration: OFREPConfiguration = OFREPConfiguration()
    ) throws(FlagError) {
        self.name = name
        self.maximumAge = maximumAge
        self.staleIfError = staleIfError
        self.maximumRequests = max(1, maximumRequests)
        endpoint = try OFREPEndpoint(baseURL, provider: name)
        issues = OFREPIssues(provider: name, reporter: FlagIssueReporter.current)
        // A problem with a flag is the same in every context, so this provider reports it once.
        var requests = configuration.remote(endpoint, issues, provider: name, .silent)
        requests.dialect?.joinsSentRequests = true
        requests.minimumManualRefreshGap = .zero
        (requests.cache, requests.bootstrap, requests.log) = (.disabled, FlagDocument(), nil)
        (requests.activation, requests.readsCacheAtOnce) = (.immediate, true)
        self.requests = requests
        time = MonotonicTime(requests.clock)
        state = Mutex(State(kept: RecentValues(limit: maximumContexts)))
        driver(for: endpoint.base).reportProblems()
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
    /// - Throws: ``/TacklineCore/FlagError``: `network`, `rejected`, `misconfigured`, `throttled` while the
    ///   server has asked for no requests, `busy`, or `cancelled`.
    public func evaluate(for context: EvaluationContext) async throws(FlagError) -> OFREPEvaluation {
        var new: RefreshDriver?
        while true {
            let now = time.now
            switch state.withLock({ join(context, new, at: now, &$0) }) {
            case .kept(let evaluation): return evaluation
            case .question(let driver):
                var failure: FlagError?
                do throws(FlagError) { try await driver.refresh() } catch { failure = error }
                return try take(driver, failure, for: context)
            case .refused(let error):
                if error.code == "busy" { issues.busy(error.reason) }
                throw error
            case .unknown:
                let (url, problem) = endpoint.url(for: context)
                if let problem { issues.context(problem) }
                new = driver(for: url)
            }
        }
    }

    private func driver(for url: URL) -> RefreshDriver {
        RefreshDriver(name: name, url: url, subject: nil, configuration: requests)
    }

    private enum Joined: Sendable {
        case kept(OFREPEvaluation)
        /// The driver to ask, which shares its request with the other callers for the context.
        case question(RefreshDriver)
        case refused(FlagError)
        /// The context has no driver, which the caller makes without a lock.
        case unknown
    }

    private func join(
        _ context: EvaluationContext, _ new: RefreshDriver?, at now: Duration, _ state: inout State
    ) -> Joined {
        let kept = state.kept.value(for: context)
        if let kept, now - kept.at < maximumAge { return .kept(kept.evaluation) }
        if var question = state.questions[context] {
            question.callers += 1
            state.questions[context] = question
            return .question(question.driver)
        }
        if let until = state.silentUntil, until > now {
            if let stale = stale(kept, at: now) { return .kept(stale) }
            let reason = "the server asked for no requests for another \((until - now).roundedText)"
            let advice = "Evaluate after that, or raise staleIfError, so that older answers are used until then"
            return .refused(FlagError("throttled", provider: name, reason: reason, advice: advice))
        }
        guard state.questions.count < maximumRequests else { return .refused(tooMany) }
        guard let driver = kept?.driver ?? new else { return .unknown }
        state.questions[context] = Question(driver: driver, callers: 1)
        return .question(driver)
    }

    /// Returns the kept evaluation if it may be used although the server cannot be asked.
    private func stale(_ kept: Kept?, at now: Duration) -> OFREPEvaluation? {
        guard let kept, now - kept.at < maximumAge + staleIfError else { return nil }
        return kept.evaluation.stale
    }

    private var tooMany: FlagError {
        FlagError(
            "busy", provider: name, reason: "\(maximumRequests) evaluations are on their way already",
            advice: "Raise maximumRequests, or look at why the server is slow")
    }

    /// Takes the result of a request for one of its callers.
    ///
    /// - Returns: The evaluation, or after a failure the older one that may still be used.
    private func take(
        _ driver: RefreshDriver, _ failure: FlagError?, for context: EvaluationContext
    ) throws(FlagError) -> OFREPEvaluation {
        let answer = (driver.store as? OFREPStore)?.answer ?? OFREPAnswer()
        let (age, silence, now) = (driver.confirmationAge ?? .zero, driver.remainingSilence, time.now)
        if failure == nil { issues.flags(answer.problems) }
        var replaced: Kept?
        defer { withExtendedLifetime(replaced) {} }
        let result = state.withLock { state -> Result<OFREPEvaluation, FlagError> in
            if var question = state.questions[context] {
                question.callers -= 1
                state.questions[context] = question.callers > 0 ? question : nil
            }
            if let silence { state.silentUntil = max(state.silentUntil ?? .zero, now + silence) }
            let kept = state.kept.value(for: context)
            if let failure {
                // A cancelled caller is no failure of the server.
                guard failure.code != .cancelled else { return .failure(failure) }
                state.failure = failure
                return stale(kept, at: now).map { .success($0) } ?? .failure(failure)
            }
            state.failure = nil
            // An answer that the server has confirmed stays the same object, and a newer one is never replaced.
            let known = kept.flatMap { $0.driver === driver && $0.evaluation.answer.number >= answer.number ? $0 : nil }
            let evaluation = known?.evaluation ?? OFREPEvaluation(name: name, context: context, answer: answer)
            let new = Kept(evaluation: evaluation, driver: driver, at: now - age)
            replaced = state.kept.setValue(new, for: context)
            return .success(evaluation)
        }
        return try result.get()
    }

    // MARK: Reading

    /// The evaluation for the current task; `nil` outside ``withEvaluation(for:operation:)``.
    public var evaluation: OFREPEvaluation? { OFREPEvaluation.current[ObjectIdentifier(self)] }

    /// Returns the server's value for the context of the current task, or `nil` if there is none.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { evaluation?.value(for: key) }

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

    /// The number of callers that wait for the server.
    var waiterCount: Int { state.withLock { $0.questions.values.reduce(0) { $0 + $1.callers } } }

    /// The number of contexts with a kept evaluation.
    var keptCount: Int { state.withLock { $0.kept.count } }
}
