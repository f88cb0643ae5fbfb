import Foundation
package import TacklineCore
import TacklineSigning

/// The requests of a refresher, and what comes of them.
extension Refresher {
    /// Asks the server, as ``RemoteJSONProvider/refresh()`` does.
    @discardableResult
    package func refresh() async throws(FlagError) -> FlagRefreshOutcome {
        try await outcome(of: change(join))
    }

    /// Adds a caller to the current request, or to a new one.
    func join(_ state: inout State) -> Result<Request, FlagError> {
        if let refusal = refusal(state) { return .failure(refusal) }
        var request = state.request ?? addRequest(&state)
        request.callers += 1
        state.request = request
        return .success(request)
    }

    /// Waits for the outcome of a request that a call has joined.
    func outcome(of joined: Result<Request, FlagError>) async throws(FlagError) -> FlagRefreshOutcome {
        let request = try joined.get()
        let outcome = await answer(to: request)
        if case .failure(let error) = outcome, error.code == .cancelled { throw error }
        // If the request was sent before the call, the server may have more since. The next one counts.
        return try await request.isSent ? answer(to: change(join).get()).get() : outcome.get()
    }

    private func answer(to request: Request) async -> Outcome {
        if let outcome = await request.outcome.wait() { return outcome }
        change { state in
            guard state.request?.number == request.number else { return }
            state.request?.callers -= 1
            guard state.request?.callers == 0, !state.schedule.isRunning else { return }
            state.cancel(state.request?.task)
            state.request = nil
        }
        return .failure(
            failure(
                .cancelled, "the task that waited for the answer was cancelled",
                advice: "Ask again in a task that is not cancelled"))
    }

    /// The reason why requests are refused at present; `nil` if they are not.
    private func refusal(_ state: borrowing State) -> FlagError? {
        if state.hasStopped {
            return failure("stopped", "it was stopped", advice: "Call run() or start() before refresh()")
        }
        if state.schedule.isOffline {
            return failure("offline", "it is switched offline", advice: "Set isOffline to false before refresh()")
        }
        return throttled(state, at: state.moment)
    }

    /// Adds a request, which is sent unless it was given up, and whose answer counts unless it was.
    @discardableResult
    func addRequest(_ state: inout State) -> Request {
        state.lastNumber += 1
        var request = Request(number: state.lastNumber)
        request.task = Task { [self, number = request.number] in
            guard let (target, known) = change({ send(number, &$0) }) else { return }
            let result = await fetcher.fetch(target, conditions: known)
            change { if $0.request?.number == number { finish(result, &$0) } }
        }
        state.request = request
        return request
    }

    private func send(_ number: Int, _ state: inout State) -> (RemoteTarget, [String: String])? {
        guard state.request?.number == number else { return nil }
        state.request?.isSent = true
        state.schedule.began()
        let known = state.newest.flatMap { $0.isForTarget ? $0.document.conditions : nil }
        return (state.target, known ?? [:])
    }

    /// Cancels the request, whose answer is then dropped, and closes the stream.
    func giveUp(_ reason: String, _ state: inout State) {
        if let request = state.request {
            if request.isSent { state.schedule.request(at: state.now) }
            state.cancel(request.task)
            let error = failure(.cancelled, reason, advice: "Call refresh() again")
            state.effects.work.append { request.outcome.resolve(.failure(error)) }
            state.request = nil
        }
        closeStream(&state)
        state.wakeRun()
    }

    // MARK: Answers

    private func finish(_ result: FetchResult, _ state: inout State) {
        guard let request = state.request else { return }
        state.request = nil
        state.wakeRun()
        let result = judged(result, state)
        state.lastError = result.error
        state.effects.work.append { [issues] in issues.take(result.error) }
        switch result {
        case .document(let document):
            state.schedule.answered(at: state.now, random: state.random)
            accept(document, request, &state)
        case .unchanged:
            state.schedule.answered(at: state.now, random: state.random)
            confirm(request, &state)
        case .failed(let error, let status, let retryAfter):
            fail(error, status, retryAfter, &state)
            state.answer(request, .failure(error))
        }
    }

    /// Returns the result, or a rejection because of earlier documents or of time.
    private func judged(_ result: FetchResult, _ state: borrowing State) -> FetchResult {
        if case .document(let document) = result, let reason = refusal(of: document, after: state) {
            return .rejected(reason, provider: name)
        }
        let terms = state.newest?.document.terms
        guard case .unchanged = result, let expires = terms?.expires, expires <= state.moment.wall else {
            return result
        }
        // An attacker could answer 304 to keep the app at an old document.
        let reason = "the server has nothing newer than a document that expired at \(expires.formatted(.iso8601))"
        return .rejected(reason, provider: name)
    }

    private func fail(_ error: FlagError, _ status: Int, _ retryAfter: Duration?, _ state: inout State) {
        state.log("a request failed: \(error.reason)")
        switch error.code {
        case .rejected:
            // A repetition would bring the same answer, so the next request is at the usual time.
            state.schedule.answered(at: state.now, isRejected: true, random: state.random)
        case "misconfigured":
            let isFinal = configuration.dialect.finalStatuses.contains(status)
            state.schedule.refused(at: state.now, isFinal: isFinal)
            if isFinal { closeStream(&state) }
        default:
            state.schedule.failed(at: state.now, retryAfter: retryAfter, random: state.random)
            state.effects.writesCache = state.schedule.silentUntil != nil
        }
    }

    private func accept(_ document: RemoteDocument, _ request: Request, _ state: inout State) {
        let held = Held(document: document, confirmedAt: state.now)
        if let version = document.terms.version {
            let signer = state.version?.signer.flatMap { document.signers.contains($0) ? $0 : nil }
            state.version = (version, signer ?? document.signers.first)
        }
        if configuration.isEvaluating {
            // An open stream is kept, since a server may name another URL in each answer.
            state.streamURL = document.stream
            if document.stream == nil { closeStream(&state) }
        }
        state.effects.writesCache = true
        guard configuration.activation == .immediate else {
            state.staged = held
            state.log("\(document.revision) waits to be activated")
            return state.answer(request, .success(.staged))
        }
        put(held, &state)
        state.effects.swap?.request = request
    }

    /// Handles an answer without a newer document than the one whose validators were sent.
    private func confirm(_ request: Request, _ state: inout State) {
        let now = state.now
        if state.staged != nil {
            state.staged?.confirmedAt = now
        } else if let active = state.active {
            state.active = Held(document: active.document, confirmedAt: now)
        } else {
            // It has expired meanwhile.
            state.schedule.request(at: now)
        }
        state.effects.writesCache = true
        state.log("nothing new")
        state.answer(request, .success(.unchanged))
    }

    // MARK: In force

    package func activate() -> Bool {
        change { state in
            guard let staged = state.staged else { return false }
            state.staged = nil
            guard state.now - staged.confirmedAt < RemoteJSONProvider.Configuration.timeToLive else { return false }
            put(staged, &state)
            state.effects.writesCache = true
            return true
        }
    }

    /// Puts a document in force; `nil` withdraws the active one, so that the values are those of the bootstrap.
    func put(_ held: Held?, isOtherSubject: Bool = false, _ state: inout State) {
        state.active = held
        state.effects.swap = (held?.document, isOtherSubject, nil)
    }

    /// Returns the reason why a document must not be accepted after earlier ones; `nil` if it may be. Of signed documents
    /// only those by the same key are compared, so a document by another trusted key starts over.
    func refusal(of document: RemoteDocument, after state: borrowing State) -> String? {
        guard let last = state.version else { return nil }
        guard let version = document.terms.version else {
            return "it has no $version, and the last one had \(last.number); add one"
        }
        if let signer = last.signer, !document.signers.contains(signer) { return nil }
        return version < last.number
            ? "its $version \(version) is older than \(last.number), which was accepted before; raise it" : nil
    }
}
