#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore

// Foundation: `Date` goes into errors.

extension RefreshMachine {
    mutating func ask() {
        if let refusal { return emit(.refused(refusal)) }
        if request == nil {
            let earliest = max(now, lastAsked.map { $0 + rules.minimumManualRefreshGap } ?? now)
            lastAsked = earliest
            request = Request(number: newNumber(), earliest: earliest, waiters: 0, isOwn: false)
        }
        request?.waiters += 1
        if let request { emit(.joined(request.number)) }
    }

    /// Why nobody may ask at present.
    private var refusal: FlagProviderError? {
        if life == .stopped {
            return error("stopped", "it was stopped", advice: "Call run() or start() before refresh()")
        }
        if isOffline {
            return error("offline", "it is switched offline", advice: "Call setOffline(false) before refresh()")
        }
        if let silence = schedule.silence, silence.until > now {
            let until = moment.date(of: silence.until).formatted(.iso8601)
            return error(
                "throttled", "the server asked for silence until \(until)", advice: "Call refresh() after that")
        }
        return nil
    }

    mutating func leave(_ number: Int) {
        guard var request, request.number == number, request.waiters > 0 else {
            return ignore("somebody left a request that is over")
        }
        request.waiters -= 1
        self.request = request
        guard request.waiters == 0, !request.isOwn else { return }
        giveUp("nobody waits for it any more")
    }

    /// Has the server asked because the application does something; a request on its way will do.
    mutating func wish() {
        if request != nil, isAwake { request?.isOwn = true } else { schedule.wish(at: now) }
    }

    /// Ends the request, if there is one, whose answer is then dropped.
    mutating func giveUp(_ reason: String) {
        guard let request else { return }
        self.request = nil
        // What the machine itself wanted it still wants once it may.
        if request.isOwn { wish() }
        if request.sentAt != nil { emit(.cancelRequest(request.number)) }
        emit(.answer(request.number, .failure(error(.cancelled, reason))))
    }

    mutating func sendRequest() {
        if let sent = request, let sentAt = sent.sentAt, sentAt + rules.totalDeadline <= now {
            emit(.cancelRequest(sent.number))
            takeResponse(
                .failed(reason: "the answer was not complete within \(rules.totalDeadline)", retryAfter: nil),
                sent.number)
        }
        guard cache == .read else { return }
        if request == nil, isAwake, let due = schedule.due, due <= now {
            request = Request(number: newNumber(), earliest: now, waiters: 0, isOwn: true)
        }
        guard var request, request.sentAt == nil, request.earliest <= now else { return }
        if let refusal {
            self.request = nil
            return emit(.answer(request.number, .failure(refusal)))
        }
        request.sentAt = now
        // After a pause of the stream nobody knows what was missed.
        request.current = wantsWhole ? nil : documents.newest?.document
        self.request = request
        schedule.began(at: now)
        emit(.request(request.number, url, current: request.current))
    }

    mutating func takeResponse(_ result: FetchResult, _ number: Int) {
        guard let request, request.number == number, request.sentAt != nil else {
            return ignore("an answer came to a request that was given up")
        }
        self.request = nil
        let trouble = schedule.trouble
        defer { if trouble != nil, schedule.trouble == nil { returnToStream() } }
        switch result {
        case .document(let document, let warning):
            if let warning, !hasWarned {
                hasWarned = true
                emit(.warn(warning))
            }
            if let reason = refusal(of: document) { return reject(reason, status: 200, number) }
            accept(document, number)
        case .unchanged:
            if let reason = refusalToConfirm(request.current) { return reject(reason, status: 304, number) }
            confirm(request)
        case .rejected(let reason, let status):
            reject(reason, status: status, number)
        case .failed(let reason, let retryAfter):
            schedule.failed(
                at: now, retryAfter: retryAfter, spread: rules.pollInterval ?? rules.retryTimes.longest,
                random: moment.random)
            let error = error(.network, reason)
            fail(error, number, failure(error))
            guard let silence = schedule.silence, retryAfter != nil else { return }
            emit(.tell(.throttled(until: moment.date(of: silence.until))))
            writeState()
        case .misconfigured(let status, let detail):
            let reason = "the server answered with status \(status)\(detail.map { ": \($0)" } ?? "")"
            let error = error("misconfigured", reason, advice: "Check the URL and the authorization")
            schedule.misconfigured(status: status, at: now, isFinal: rules.finalStatuses.contains(status))
            fail(error, number, failure(error))
        }
    }

    private mutating func reject(_ reason: String, status: Int, _ number: Int) {
        let error = error(.rejected, "the document was rejected: \(reason)", advice: "Correct it on the server")
        schedule.rejected(at: now, interval: rules.pollInterval, random: moment.random)
        fail(error, number, .rejected(reason: reason, status: status))
    }

    private func failure(_ error: FlagProviderError) -> RemoteJSONEvent {
        let retryAt = isRunning ? schedule.due.map { moment.date(of: $0) } : nil
        return .failed(error, attempt: schedule.attempt, retryAt: retryAt)
    }

    private mutating func fail(_ error: FlagProviderError, _ number: Int, _ event: RemoteJSONEvent) {
        lastError = error
        emit(.tell(event))
        emit(.answer(number, .failure(error)))
    }
}
