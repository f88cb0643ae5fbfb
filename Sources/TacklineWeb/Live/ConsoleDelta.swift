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
        /// The revision that it applies to. A page with another revision fetches a whole snapshot.
        var base: Int
        var revision: Int
        var time: Date
        /// The flags that differ, or `nil` if flags were added, removed or moved, so that a whole snapshot must be
        /// fetched.
        var flags: [FlagsBrowserFlag]?
        /// The sections, or `nil` if they are unchanged.
        var sections: [FlagsBrowserSection]?
        var recentChanges: [FlagsBrowserChange]?
        var edits: [FlagsBrowserEdit]?
        /// The edit that an undo would take back, or `nil` if there is none.
        var undo: FlagsBrowserUndo?
        var readOnlyReason: FlagsBrowserRefusal?

        init(from old: FlagsBrowserSnapshot, to new: FlagsBrowserSnapshot) {
            base = old.revision
            revision = new.revision
            time = new.time
            if old.flags.lazy.map(\.id).elementsEqual(new.flags.lazy.map(\.id)) {
                flags = zip(old.flags, new.flags).filter { $0 != $1 }.map(\.1)
            }
            sections = old.sections == new.sections ? nil : new.sections
            recentChanges = old.recentChanges == new.recentChanges ? nil : new.recentChanges
            edits = old.edits == new.edits ? nil : new.edits
            undo = new.undo
            readOnlyReason = new.readOnlyReason
        }
    }
#endif
