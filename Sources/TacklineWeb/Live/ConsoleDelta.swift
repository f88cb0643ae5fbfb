#if Web
    import TacklineBrowser
    import TacklineCore

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    // Foundation: `Date`.

    /// The difference between two snapshots. Pages receive it instead of a snapshot, so that a change of one flag among
    /// a thousand sends one flag.
    struct ConsoleDelta: Sendable, Equatable, Codable, FlagValue {
        /// The version that it applies to. A page with an older one fetches its list anew.
        var base: Int
        var version: Int
        var revision: Int
        var time: Date
        /// The flags that differ, or `nil` if flags were added, removed or moved or too many differ, so that the list
        /// must be fetched anew.
        var flags: [FlagsBrowserFlag]?
        /// The sections, or `nil` if they are unchanged.
        var sections: [FlagsBrowserSection]?
        var recentChanges: [FlagsBrowserChange]?
        var edits: [FlagsBrowserEdit]?
        /// The edit that an undo would take back, or `nil` if there is none.
        var undo: FlagsBrowserUndo?
        var readOnlyReason: FlagsBrowserRefusal?

        /// The largest number of flags in a difference.
        private static let limit = 200

        init(from state: ConsoleState, to next: ConsoleState) {
            let (old, new) = (state.snapshot, next.snapshot)
            base = state.version
            version = next.version
            revision = new.revision
            time = new.time
            if old.flags.lazy.map(\.id).elementsEqual(new.flags.lazy.map(\.id)) {
                let changed = old.flags.indices.filter { old.flags[$0] != new.flags[$0] }
                if changed.count <= Self.limit { flags = changed.map { new.flags[$0] } }
            }
            sections = old.sections == new.sections ? nil : new.sections
            recentChanges = old.recentChanges == new.recentChanges ? nil : new.recentChanges
            edits = old.edits == new.edits ? nil : new.edits
            undo = new.undo
            readOnlyReason = new.readOnlyReason
        }
    }
#endif
