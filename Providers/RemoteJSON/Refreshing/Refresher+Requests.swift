import Foundation
package import TacklineCore
import TacklineSigning

/// The requests of a refresher, and what comes of them.
extension Refresher {
    /// Asks the server, as ``RemoteJSONProvider/refresh()`` does.
    @discardableResult
    package func refresh() async throws(FlagError) -> FlagRefreshOutcome {
        let request = try change(join).get()
        let outcome = await outcome(of: request)
        if case .failure(let error) = outcome, error.code == .cancelled { throw error }
        // If the request was sent before the call, the server may have more since. The next one counts.
        return try await request.isSent ? self.outcome(of: change(join).get()).get() : outcome.get()
    }

    /// Adds a caller to the current request, or to a new one.
    private func join(_ state: inout State) -> Result<Request, FlagError> {
        if state.hasStopped {
            return .failure(failure("stopped", "it was stopped", advice: "Call run() or start() before refresh()"))
        }
        if let refusal = throttled(state, at: state.moment) { return .failure(refusal) }
        var request = state.request ?? addRequest(&state)
        request.callers += 1
        state.request = request
        return .success(request)
    }

    /// Waits for the outcome of a request that a call has joined.
    private func outcome(of request: Request) async -> Outcome {
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

    /// Adds a request, which is sent unless it was given up, and whose answer counts unless it was.
    @discardableResult
    func addRequest(_ state: inout State) -> Request {
        state.lastNumber += 1
        var request = Request(number: state.lastNumber)
        request.task = Task { [self, number = request.number] in
            guard let (target, known) = change({ send(number, &$0) }) else { return }
            let result: Result<RemoteDocument?, FetchFailure>
            do throws(FetchFailure) { result = .success(try await fetcher.fetch(target, conditions: known)) } catch {
                result = .failure(error)
            }
            change { if let request = $0.request, request.number == number { finish(request, result, &$0) } }
        }
        state.request = request
        return request
    }

    private func send(_ number: Int, _ state: inout State) -> (RemoteTarget, [String: String])? {
        guard state.request?.number == number else { return nil }
        state.request?.isSent = true
        state.schedule.began()
        let known = state.newest.flatMap { $0.isForTarget ? $0.conditions : nil }
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
    }

    // MARK: Answers

    private func finish(_ request: Request, _ result: Result<RemoteDocument?, FetchFailure>, _ state: inout State) {
        state.request = nil
        do throws(FetchFailure) {
            let document = try result.get()
            if let reason = refusal(of: document, after: state) { throw .rejected(reason, provider: name) }
            state.lastError = nil
            state.schedule.answered(at: state.now, random: state.random)
            state.effects.writesCache = true
            if let document { accept(document, request, &state) } else { confirm(request, &state) }
        } catch {
            state.lastError = error.error
            state.log("a request failed: \(error.error.reason)")
            fail(error, &state)
            state.answer(request, .failure(error.error))
        }
        state.effects.work.append { [issues, error = state.lastError] in issues.take(error) }
    }

    private func fail(_ failure: FetchFailure, _ state: inout State) {
        switch failure.error.code {
        case .rejected:
            // A repetition would bring the same answer, so the next request is at the usual time.
            state.schedule.answered(at: state.now, isRejected: true, random: state.random)
        case "misconfigured":
            let isFinal = configuration.dialect.finalStatuses.contains(failure.status)
            state.schedule.refused(at: state.now, isFinal: isFinal)
            if isFinal { closeStream(&state) }
        default:
            state.schedule.failed(at: state.now, retryAfter: failure.retryAfter, random: state.random)
            state.effects.writesCache = state.schedule.silentUntil != nil
        }
    }

    /// Returns the reason why an answer must not be accepted after earlier ones; `nil` if it may be. Of signed documents
    /// only those by the same key are compared, so a document by another trusted key starts over.
    ///
    /// - Parameter document: The document; `nil` for the answer that there is no newer one.
    func refusal(of document: RemoteDocument?, after state: borrowing State) -> String? {
        guard let document else {
            // An attacker could answer 304 to keep the app at an old document.
            guard let expires = state.newest?.terms.expires, expires <= state.moment.wall else { return nil }
            return "the server has nothing newer than a document that expired at \(expires.formatted(.iso8601))"
        }
        guard let last = state.version else { return nil }
        guard let version = document.terms.version else {
            return "it has no $version, and the last one had \(last.number); add one"
        }
        if let signer = last.signer, !document.signers.contains(signer) { return nil }
        return version < last.number
            ? "its $version \(version) is older than \(last.number), which was accepted before; raise it" : nil
    }

    private func accept(_ document: RemoteDocument, _ request: Request, _ state: inout State) {
        var document = document
        document.confirmedAt = state.now
        if let version = document.terms.version {
            let signer = state.version?.signer.flatMap { document.signers.contains($0) ? $0 : nil }
            state.version = (version, signer ?? document.signers.first)
        }
        if configuration.dialect.isEvaluating {
            // An open stream is kept, since a server may name another URL in each answer.
            state.streamURL = document.stream
            if document.stream == nil { closeStream(&state) }
        }
        guard configuration.activation == .immediate else {
            state.staged = document
            state.log("\(document.revision) waits to be activated")
            return state.answer(request, .success(.staged))
        }
        put(document, &state)
        state.effects.swap?.request = request
    }

    /// Handles an answer without a newer document than the one whose validators were sent.
    private func confirm(_ request: Request, _ state: inout State) {
        let now = state.now
        if state.staged != nil {
            state.staged?.confirmedAt = now
        } else {
            state.active?.confirmedAt = now
            state.active?.isFromCache = false
        }
        state.log("nothing new")
        state.answer(request, .success(.unchanged))
    }

    // MARK: In force

    package func activate() -> Bool {
        change { state in
            guard let staged = state.staged else { return false }
            state.staged = nil
            put(staged, &state)
            state.effects.writesCache = true
            return true
        }
    }

    /// Puts a document in force; `nil` withdraws the active one, so that the values are those of the bootstrap.
    func put(_ document: RemoteDocument?, isOtherSubject: Bool = false, _ state: inout State) {
        state.active = document
        state.effects.swap = (document, isOtherSubject, nil)
    }
}
