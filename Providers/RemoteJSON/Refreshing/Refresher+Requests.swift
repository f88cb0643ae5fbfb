import Foundation
import Synchronization
package import TacklineCore
import TacklineSigning

/// The requests of a refresher, and what comes of them.
extension Refresher {
    /// Asks the server, as ``RemoteJSONProvider/refresh()`` does.
    @discardableResult
    package func refresh() async throws(FlagError) -> FlagRefreshOutcome {
        let request = try change(resumes: false, join).get()
        if let outcome = await request.outcome.wait() { return try outcome.get() }
        change { leave(request, &$0) }
        throw HTTPFailure("the task that waited for the answer was cancelled", .cancelled).error(of: name)
    }

    /// Adds a caller to a request: to a new one, or during a request to the next one.
    private func join(_ state: inout State) -> Result<Request, FlagError> {
        if let refusal = refusal(state) { return .failure(refusal) }
        let request = state.next ?? Request()
        request.callers.add(1, ordering: .relaxed)
        if state.request == nil { send(request, &state) } else { state.next = request }
        return .success(request)
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

    /// Removes a caller. The last one takes its request along, unless the provider runs.
    private func leave(_ request: Request, _ state: inout State) {
        request.callers.subtract(1, ordering: .relaxed)
        if state.next?.hasCallers == false { state.next = nil }
        guard state.next == nil, state.request?.hasCallers == false, !state.schedule.isRunning else { return }
        state.cancel(state.task)
        state.request = nil
    }

    /// Sends a request, whose answer counts unless it is given up.
    func send(_ request: Request, _ state: inout State) {
        state.schedule.began()
        let (target, known) = (state.target, state.newest.flatMap { $0.isForTarget ? $0.conditions : nil } ?? [:])
        state.request = request
        state.task = Task {
            let result = await fetcher.fetch(target, conditions: known)
            change { if $0.request === request { finish(request, result, &$0) } }
        }
    }

    /// Cancels the request, whose answer is then dropped, and closes the stream.
    func giveUp(_ reason: String, _ state: inout State) {
        if state.request != nil { state.schedule.request(at: state.now) }
        state.cancel(state.task)
        let error = HTTPFailure(reason, .cancelled).error(of: name)
        for request in [state.request, state.next] {
            state.effects.work.append { request?.outcome.resolve(.failure(error)) }
        }
        (state.request, state.next) = (nil, nil)
        closeStream(&state)
    }

    // MARK: Answers

    private func finish(_ request: Request, _ result: Result<RemoteDocument?, HTTPFailure>, _ state: inout State) {
        state.request = nil
        do throws(HTTPFailure) {
            let document = try result.get()
            if let reason = refusal(of: document, after: state) { throw HTTPFailure(reason, .rejected) }
            note(nil, &state)
            state.schedule.answered(at: state.now, random: state.random)
            state.effects.writesCache = true
            if let document { accept(document, request, &state) } else { confirm(request, &state) }
        } catch {
            fail(error, &state)
            let error = error.error(of: name)
            note(error, &state)
            state.log("a request failed: \(error.reason)")
            state.effects.answer(request, .failure(error))
        }
        guard let next = state.next.take() else { return }
        if let refusal = throttled(state, at: state.moment) {
            state.effects.work.append { next.outcome.resolve(.failure(refusal)) }
        } else {
            send(next, &state)
        }
    }

    /// Notes the error of a request, or `nil`, and reports it before its callers continue.
    private func note(_ error: FlagError?, _ state: inout State) {
        state.lastError = error
        state.effects.work.append { [reporter, name] in reporter.take(error, of: name) }
    }

    private func fail(_ failure: HTTPFailure, _ state: inout State) {
        switch failure.code {
        // A repetition would bring the same answer, so the next request is at the usual time.
        case .rejected: state.schedule.answered(at: state.now, isRejected: true, random: state.random)
        case .misconfigured:
            state.schedule.refused(at: state.now, isFinal: failure.isFinal)
            if failure.isFinal { closeStream(&state) }
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
        if configuration.isEvaluating {
            // An open stream is kept, since a server may name another URL in each answer.
            state.streamURL = document.stream
            if document.stream == nil { closeStream(&state) }
        }
        guard configuration.activation == .immediate else {
            state.staged = document
            state.log("\(document.revision) waits to be activated")
            return state.effects.answer(request, .success(.staged))
        }
        put(document, &state)
        state.effects.swap?.request = request
    }

    /// Handles an answer without a newer document than the one whose validators were sent.
    private func confirm(_ request: Request, _ state: inout State) {
        let now = state.now
        if state.staged != nil {
            state.staged?.confirmedAt = now
        } else if state.active != nil {
            state.active?.confirmedAt = now
            state.active?.isFromCache = false
        } else {
            // It has expired meanwhile.
            state.schedule.request(at: now)
        }
        state.log("nothing new")
        state.effects.answer(request, .success(.unchanged))
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
    func put(_ document: RemoteDocument?, _ state: inout State) {
        state.active = document
        state.effects.swap = (document, false, nil)
    }
}
