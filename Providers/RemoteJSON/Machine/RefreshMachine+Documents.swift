#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif
import TacklineCore

// Foundation: `Date` is kept in the cache.

/// The documents that a provider has, each with its own age.
struct DocumentAges: Sendable {
    /// A document, and when the server gave or confirmed it.
    struct Held: Sendable {
        let document: RemoteDocument
        let fetchedDate: Date
        var confirmedAt: Duration
        var confirmedDate: Date
    }

    /// The one that was accepted last: in force, staged, or in the cache for the next start.
    var newest: Held?
    /// Whether ``newest`` waits to be activated.
    var isStaged = false
    /// The one whose values are in force, and where from.
    var active: Held?
    var source: RemoteJSONSource?
    var isStaleTold = false
    /// The confirmation that the cache knows of.
    var keptConfirmation: Duration?

    /// When what is in force becomes stale or is withdrawn.
    func nextChange(_ rules: RefreshRules) -> Duration? {
        guard let active else { return nil }
        let expiry = active.confirmedAt + rules.timeToLive
        return isStaleTold ? expiry : min(expiry, active.confirmedAt + rules.staleAfter)
    }
}

/// What a cache held, read and verified but not yet judged by its age.
struct CachedDocument: Sendable {
    /// `nil` if there was only a ``notBefore`` to remember.
    var document: RemoteDocument?
    var fetchedDate: Date
    var confirmedDate: Date
    var notBefore: Date?
    /// The highest version that an earlier run has accepted.
    var highestVersion: Int128?
}

extension RefreshMachine {
    // MARK: From the server

    mutating func accept(_ document: RemoteDocument, _ number: Int) {
        schedule.succeeded(at: now, interval: rules.pollInterval, random: moment.random)
        lastError = nil
        let held = DocumentAges.Held(
            document: document, fetchedDate: moment.wall, confirmedAt: now, confirmedDate: moment.wall)
        documents.newest = held
        wantsWhole = false
        if rules.findsStream { follow(document.stream) }
        if rules.isTrusting { history.accept(document) }
        documents.isStaged = rules.activation != .immediate
        guard rules.activation == .immediate else {
            emit(.tell(.staged(document.revision)))
            if rules.activation == .nextStart { writeValues(held) }
            return emit(.answer(number, .outcome(.staged)))
        }
        put(held, source: .fresh, telling: [], tellsUnchanged: true)
        writeValues(held)
        emit(.answer(number, .swapped))
    }

    /// The server has nothing newer than what was sent to it.
    mutating func confirm(_ request: Request) {
        schedule.succeeded(at: now, interval: rules.pollInterval, random: moment.random)
        lastError = nil
        if var newest = documents.newest, newest.document === request.current {
            newest.confirmedAt = now
            newest.confirmedDate = moment.wall
            documents.newest = newest
            if documents.active?.document === newest.document {
                documents.active = newest
                if documents.source != .fresh || documents.isStaleTold { emit(.tell(.ready(.fresh))) }
                documents.source = .fresh
                documents.isStaleTold = false
            }
            let isKept = rules.activation != .manual || !documents.isStaged
            let isDue = documents.keptConfirmation.map { now - $0 >= rules.confirmationKeptFor } ?? true
            if isKept, isDue { writeState() }
        } else {
            // It was withdrawn while the server confirmed it: ask again, for all of it.
            wish()
        }
        emit(.tell(.unchanged))
        emit(.answer(request.number, .outcome(.unchanged)))
    }

    // MARK: From the cache

    mutating func takeCached(_ cached: CachedDocument?, of url: URL) {
        guard url == self.url, cache == .reading else { return ignore("a cache was read that is not wanted any more") }
        cache = .read
        guard let cached else { return }
        // Whatever comes of the document itself.
        if rules.isTrusting { history.remember(cached.highestVersion) }
        // Nobody knows the age of what is from the future, beyond what clocks may differ, nor when its time is over.
        let lead = Duration.seconds(max(cached.fetchedDate, cached.confirmedDate).timeIntervalSince(moment.wall))
        guard lead <= rules.clockSkewAllowance else {
            return emit(.warn("the cached document was not used: it is from the future, says the clock on the wall"))
        }
        if let notBefore = cached.notBefore { forbid(until: notBefore) }
        let age = max(Duration.zero, Duration.seconds(moment.wall.timeIntervalSince(cached.confirmedDate)))
        guard let document = cached.document, documents.newest == nil else { return }
        guard age < rules.timeToLive else {
            return emit(.warn("the cached document was not used: its time to live is over"))
        }
        if let reason = refusal(of: document) {
            return emit(.warn("the cached document was not used: \(reason)"))
        }
        if rules.isTrusting { history.keep(document) }
        let held = DocumentAges.Held(
            document: document, fetchedDate: cached.fetchedDate, confirmedAt: now - age,
            confirmedDate: cached.confirmedDate)
        documents.newest = held
        documents.isStaged = false
        documents.keptConfirmation = held.confirmedAt
        put(held, source: .cached, telling: [.ready(.cached)])
    }

    /// However the clock on the wall was set since, silence lasts no longer than a server can ask for.
    private mutating func forbid(until date: Date) {
        let rest = min(Duration.seconds(date.timeIntervalSince(moment.wall)), RetryAfter.range.upperBound)
        guard rest > .zero else { return }
        let spread = rules.pollInterval ?? rules.retryTimes.longest
        schedule.forbid(until: now + rest, spread: spread, random: moment.random)
        emit(.tell(.throttled(until: moment.date(of: now + rest))))
    }

    // MARK: In force

    mutating func activate() {
        guard documents.isStaged, let staged = documents.newest else { return ignore("no document waits") }
        documents.isStaged = false
        guard now - staged.confirmedAt < rules.timeToLive else {
            documents.newest = nil
            return ignore("the document that waits is too old to be activated")
        }
        put(staged, source: .fresh, telling: [.activated(staged.document.revision)])
        if rules.activation == .manual { writeValues(staged) }
    }

    /// Puts a document in force.
    private mutating func put(
        _ held: DocumentAges.Held, source: RemoteJSONSource, telling first: [RemoteJSONEvent],
        tellsUnchanged: Bool = false
    ) {
        let wasFresh = documents.source == .fresh && !documents.isStaleTold
        documents.active = held
        documents.source = source
        documents.isStaleTold = false
        let isFresh = source == .fresh && now - held.confirmedAt < rules.staleAfter
        let events = first + (isFresh && !wasFresh ? [.ready(.fresh)] : [])
        emit(.swap(Swap(document: held.document, first: events, source: source, tellsUnchanged: tellsUnchanged)))
        emit(.ready(true))
    }

    /// Notices that what is in force has become stale, or too old to go by.
    mutating func age() {
        guard let active = documents.active else { return }
        let age = now - active.confirmedAt
        if age >= rules.timeToLive {
            if let newest = documents.newest, now - newest.confirmedAt >= rules.timeToLive { documents.newest = nil }
            withdraw()
        } else if age >= rules.staleAfter, !documents.isStaleTold {
            documents.isStaleTold = true
            emit(.tell(.stale(since: moment.date(of: active.confirmedAt))))
        }
    }

    /// Takes all values back to what was shipped with the program.
    mutating func withdraw(isOtherSubject: Bool = false) {
        let source = documents.source ?? .cached
        documents.active = nil
        documents.source = nil
        documents.isStaleTold = false
        documents.isStaged = documents.isStaged && documents.newest != nil
        emit(.swap(Swap(document: nil, source: source, isOtherSubject: isOtherSubject)))
        emit(.ready(false))
    }

    // MARK: To the cache

    private mutating func writeValues(_ held: DocumentAges.Held) {
        // What was kept from another URL stays in the cache of that one.
        guard held.document.url == url else { return }
        documents.keptConfirmation = held.confirmedAt
        emit(.writeCache(.values(held)))
        // Beside it, since it has to last longer than the document.
        if rules.isTrusting, history.keep(held.document) { writeState() }
    }

    /// Keeps the last confirmation and the silence, in a small file beside that of the values.
    mutating func writeState() {
        let isNewestKept = rules.activation != .manual || !documents.isStaged
        let held = isNewestKept ? documents.newest : documents.active
        let kept = held?.document.url == url ? held : nil
        documents.keptConfirmation = kept?.confirmedAt
        let notBefore = schedule.silence.map { moment.date(of: $0.until) }
        guard kept != nil || notBefore != nil || history.kept != nil else { return }
        emit(.writeCache(.state(url, kept, notBefore: notBefore, highestVersion: history.kept)))
    }
}
