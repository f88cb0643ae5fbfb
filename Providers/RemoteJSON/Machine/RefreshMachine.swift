import Foundation
import TacklineCore

// Foundation: `URL` and `Date` belong to requests and events.

/// The state machine that makes all decisions of a ``RemoteJSONProvider``. It carries nothing out: it uses no clock, no
/// lock, no input and no output.
///
/// ``handle(_:at:)`` takes an event and returns its effects, in order. It is the only way to change the state.
/// ``RefreshDriver`` carries the effects out. The machine follows these rules:
///
/// **Life.** The machine is idle, running, stopped, or running again. A start after a stop always runs; a second start
/// is refused. `stopped` is the last event of a run. After it, only the application's own changes to the values send
/// events: `activate()`, and a change of the address.
///
/// **Requests.** There is at most one request. A `refresh()` before it is sent joins it; later ones share the next
/// request, so that no caller gets a state from before its call. In a dialect that keeps answers for a while anyway,
/// they join it too. The request is cancelled when its last caller has left, unless the machine wanted it too, and when
/// the provider is suspended, switched offline, stopped or given another address. Each request has a number, and an
/// answer with another number than the current request's changes nothing. No request is sent before the cache was read,
/// so that it can be conditional, and none takes longer than the total deadline.
///
/// **Address.** A document belongs to a URL and a subject. When the subject changes, the former subject's document and
/// validators are withdrawn in the same step, and its request is cancelled.
///
/// **Cache.** It is read before the first event, or at the first start or request. If its values came into force before
/// the first start, the first start sends their event.
///
/// **Schedule.** The machine sends requests by itself while it runs, is not suspended and not offline: when the next
/// poll is due, when an event of the stream announces a change, and after failures not before the backoff allows. Calls
/// of the application (`start()` after `stop()`, `resume()` with old values, `setOffline(false)`, `refresh()`) cause a
/// request at once, regardless of the backoff. When the network returns, the backoff starts again. No request is sent
/// before the end of the silence that the server asked for. The machine's own requests wait for a random part of a poll
/// interval longer, so that not all clients return at once. Silence belongs to a host and outlives a change of the
/// address.
///
/// **Documents.** The *newest* document is the one whose validators are sent. The *active* one is in force. They differ
/// while a new one is staged, or after the URL was changed. A swap and the events of its changes are one effect; the
/// document and its tag change in the same step. The cache is written afterwards, and waiting callers are answered
/// last.
///
/// **Age.** Each document has an age of its own, counted from the time when the server sent or last confirmed it. The
/// active document becomes stale, or is withdrawn, by its own age. Confirming a staged document doesn't renew the
/// active one, and a document that was staged for hours is that old when it is activated.
///
/// **Trust.** If documents are signed, an accepted version is the lowest from then on: in this run, and in later runs
/// as soon as the document is in the cache. There is only one document of that version. A document that has expired
/// can't be confirmed.
///
/// **Stream.** There is at most one connection, with a number like a request's. It is open while the machine runs, is
/// not suspended and not offline. It is opened again after waits that double, until the server wants no more
/// connections. When the network returns, the waits start again. While requests to its host fail, it is not opened. When
/// they succeed again, the clients return over a time as long as the absence, but at most three poll intervals.
///
/// **Completeness.** Each event changes something or causes an effect, unless the event's request is pending already.
/// An event that doesn't fit causes ``Effect/ignored(_:)``.
struct RefreshMachine: Sendable {
    enum Life: Sendable { case idle, running, stopped }

    /// The time of an event on both clocks, with a random number from 0 to 1. All are drawn before any lock is taken,
    /// since the application may supply them.
    struct Moment: Sendable {
        var now: Duration
        var wall: Date
        var random: Double

        func date(of instant: Duration) -> Date { wall.addingTimeInterval((instant - now) / .seconds(1)) }
    }

    enum Event: Sendable {
        case started
        case stopped
        case suspended
        case resumed
        /// The network may have returned.
        case networkReturned
        case offline(Bool)
        /// A caller of `refresh()` waits.
        case refreshAsked
        /// A caller no longer waits for the request with this number.
        case waiterLeft(Int)
        /// The content of an address's cache was read.
        case cacheRead(RemoteAddress, CachedDocument?)
        case cacheWriteFailed(FlagError)
        /// The cache may have become readable.
        case cacheAvailable
        /// The result of the request with this number.
        case response(Int, FetchResult)
        /// The time by which the wall clock is ahead of the server's, by the answer to the request with this number.
        case clockCompared(Int, lead: Duration)
        /// An event of the connection with this number.
        case stream(Int, StreamNews)
        /// The armed instant has come.
        case timer
        case turned(RemoteAddressChange)
        case activated
    }

    enum Effect: Sendable {
        case readCache(RemoteAddress)
        case request(Int, URL, current: RemoteDocument?)
        case cancelRequest(Int)
        case connect(Int, URL, StreamMemory)
        case disconnect(Int)
        /// Sends ``Event/timer`` at this instant and at none armed before; `nil` for never.
        case arm(Duration?)
        case swap(Swap)
        case writeCache(CacheWriting)
        case tell(RemoteJSONEvent)
        /// A line for the log that is no event.
        case warn(String)
        /// The provider now has values, or has none any more.
        case ready(Bool)
        /// A document is staged, or no values are to be expected, so waiting for values ends.
        case settled
        /// A caller of `refresh()` waits for the request with this number.
        case joined(Int)
        case refused(FlagError)
        /// The result of a request, for all callers that wait for it.
        case answer(Int, Answer)
        /// The run is over.
        case ended
        case ignored(String)
    }

    /// A change of the values in force, with the events to send: first these events, then the changes.
    struct Swap: Sendable {
        /// The document; `nil` for the bootstrap.
        var document: RemoteDocument?
        var first: [RemoteJSONEvent] = []
        var source: RemoteJSONSource
        /// Whether ``RemoteJSONEvent/unchanged`` is sent if no value changed.
        var tellsUnchanged = false
        /// Whether the former values belong to another user.
        var isOtherSubject = false
    }

    enum CacheWriting: Sendable {
        /// The document and its data.
        case values(RemoteAddress, DocumentAges.Held)
        /// Removes the document.
        case removal(RemoteAddress)
        /// When the document with these bytes was confirmed, and how long the server wants silence; `nil` for no
        /// document. And how far the versions of signed documents have come.
        case state(RemoteAddress, DocumentAges.Held?, notBefore: Date?, versions: SignedVersions)
    }

    enum Answer: Sendable {
        /// The changes of the swap before it.
        case swapped
        case outcome(FlagRefreshOutcome)
        case failure(FlagError)
    }

    struct Request: Sendable {
        let number: Int
        /// The earliest time to send the request, because of the gap after the one before.
        var earliest: Duration
        /// The number of callers of `refresh()` that wait.
        var waiters: Int
        /// Whether the machine wants the request itself.
        var isOwn: Bool
        var sentAt: Duration?
        /// The document whose validators were sent.
        var current: RemoteDocument?
    }

    enum CacheState: Sendable { case unread, reading, read }

    let rules: RefreshRules
    var address: RemoteAddress
    var streamURL: URL?
    var life = Life.idle
    var isSuspended = false
    var isOffline = false
    var schedule: RefreshSchedule
    /// The silences of hosts that the provider no longer uses.
    var silences: [String: RefreshSchedule.Silence] = [:]
    var cache = CacheState.unread
    /// Whether values from the cache came into force before the first start, whose event is still to be sent.
    var hasUntoldCache = false
    var request: Request?
    /// The next request, for callers that ask after the current one was sent.
    var nextRequest: Request?
    var documents = DocumentAges()
    var history = DocumentHistory()
    var connection = StreamConnection()
    var announcement: Announcement?
    var lastError: FlagError?
    private var lastNumber = 0
    /// The earliest time to send the last request that `refresh()` made.
    var lastAsked: Duration?
    var hasWarned = false
    /// Whether the next request has no conditions.
    var wantsWhole = false
    private var armed: Duration?
    /// The moment of the current event.
    var moment: Moment
    private var effects: [Effect] = []

    init(url: URL, subject: String? = nil, rules: RefreshRules, at moment: Moment) {
        address = RemoteAddress(url: url, subject: subject)
        self.rules = rules
        self.moment = moment
        streamURL = rules.streamURL
        schedule = RefreshSchedule(now: moment.now, retryTimes: rules.retryTimes)
    }

    var url: URL { address.url }
    var now: Duration { moment.now }
    var isRunning: Bool { life == .running }
    /// Whether the machine sends requests by itself.
    var isAwake: Bool { isRunning && !isSuspended && !isOffline }

    /// Handles an event.
    ///
    /// - Returns: The effects, in order. They are to be carried out before the next event is handled.
    mutating func handle(_ event: Event, at moment: Moment) -> [Effect] {
        // Moments are drawn before the lock is taken, so they may arrive out of order. Time never decreases
        // nevertheless.
        let last = now
        self.moment = moment
        self.moment.now = max(moment.now, last)
        take(event)
        proceed()
        defer { effects = [] }
        return effects
    }

    private mutating func take(_ event: Event) {
        switch event {
        case .started: start()
        case .stopped: stop()
        case .suspended: suspend()
        case .resumed: resume()
        case .networkReturned: returnToNetwork()
        case .offline(let isOffline): setOffline(isOffline)
        case .refreshAsked: ask()
        case .waiterLeft(let number): leave(number)
        case .cacheRead(let address, let cached): takeCached(cached, of: address)
        case .cacheWriteFailed(let error):
            if life == .stopped {
                ignore("after the stop: \(error.reason)")
            } else {
                emit(.tell(.cacheWriteFailed(error)))
            }
        case .cacheAvailable:
            guard cache == .read, documents.newest == nil else { return ignore("the cache needs no second reading") }
            cache = .unread
        case .response(let number, let result): takeResponse(result, number)
        case .clockCompared(let number, let lead): compareClock(lead, number)
        case .stream(let number, let news): takeNews(news, number)
        case .timer:
            if armed == nil { ignore("a timer fired that was not armed") }
            armed = nil
        case .turned(let change):
            turn(change)
            // Before the request of the change is sent, whose answer serves both.
            if change.isAwaited { ask() }
        case .activated: activate()
        }
    }

    /// Performs what is due, and arms the timer for the next instant.
    private mutating func proceed() {
        if cache == .unread, isRunning || request != nil {
            cache = .reading
            emit(.readCache(address))
        }
        if isRunning { age() }
        sendRequest()
        followStream()
        let next = nextInstant()
        // A timer that has fired is gone, so one for never needs no effect then.
        guard next != armed else { return }
        armed = next
        emit(.arm(next))
    }

    private func nextInstant() -> Duration? {
        var instants: [Duration?] = []
        if let request {
            if let sentAt = request.sentAt {
                instants.append(sentAt + rules.totalDeadline)
            } else if cache == .read {
                instants.append(request.earliest)
            }
        }
        if isRunning { instants.append(documents.nextChange(rules)) }
        if isAwake {
            if request == nil, cache == .read { instants.append(schedule.due) }
            instants.append(connectionDue)
        }
        return instants.compactMap { $0 }.min()
    }

    /// Whether there may be values soon: no document is staged, the server doesn't refuse, and requests are made.
    var isHopeful: Bool {
        if documents.active != nil || request != nil || nextRequest != nil { return true }
        if case .misconfigured? = schedule.trouble { return false }
        return life != .stopped && !isOffline && !documents.isStaged
    }

    // MARK: Effects

    mutating func emit(_ effect: Effect) {
        effects.append(effect)
    }

    mutating func ignore(_ reason: String) {
        emit(.ignored(reason))
    }

    func error(_ code: FlagError.Code, _ reason: String, advice: String) -> FlagError {
        FlagError(code, provider: rules.name, reason: reason, advice: advice)
    }

    mutating func newNumber() -> Int {
        lastNumber += 1
        return lastNumber
    }

    // MARK: Life

    private mutating func start() {
        guard !isRunning else {
            let advice = "Let one task run it, or call start() alone"
            return emit(.refused(error("already-running", "run() was called while it runs already", advice: advice)))
        }
        schedule.pardon()
        if life == .stopped { wish() }
        life = .running
        connection.reset()
        if hasUntoldCache, documents.source == .cached { emit(.tell(.ready(.cached))) }
        hasUntoldCache = false
    }

    private mutating func stop() {
        guard isRunning else { return ignore("it was stopped though it does not run") }
        giveUp("the provider was stopped")
        disconnect()
        // A cache that is still being read belongs to this run.
        if cache == .reading { cache = .unread }
        life = .stopped
        if !isHopeful { emit(.settled) }
        emit(.tell(.stopped))
        emit(.ended)
    }

    private mutating func suspend() {
        guard !isSuspended else { return ignore("it was suspended though it is suspended already") }
        isSuspended = true
        if life == .stopped { ignore("it was suspended after the stop") } else { emit(.tell(.suspended)) }
        giveUp("the provider was suspended")
    }

    private mutating func resume() {
        guard isSuspended else { return ignore("it was resumed though it is not suspended") }
        isSuspended = false
        if life == .stopped { ignore("it was resumed after the stop") } else { emit(.tell(.resumed)) }
        wantsWhole = rules.findsStream && streamURL != nil
        let age = documents.active.map { now - $0.confirmedAt }
        if isRunning, wantsWhole || age.map({ $0 >= rules.foregroundRefreshAge }) ?? true { wish() }
    }

    private mutating func setOffline(_ isOffline: Bool) {
        guard isOffline != self.isOffline else {
            return ignore("it was switched \(isOffline ? "off" : "on")line though it is already")
        }
        self.isOffline = isOffline
        emit(.warn(isOffline ? "switched offline" : "switched online"))
        if isOffline { giveUp("the provider was switched offline") } else if isRunning { wish() }
        if !isHopeful { emit(.settled) }
    }
}
