public import Foundation
import Synchronization
public import TacklineCore
import TacklineRemoteJSON
public import TacklineTargeting

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
    private struct Kept: Sendable {
        var answer: OFREPAnswer
        /// The header fields of a conditional request.
        var conditions: [String: String]
        /// The time at which the server sent or last confirmed it.
        var confirmedAt: Duration
        /// The number of the use after which it was not used.
        var lastUse: Int

        /// The answer while the server cannot be asked.
        var stale: OFREPAnswer {
            var answer = answer
            answer.isStale = true
            return answer
        }
    }

    private struct State {
        var kept: [EvaluationContext: Kept] = [:]
        var uses = 0
        /// The answers for which the server is being asked.
        var questions: [EvaluationContext: FlagPromise<OFREPAnswer>] = [:]
        /// No requests are sent before a time, for any context: the server asked for that, or it failed too often.
        var pause: (end: Duration, error: FlagError)?
        var failuresInARow = 0
        var failure: FlagError?
    }

    /// The answers for the current task, by provider.
    @TaskLocal private static var current: [ObjectIdentifier: OFREPAnswer] = [:]

    /// The provider's name in messages and explanations, and its id in a chain.
    public let name: String
    /// The time for which an evaluation counts as current.
    public let maximumAge: Duration
    private let maximumContexts: Int
    private let endpoint: OFREPEndpoint
    private let requests: RemoteJSONProvider.Configuration
    private let clock: RemoteClock
    private let state = Mutex(State())

    /// Creates a provider. Nothing is sent before ``withEvaluation(for:operation:)``.
    ///
    /// - Parameters:
    ///   - baseURL: The server's URL up to `/ofrep`, by http or https.
    ///   - name: The provider's name in messages and explanations, and its id in a chain.
    ///   - maximumContexts: The number of contexts whose evaluations are kept. A new one replaces the least recently
    ///     used one.
    ///   - maximumAge: The time for which an evaluation counts as current. After it the server is asked again, with the
    ///     evaluation's tag. If it cannot be asked, the evaluation is still used, with the reason `STALE`.
    ///   - configuration: The settings of requests. Nothing is kept on disk, and no stream is followed.
    /// - Throws: ``/TacklineCore/FlagError`` with the code `invalid-url`.
    public init(
        baseURL: URL, name: String = "OFREPServerProvider", maximumContexts: Int = 1000,
        maximumAge: Duration = .seconds(30), configuration: OFREPProvider.Configuration = OFREPProvider.Configuration()
    ) throws(FlagError) {
        (self.name, self.maximumAge, self.maximumContexts) = (name, maximumAge, max(1, maximumContexts))
        endpoint = try OFREPEndpoint(baseURL, provider: name)
        requests = configuration.requests(to: endpoint)
        clock = RemoteClock(requests.clock)
        requests.reportProblems(with: baseURL, provider: name)
    }

    // MARK: Evaluating

    /// Runs an operation that reads flags from one evaluation for a context: the current one, or the server's answer,
    /// for which it waits first.
    ///
    /// The evaluation applies to this task and its children. If the server cannot be asked, the operation runs with the
    /// last evaluation. Without one, flags have values of other providers or their defaults, and `explain()` gives the reason.
    ///
    /// - Parameters:
    ///   - context: The context for which flags are evaluated.
    ///   - operation: The operation that reads flags.
    /// - Returns: The result of the operation.
    /// - Throws: The error of the operation.
    public func withEvaluation<Success, Failure: Error>(
        for context: EvaluationContext, operation: () async throws(Failure) -> Success
    ) async throws(Failure) -> Success {
        var all = Self.current
        all[ObjectIdentifier(self)] = await answer(for: context)
        let result: Result<Success, Failure> = await Self.$current.withValue(all) {
            do throws(Failure) { return .success(try await operation()) } catch { return .failure(error) }
        }
        return try result.get()
    }

    /// Returns the evaluation of all flags for a context: the current one, or the server's answer, for which concurrent
    /// calls for one context share a request. Without both it has the last error.
    func answer(for context: EvaluationContext) async -> OFREPAnswer {
        let now = clock.now
        let promise = state.withLock { question(about: context, at: now, &$0) }
        if let answer = await promise.wait() { return answer }
        let failure = HTTPFailure("the task that waited for the answer was cancelled", .cancelled)
        return OFREPAnswer(error: failure.error(of: name))
    }

    /// Returns a promise of the answer, which is known already if no request is necessary or allowed.
    private func question(
        about context: EvaluationContext, at now: Duration, _ state: inout State
    ) -> FlagPromise<OFREPAnswer> {
        let promise = FlagPromise<OFREPAnswer>()
        state.uses += 1
        state.kept[context]?.lastUse = state.uses
        let kept = state.kept[context]
        if let kept, now - kept.confirmedAt < maximumAge {
            promise.resolve(kept.answer)
        } else if let question = state.questions[context] {
            return question
        } else if let pause = state.pause, pause.end > now || state.failuresInARow >= 3 && !state.questions.isEmpty {
            // After a pause one request finds out whether the server is back.
            promise.resolve(kept?.stale ?? OFREPAnswer(error: pause.error))
        } else {
            state.questions[context] = promise
            Task { await ask(context, kept, promise) }
        }
        return promise
    }

    /// Asks the server, and keeps the answer.
    private func ask(_ context: EvaluationContext, _ kept: Kept?, _ promise: FlagPromise<OFREPAnswer>) async {
        let answer = Mutex(kept?.answer ?? OFREPAnswer())
        let fetcher = DocumentFetcher(requests, clock: clock) { [name] (document, _) throws(FlagError) in
            let new = try OFREPAnswer(document, provider: name)
            answer.withLock { $0 = new }
            return { [] }
        }
        let result = await fetcher.fetch(endpoint.target(for: context), conditions: kept?.conditions ?? [:])
        let now = clock.now
        switch result {
        case .success(let document):
            // Without a document, the server has confirmed the answer that is kept.
            let new = answer.withLock { $0 }
            let conditions = document?.conditions ?? kept?.conditions ?? [:]
            state.withLock { state in
                (state.questions[context], state.failure, state.failuresInARow) = (nil, nil, 0)
                if state.kept[context] == nil, state.kept.count >= maximumContexts,
                    let oldest = state.kept.min(by: { $0.value.lastUse < $1.value.lastUse })?.key
                {
                    state.kept[oldest] = nil
                }
                state.kept[context] = Kept(
                    answer: new, conditions: conditions, confirmedAt: now, lastUse: state.uses)
            }
            endpoint.reporter.take(nil, of: name)
            if document != nil { new.issues.forEach(endpoint.reporter.report) }
            promise.resolve(new)
        case .failure(let failure):
            let error = failure.error(of: name)
            state.withLock { state in
                (state.questions[context], state.failure) = (nil, error)
                state.failuresInARow += 1
                // A server that is down must not keep every request of the application waiting.
                let isDown = error.code == .network && state.failuresInARow >= 3
                let pause = isDown ? Duration.seconds(min(30, 1 << min(state.failuresInARow - 3, 5))) : .zero
                let end = now + (failure.retryAfter ?? pause)
                if end > state.pause?.end ?? now { state.pause = (end, error) }
            }
            endpoint.reporter.take(error, of: name)
            promise.resolve(kept?.stale ?? OFREPAnswer(error: error))
        }
    }

    // MARK: Reading

    /// The evaluation for the current task; `nil` outside ``withEvaluation(for:operation:)``.
    var answer: OFREPAnswer? { Self.current[ObjectIdentifier(self)] }

    /// Returns the server's value for the context of the current task, or `nil` if there is none.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? { answer?.values.value(for: key) }

    /// Returns the value with its variant, reason and metadata, or the error.
    public func evaluation(for key: FlagKeyPath) -> FlagEvaluation {
        answer?.evaluation(for: key) ?? FlagEvaluation(value: nil)
    }

    /// The traits: task-dependent.
    public var traits: FlagProviderTraits { .taskDependent }

    /// Returns `false`: the values depend on the task, so flags are resolved at each read.
    public func observe(_ observer: FlagProviderObserver) -> Bool { false }

    /// The status: `failed` if the last evaluation failed, and `ready` otherwise.
    public var status: FlagProviderStatus { state.withLock { $0.failure }.map { .failed($0) } ?? .ready }
}
