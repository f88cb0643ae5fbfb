import TacklineCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: the day on which a flag expires.

/// The flags of a section as they were last drawn, and what tells whether they would be drawn the same again.
struct BrowserDrawing: Sendable {
    var flags: [FlagsBrowserFlag]
    /// The version of each flag, read before its providers were asked.
    private var versions: [UInt32]
    private var signature: [UInt64]
    private var pins: Set<String> = []
    private var expiries: [String: [String: Date]] = [:]

    /// Nothing is drawn yet.
    init() {
        flags = []
        versions = []
        signature = []
    }

    /// Draws what may have changed, and only that.
    ///
    /// - Parameters:
    ///   - refusal: Why nothing can be edited, or `nil`.
    mutating func update(
        _ layout: BrowserLayout, chain: BrowserChain, pins: Set<String>,
        refusal: (FlagsBrowserFlag) -> FlagsBrowserRefusal?,
        now: Date
    ) {
        // What holds for a task alone is not kept for others.
        let isKeeping = chain.notifiesObservers && !FlagScope.isAnyActive
        let isNew = flags.isEmpty || signature != chain.signature
        if flags.isEmpty {
            flags = layout.entries.map(\.template)
            versions = Array(repeating: 0, count: flags.count)
        }
        signature = isKeeping ? chain.signature : []
        // An override can get another end without another value, which no version tells.
        let expiries = chain.expiries
        let hasOtherExpiries = expiries != self.expiries
        self.expiries = expiries
        for (index, ordinal) in layout.ordinals.enumerated() {
            let version = layout.core.tracker.version(of: ordinal)
            if !isNew, isKeeping, versions[index] == version, !layout.computed.contains(index) {
                if hasOtherExpiries { flags[index].take(expiries: expiries) }
                continue
            }
            var flag = flags[index]
            flag.take(
                layout.entries[index].handle.explain(), overrideLayers: chain.overrideLayers,
                limit: FlagsBrowserValue.snapshotLimit)
            flag.take(expiries: expiries)
            flag.refusal = refusal(flag)
            versions[index] = version
            if flag != flags[index] { flags[index] = flag }
        }
        if pins != self.pins {
            for index in flags.indices { flags[index].isPinned = pins.contains(flags[index].id) }
            self.pins = pins
        }
        for index in layout.expiring {
            let isExpired = flags[index].metadata.expiryDate.map { $0 <= now } ?? false
            if isExpired != flags[index].isExpired { flags[index].isExpired = isExpired }
        }
    }
}
