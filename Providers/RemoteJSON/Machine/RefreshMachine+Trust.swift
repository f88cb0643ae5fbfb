import Foundation

// Foundation: `Date` is the expiry of a document.

/// The highest versions of signed documents.
struct DocumentHistory: Sendable {
    /// The highest version that was accepted, and a hash of that document if it is known.
    private(set) var highest: Int128?
    private var content: UInt64?
    /// The versions that the cache has had: what the next run goes by. Less than ``highest`` while a document waits to
    /// be activated, since the next run would have nothing then.
    private(set) var kept = SignedVersions()
    /// The difference of the clocks that was reported last.
    var toldLead = Duration.zero

    /// Takes over what an earlier run has come to.
    ///
    /// - Parameter highest: The version that counts, by the keys that are trusted now.
    mutating func remember(_ versions: SignedVersions, highest version: Int128?) {
        kept.merge(versions)
        guard let version, version > highest ?? .min else { return }
        (highest, content) = (version, nil)
    }

    /// Adds an accepted document.
    mutating func accept(_ document: RemoteDocument) {
        guard let version = document.revision.version, version >= highest ?? .min else { return }
        (highest, content) = (version, document.contentChecksum)
    }

    /// Adds a document that is in the cache.
    ///
    /// - Returns: Whether the highest version in the cache has increased.
    @discardableResult
    mutating func keep(_ document: RemoteDocument) -> Bool {
        accept(document)
        guard let version = document.revision.version else { return false }
        let old = kept
        kept.note(version, by: document.signers)
        return kept != old
    }

    /// Returns the reason why a document would be a rollback; `nil` if it isn't one.
    func refusal(of document: RemoteDocument) -> String? {
        guard let highest, let version = document.revision.version else { return nil }
        if version < highest {
            return "its $version \(version) is older than \(highest), which was accepted before; raise it"
        }
        guard version == highest, let content, content != document.contentChecksum else { return nil }
        return "its $version \(version) is that of another document, which was accepted before; raise it"
    }
}

extension RefreshMachine {
    /// Returns the reason why a document must not be accepted after earlier ones; `nil` if it may be.
    func refusal(of document: RemoteDocument) -> String? {
        rules.isTrusting ? history.refusal(of: document) : nil
    }

    /// Returns the reason why a 304 answer must not be accepted, or `nil` if it may be. An attacker could answer 304 to
    /// keep the app at an old document.
    func refusalToConfirm(_ document: RemoteDocument?) -> String? {
        guard let expires = document?.expires else { return nil }
        // Where the clock on the wall lags behind by days, the server's counts.
        let now = moment.wall.addingTimeInterval(max(0, -(history.toldLead / .seconds(1))))
        guard expires <= now else { return nil }
        return "the server has nothing newer than a document that expired at \(expires.formatted(.iso8601))"
    }

    /// Reports a wall clock that is wrong by days, once until the difference changes.
    mutating func compareClock(_ lead: Duration, _ number: Int) {
        guard request?.number == number else { return ignore("a clock was compared for a request that was given up") }
        let isWrong = abs(lead / ClockComparison.tolerance) > 1
        let told = history.toldLead
        history.toldLead = isWrong ? lead : .zero
        guard isWrong, abs((lead - told) / ClockComparison.tolerance) > 1 else { return }
        emit(.tell(.clockDiffers(by: lead)))
    }
}
