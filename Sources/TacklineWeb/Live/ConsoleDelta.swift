#if Web
    import TacklineBrowser
    import TacklineCore

    #if canImport(FoundationEssentials)
        import FoundationEssentials
    #else
        import Foundation
    #endif

    // Foundation: `Date`.

    /// What became different between two snapshots: what a page is sent, so that one change of a thousand flags costs one
    /// flag.
    struct ConsoleDelta: Sendable, Equatable, Codable, FlagValue {
        /// The revision that it is applied to. A page that holds another one fetches everything.
        var base: Int
        var revision: Int
        var time: Date
        /// The flags that differ. `nil` if flags came, went or moved, so that everything has to be fetched.
        var flags: [FlagsBrowserFlag]?
        /// `nil` where nothing differs.
        var sections: [FlagsBrowserSection]?
        var recentChanges: [FlagsBrowserChange]?
        var edits: [FlagsBrowserEdit]?
        /// What an undo would take back; `nil` for nothing.
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
