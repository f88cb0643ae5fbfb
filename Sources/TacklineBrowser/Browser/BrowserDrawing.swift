import TacklineCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: the day on which a flag expires.

/// The flags of a section in the last snapshot, and the state for which they were made.
struct BrowserDrawing: Sendable {
    var flags: [FlagsBrowserFlag]
    /// The version of each flag, read before its providers were asked.
    private var versions: [UInt32]
    private var signature: [UInt64]
    private var pins: Set<String> = []
    private var expiries: [String: [String: Date]] = [:]

    /// Creates a drawing without flags.
    init() {
        flags = []
        versions = []
        signature = []
    }

    /// Updates the flags that may have changed.
    ///
    /// - Parameters:
    ///   - refusal: Returns the reason why a flag can't be edited, or `nil` if it can.
    mutating func update(
        _ layout: BrowserLayout, chain: BrowserChain, pins: Set<String>,
        refusal: (FlagsBrowserFlag) -> FlagsBrowserRefusal?,
        now: Date
    ) {
        // Values that hold only for the current task must not be kept for other tasks.
        let isKeeping = chain.notifiesObservers && !FlagScope.isAnyActive
        let isNew = flags.isEmpty || signature != chain.signature
        if flags.isEmpty {
            flags = layout.entries.map(\.template)
            versions = Array(repeating: 0, count: flags.count)
        }
        signature = isKeeping ? chain.signature : []
        // The expiry date of an override can change without its value, and then no version changes.
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
