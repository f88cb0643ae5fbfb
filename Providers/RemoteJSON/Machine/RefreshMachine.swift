#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore

// Foundation: `URL` and `Date` belong to requests and events.

/// Decides everything that a ``RemoteJSONProvider`` does, and does nothing itself: no clock, no lock, no input or output.
///
/// ``handle(_:at:)`` takes what happened and returns what is to be done about it, in order. It is the only way to change
/// the state. ``RefreshDriver`` carries the effects out. The law:
///
/// **Life.** Idle, running, stopped, running again: a start after a stop always runs, a second start is refused.
/// `stopped` is the last thing told of a run. After it nothing is told but what the application itself does to the
/// values of a provider at rest: `activate()`, and `setURL` without keeping them.
///
/// **Requests.** There is at most one. Whoever asks meanwhile joins it; it is given up when the last of those who asked by
/// `refresh()` has left, unless the machine wanted it itself, and when the provider is suspended, switched offline,
/// stopped or turned to another URL. Each has a number, and an answer with the number of no present request changes
/// nothing. None is sent before the cache was read, so that it can be conditional, and none takes longer than the total
/// deadline, whatever it hangs at.
///
/// **When.** By itself the machine asks while it runs, is not suspended and not offline: when the next poll is due, or an
/// event of the stream wants it, and after failures not before the backoff allows. What the application does (`start()`
/// after `stop()`, `resume()`, `setOffline(false)`, `refresh()`) asks at once, backoff or not. Nobody asks before the end
/// of the silence that the server demanded, and by itself the machine lets a random part of a poll interval pass after it,
/// so that a date does not bring all clients back at once. Silence belongs to a host and outlives a change of the URL.
///
/// **Documents.** The *newest* is the one whose validators are sent. The *active* one is in force. They differ while a new
/// one is staged, or after the URL was changed. A swap and the telling of its changes are one effect; the document and its
/// tag are taken over in the same step. The cache is written afterwards, and those who wait are answered last.
///
/// **Age.** Each document has an age of its own, counted from when the server gave it or confirmed it. What is in force is
/// stale, or withdrawn, by its own age: confirming a staged document keeps the superseded one not fresh, and a document
/// that waited for hours is that much older when it is activated.
///
/// **Trust.** Where documents are signed, a version that was accepted once is the lowest from then on: in this run, and as soon
/// as the document is in the cache, in the next ones too. A document of that version is that one and no other. What has
/// expired is not confirmed.
///
/// **Stream.** There is at most one connection, with a number like a request. It is open while the machine runs, is not
/// suspended and not offline. It is opened again after waits that double, until the server says that it wants none. While
/// its host fails to give documents, too, nobody connects; when it does again, all come back over as long as they were away,
/// though not longer than three poll intervals.
///
/// **No silence.** Each event changes something or causes an effect, unless what it wants is wanted already; what does not
/// fit is ``Effect/ignored(_:)``.
struct RefreshMachine: Sendable {
    enum Life: Sendable { case idle, running, stopped }

    /// When something happens, on both clocks, with a random number from 0 to 1: all drawn before any lock is taken, since
    /// an application may have supplied them.
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
        case offline(Bool)
        /// Somebody calls `refresh()` and waits.
        case refreshAsked
        /// Somebody waits no longer for the request with this number.
        case waiterLeft(Int)
        /// What the cache of a URL holds.
        case cacheRead(URL, CachedDocument?)
        case cacheWriteFailed(FlagProviderError)
        /// The result of the request with this number.
        case response(Int, FetchResult)
        /// By how much the clock on the wall is ahead of that of whom the request with this number went to.
        case clockCompared(Int, lead: Duration)
        /// What the connection with this number brought.
        case stream(Int, StreamNews)
        /// The armed instant has come.
        case timer
        case urlChanged(URL, streamURL: URL?, keepsValues: Bool)
        case activated
    }

    enum Effect: Sendable {
        case readCache(URL)
        case request(Int, URL, current: RemoteDocument?)
        case cancelRequest(Int)
        case connect(Int, URL, StreamMemory)
        case disconnect(Int)
        /// Send ``Event/timer`` at this instant and at none armed before; `nil` for never.
        case arm(Duration?)
        case swap(Swap)
        case writeCache(CacheWriting)
        case tell(RemoteJSONEvent)
        /// A line for the log that is no event.
        case warn(String)
        /// There are values now, or there are none any more.
        case ready(Bool)
        /// Whoever called `refresh()` waits for the request with this number, or is refused.
        case joined(Int)
        case refused(FlagProviderError)
        /// The end of a request, for all who wait for it.
        case answer(Int, Answer)
        /// The run is over.
        case ended
        case ignored(String)
    }

    /// Values that come into force, and what is told of it: first these events, then what changed.
    struct Swap: Sendable {
        /// `nil` for what was shipped with the program.
        var document: RemoteDocument?
        var first: [RemoteJSONEvent] = []
        var source: RemoteJSONSource
        /// Whether it is told that nothing changed, where nothing did.
        var tellsUnchanged = false
        /// Whether the values before belong to another user.
        var isOtherSubject = false
    }

    enum CacheWriting: Sendable {
        /// The document with everything about it.
        case values(DocumentAges.Held)
        /// When the document with these bytes was confirmed, and how long the server wants silence; `nil` for no document.
        /// And how far the versions of signed documents have come.
        case state(URL, DocumentAges.Held?, notBefore: Date?, highestVersion: Int128?)
    }

    enum Answer: Sendable {
        /// What the swap before it changed.
        case swapped
        case outcome(FlagRefreshOutcome)
        case failure(FlagProviderError)
    }

    struct Request: Sendable {
        let number: Int
        /// Not sent before, since the one before was asked for just now.
        var earliest: Duration
        /// How many wait who called `refresh()`.
        var waiters: Int
        /// Whether the machine wants it itself.
        var isOwn: Bool
        var sentAt: Duration?
        /// The document whose validators were sent.
        var current: RemoteDocument?
    }

    enum CacheState: Sendable { case unread, reading, read }

    let rules: RefreshRules
    var url: URL
    var streamURL: URL?
    var life = Life.idle
    var isSuspended = false
    var isOffline = false
    var schedule: RefreshSchedule
    /// The silence that hosts demanded from which the provider has turned away.
    var silences: [String: RefreshSchedule.Silence] = [:]
    var cache = CacheState.unread
    var request: Request?
    var documents = DocumentAges()
    var history = DocumentHistory()
    var connection = StreamConnection()
    var lastError: FlagProviderError?
    private var lastNumber = 0
    /// When somebody called `refresh()` last, or may have the next request sent.
    var lastAsked: Duration?
    var hasWarned = false
    /// Whether the next request is made without conditions.
    var wantsWhole = false
    private var armed: Duration?
    /// Of the event that is being handled.
    var moment: Moment
    private var effects: [Effect] = []

    init(url: URL, rules: RefreshRules, at moment: Moment) {
        self.url = url
        self.rules = rules
        self.moment = moment
        streamURL = rules.streamURL
        schedule = RefreshSchedule(now: moment.now, retryTimes: rules.retryTimes)
    }

    var now: Duration { moment.now }
    var isRunning: Bool { life == .running }
    /// Whether the machine asks by itself.
    var isAwake: Bool { isRunning && !isSuspended && !isOffline }

    /// Takes what happened into account.
    ///
    /// - Returns: What is to be done, in order and before the next event is handled.
    mutating func handle(_ event: Event, at moment: Moment) -> [Effect] {
        // Moments are drawn before the lock is taken, so that one may overtake another; time never goes back for it.
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
        case .offline(let isOffline): setOffline(isOffline)
        case .refreshAsked: ask()
        case .waiterLeft(let number): leave(number)
        case .cacheRead(let url, let cached): takeCached(cached, of: url)
        case .cacheWriteFailed(let error):
            if life == .stopped {
                ignore("after the stop: \(error.reason)")
            } else {
                emit(.tell(.cacheWriteFailed(error)))
            }
        case .response(let number, let result): takeResponse(result, number)
        case .clockCompared(let number, let lead): compareClock(lead, number)
        case .stream(let number, let news): takeNews(news, number)
        case .timer:
            if armed == nil { ignore("a timer fired that was not armed") }
            armed = nil
        case .urlChanged(let url, let streamURL, let keepsValues): turn(to: url, streamURL, keepsValues)
        case .activated: activate()
        }
    }

    /// Does what is due at this moment, and arms the timer for what is due next.
    private mutating func proceed() {
        if cache == .unread, isRunning || request != nil {
            cache = .reading
            emit(.readCache(url))
        }
        if isRunning { age() }
        sendRequest()
        followStream()
        let next = nextInstant()
        // A timer that has fired is gone, so that one for never needs no effect then.
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

    // MARK: Effects

    mutating func emit(_ effect: Effect) {
        effects.append(effect)
    }

    mutating func ignore(_ reason: String) {
        emit(.ignored(reason))
    }

    func error(_ code: FlagProviderError.Code, _ reason: String, advice: String? = nil) -> FlagProviderError {
        FlagProviderError(code, provider: rules.name, reason: reason, advice: advice)
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
    }

    private mutating func stop() {
        guard isRunning else { return ignore("it was stopped though it does not run") }
        giveUp("the provider was stopped")
        disconnect()
        // What is still on its way from the disk belongs to this run.
        if cache == .reading { cache = .unread }
        life = .stopped
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
    }

    private mutating func turn(to url: URL, _ streamURL: URL?, _ keepsValues: Bool) {
        let streamURL = streamURL ?? (rules.findsStream && url != self.url ? nil : self.streamURL)
        guard url != self.url || streamURL != self.streamURL else {
            return ignore("it was turned to the URL that it has")
        }
        disconnect()
        connection = StreamConnection()
        self.streamURL = streamURL
        guard url != self.url else { return emit(.warn("turned to another stream")) }
        giveUp("the provider turned to another URL")
        if let host = self.url.host() { silences[host] = schedule.silence }
        schedule = RefreshSchedule(now: now, retryTimes: rules.retryTimes)
        schedule.silence = url.host().flatMap { silences.removeValue(forKey: $0) }
        self.url = url
        wantsWhole = false
        cache = .unread
        lastAsked = nil
        lastError = nil
        documents.newest = nil
        documents.isStaged = false
        history = DocumentHistory()
        emit(.warn("turned to another URL"))
        if !keepsValues { withdraw(isOtherSubject: true) }
    }
}
