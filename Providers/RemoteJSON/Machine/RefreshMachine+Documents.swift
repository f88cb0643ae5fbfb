import Foundation
import TacklineCore

// Foundation: `Date` is kept in the cache.

/// The documents of a provider, each with its own age.
struct DocumentAges: Sendable {
    /// A document, and the times at which the server sent and last confirmed it.
    struct Held: Sendable {
        let document: RemoteDocument
        let fetchedDate: Date
        var confirmedAt: Duration
        var confirmedDate: Date
    }

    /// The last accepted document: in force, staged, or in the cache for the next launch.
    var newest: Held?
    /// Whether ``newest`` is staged.
    var isStaged = false
    /// The document whose values are in force.
    var active: Held?
    var source: RemoteJSONSource?
    var isStaleTold = false
    /// The time of the confirmation that is recorded in the cache.
    var keptConfirmation: Duration?

    /// Returns the time at which the active document becomes stale or is withdrawn.
    func nextChange(_ rules: RefreshRules) -> Duration? {
        guard let active else { return nil }
        let expiry = active.confirmedAt + rules.timeToLive
        return isStaleTold ? expiry : min(expiry, active.confirmedAt + rules.staleAfter)
    }
}

/// The content of a cache, read and verified, before its age is checked.
struct CachedDocument: Sendable {
    /// The document; `nil` if the cache had only the state.
    var document: RemoteDocument?
    var fetchedDate: Date
    var confirmedDate: Date
    var notBefore: Date?
    /// The versions that earlier runs have accepted.
    var versions = SignedVersions()
    /// The highest of them that counts, by the keys that are trusted now.
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
            emit(.settled)
            if rules.activation == .nextLaunch { writeValues(held) }
            return emit(.answer(number, .outcome(.staged)))
        }
        put(held, source: .fresh, telling: [], tellsUnchanged: true)
        writeValues(held)
        emit(.answer(number, .swapped))
    }

    /// Handles an answer without a newer document than the one whose validators were sent.
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
            // The document was withdrawn during the request, so the whole document is requested.
            wish()
        }
        emit(.tell(.unchanged))
        emit(.answer(request.number, .outcome(.unchanged)))
    }

    // MARK: From the cache

    /// Handles the content of the cache.
    ///
    /// - Parameter isOtherSubject: Whether the values in force belong to another user.
    mutating func takeCached(_ cached: CachedDocument?, of address: RemoteAddress, isOtherSubject: Bool = false) {
        guard address == self.address, cache == .reading else {
            return ignore("a cache was read that is not wanted any more")
        }
        cache = .read
        guard let cached else { return }
        // Whatever comes of the document itself.
        if rules.isTrusting { history.remember(cached.versions, highest: cached.highestVersion) }
        // The age of a document from the future, beyond the allowance for clocks, isn't known, nor is its end.
        let lead = Duration.seconds(max(cached.fetchedDate, cached.confirmedDate).timeIntervalSince(moment.wall))
        guard lead <= rules.clockSkewAllowance else {
            return emit(.warn("the cached document was not used: it is from the future by the device's clock"))
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
        hasUntoldCache = life == .idle && request == nil
        put(
            held, source: .cached, telling: hasUntoldCache ? [] : [.ready(.cached)], isOtherSubject: isOtherSubject)
    }

    /// Keeps the silence of an earlier run, but no longer than a server can ask for, since the wall clock may have been
    /// set.
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
        tellsUnchanged: Bool = false, isOtherSubject: Bool = false
    ) {
        let wasFresh = documents.source == .fresh && !documents.isStaleTold
        documents.active = held
        documents.source = source
        documents.isStaleTold = false
        let isFresh = source == .fresh && now - held.confirmedAt < rules.staleAfter
        let events = first + (isFresh && !wasFresh ? [.ready(.fresh)] : [])
        emit(
            .swap(
                Swap(
                    document: held.document, first: events, source: source, tellsUnchanged: tellsUnchanged,
                    isOtherSubject: isOtherSubject)))
        emit(.ready(true))
    }

    /// Handles the age of the active document, which may have become stale or expired.
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

    /// Withdraws the active document, so that the values are those of the bootstrap.
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
        // A document from another URL stays in that URL's cache.
        guard held.document.url == url else { return }
        documents.keptConfirmation = held.confirmedAt
        emit(.writeCache(.values(address, held)))
        // The version is written to the state file, since it must outlast the document.
        if rules.isTrusting, history.keep(held.document) { writeState() }
    }

    /// Writes the last confirmation and the silence to the state file.
    mutating func writeState() {
        let isNewestKept = rules.activation != .manual || !documents.isStaged
        let held = isNewestKept ? documents.newest : documents.active
        let kept = held?.document.url == url ? held : nil
        documents.keptConfirmation = kept?.confirmedAt
        let notBefore = schedule.silence.map { moment.date(of: $0.until) }
        guard kept != nil || notBefore != nil || history.kept != SignedVersions() else { return }
        emit(.writeCache(.state(address, kept, notBefore: notBefore, versions: history.kept)))
    }
}
