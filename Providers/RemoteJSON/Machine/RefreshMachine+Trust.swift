#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Date` is what documents expire at.

/// How far the versions of signed documents have come.
struct DocumentHistory: Sendable {
    /// The highest version that was accepted, and a hash of that document where it is known.
    private(set) var highest: Int128?
    private var content: UInt64?
    /// The highest version that the cache has had: what the next run goes by. Less than ``highest`` while a document waits to
    /// be activated, since the next run would have nothing then.
    private(set) var kept: Int128?
    /// The difference of the clocks that was told last.
    var toldLead = Duration.zero

    /// Learns what an earlier run has come to.
    mutating func remember(_ version: Int128?) {
        guard let version, version > highest ?? .min else { return }
        (highest, content, kept) = (version, nil, max(version, kept ?? version))
    }

    /// Takes an accepted document into account.
    mutating func accept(_ document: RemoteDocument) {
        guard let version = document.revision.version, version >= highest ?? .min else { return }
        (highest, content) = (version, document.contentChecksum)
    }

    /// Takes into account that a document is in the cache.
    ///
    /// - Returns: Whether the next run has to know of a higher version now.
    @discardableResult
    mutating func keep(_ document: RemoteDocument) -> Bool {
        accept(document)
        guard let version = document.revision.version, version > kept ?? .min else { return false }
        kept = version
        return true
    }

    /// Why a document would be a way back; `nil` if it is none.
    func refusal(of document: RemoteDocument) -> String? {
        guard let highest, let version = document.revision.version else { return nil }
        if version < highest { return "its $version \(version) is older than \(highest), which was accepted before" }
        guard version == highest, let content, content != document.contentChecksum else { return nil }
        return "its $version \(version) is that of another document, which was accepted before"
    }
}

extension RefreshMachine {
    /// Why a document must not be accepted after those before it.
    func refusal(of document: RemoteDocument) -> String? {
        rules.isTrusting ? history.refusal(of: document) : nil
    }

    /// Why the server's word that a document is the newest must not be taken: somebody may answer for it who wants the app to
    /// stay where it is.
    func refusalToConfirm(_ document: RemoteDocument?) -> String? {
        guard rules.isTrusting, let expires = document?.expires else { return nil }
        // Where the clock on the wall lags behind by days, the server's counts.
        let now = moment.wall.addingTimeInterval(max(0, -(history.toldLead / .seconds(1))))
        guard expires <= now else { return nil }
        return "the server has nothing newer than a document that expired at \(expires.formatted(.iso8601))"
    }

    /// Tells a clock that is wrong by days, once until that changes.
    mutating func compareClock(_ lead: Duration, _ number: Int) {
        guard request?.number == number else { return ignore("a clock was compared for a request that was given up") }
        let isWrong = abs(lead / ClockComparison.tolerance) > 1
        let told = history.toldLead
        history.toldLead = isWrong ? lead : .zero
        guard isWrong, abs((lead - told) / ClockComparison.tolerance) > 1 else { return }
        emit(.tell(.clockDiffers(by: lead)))
    }
}
