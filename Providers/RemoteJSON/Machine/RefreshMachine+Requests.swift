import Foundation
import TacklineCore

// Foundation: `Date` is part of error messages.

extension RefreshMachine {
    mutating func ask() {
        if let refusal { return emit(.refused(refusal)) }
        if request?.sentAt == nil || rules.joinsSentRequests {
            request = joined(request)
        } else {
            nextRequest = joined(nextRequest)
        }
    }

    /// Adds a waiting caller to an unsent request, or to a new one.
    private mutating func joined(_ request: Request?) -> Request {
        var request = request ?? newRequest()
        request.waiters += 1
        emit(.joined(request.number))
        return request
    }

    private mutating func newRequest() -> Request {
        let earliest = max(now, lastAsked.map { $0 + rules.minimumManualRefreshGap } ?? now)
        lastAsked = earliest
        return Request(number: newNumber(), earliest: earliest, waiters: 0, isOwn: false)
    }

    /// The reason why requests are refused at present; `nil` if they are not.
    private var refusal: FlagError? {
        if life == .stopped {
            return error("stopped", "it was stopped", advice: "Call run() or start() before refresh()")
        }
        if isOffline {
            return error("offline", "it is switched offline", advice: "Call setOffline(false) before refresh()")
        }
        if let silence = schedule.silence, silence.until > now {
            let until = moment.date(of: silence.until).formatted(.iso8601)
            return error(
                "throttled", "the server asked for no requests until \(until)", advice: "Call refresh() after that")
        }
        return nil
    }

    mutating func leave(_ number: Int) {
        if nextRequest?.number == number {
            nextRequest?.waiters -= 1
            if nextRequest?.waiters == 0 { endNextRequest("no caller waits for it any more") }
            return
        }
        guard var request, request.number == number, request.waiters > 0 else {
            return ignore("a caller left a request that is over")
        }
        request.waiters -= 1
        self.request = request
        guard request.waiters == 0, !request.isOwn else { return }
        endRequest("no caller waits for it any more")
    }

    /// Ends the waits of requests and of the stream, because they may succeed now.
    mutating func returnToNetwork() {
        guard isAwake else { return ignore("the network returned, and nothing is asked for") }
        let (requests, stream) = (schedule.networkReturned(at: now), connection.networkReturned(at: now))
        guard requests || stream else { return ignore("the network returned, and nothing had failed") }
        emit(.warn("the network may have returned"))
    }

    /// Requests the document on behalf of the application. A current request suffices.
    mutating func wish() {
        if request != nil, isAwake { request?.isOwn = true } else { schedule.wish(at: now) }
    }

    /// Cancels the current request, whose answer is then dropped, and the next one.
    mutating func giveUp(_ reason: String) {
        endRequest(reason)
        endNextRequest(reason)
    }

    private mutating func endNextRequest(_ reason: String) {
        guard let next = nextRequest else { return }
        nextRequest = nil
        emit(.answer(next.number, .failure(error(.cancelled, reason, advice: "Call refresh() again"))))
    }

    private mutating func endRequest(_ reason: String) {
        guard let request else { return }
        self.request = nil
        // A request that the machine made by itself is repeated when it may be.
        if request.isOwn { wish() }
        if request.sentAt != nil { emit(.cancelRequest(request.number)) }
        emit(.answer(request.number, .failure(error(.cancelled, reason, advice: "Call refresh() again"))))
    }

    mutating func sendRequest() {
        if let sent = request, let sentAt = sent.sentAt, sentAt + rules.totalDeadline <= now {
            emit(.cancelRequest(sent.number))
            takeResponse(.late(rules.totalDeadline), sent.number)
        }
        if request == nil, let next = nextRequest { (request, nextRequest) = (next, nil) }
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
        // After a pause of the stream, missed events are unknown, so the request has no conditions.
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
        defer {
            if trouble != nil, schedule.trouble == nil { returnToStream() }
            judgeAnnouncement(result, of: request)
        }
        switch result {
        case .document(let document, let warning):
            if let warning, !hasWarned {
                hasWarned = true
                emit(.warn(warning))
            }
            if let reason = refusal(of: document) { return reject(.rejected(reason: reason, status: 200), number) }
            accept(document, number)
        case .unchanged:
            if let reason = refusalToConfirm(request.current) {
                return reject(.rejected(reason: reason, status: 304), number)
            }
            confirm(request)
        case .rejected: reject(result, number)
        case .failed(_, let retryAfter):
            schedule.failed(
                at: now, retryAfter: retryAfter, spread: rules.pollInterval ?? rules.retryTimes.longest,
                random: moment.random)
            fail(result, number)
            guard let silence = schedule.silence, retryAfter != nil else { return }
            emit(.tell(.throttled(until: moment.date(of: silence.until))))
            writeState()
        case .misconfigured(let status, _):
            schedule.misconfigured(status: status, at: now, isFinal: rules.finalStatuses.contains(status))
            if !isHopeful { emit(.settled) }
            fail(result, number)
        }
    }

    private mutating func reject(_ result: FetchResult, _ number: Int) {
        schedule.rejected(at: now, interval: rules.pollInterval, random: moment.random)
        fail(result, number)
    }

    /// Sends the event of a failure, and answers the callers of its request.
    private mutating func fail(_ result: FetchResult, _ number: Int) {
        guard let error = result.error(provider: rules.name) else { return }
        lastError = error
        if case .rejected(let reason, let status, _) = result {
            emit(.tell(.rejected(reason: reason, status: status)))
        } else {
            let retryAt = isRunning ? schedule.due.map { moment.date(of: $0) } : nil
            emit(.tell(.failed(error, attempt: schedule.attempt, retryAt: retryAt)))
        }
        emit(.answer(number, .failure(error)))
    }
}
