#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Foundation: the moment.

/// Everything that a face of the browser draws, at one moment. It never changes.
///
/// Its JSON form is the one of ``FlagsBrowserJSON``. Later releases may add members, which readers pass over.
public struct FlagsBrowserSnapshot: Sendable, Hashable, Codable {
    /// The version of the form; it grows when a reader of the old one would misread the new one.
    public var format = 1
    /// The title of the whole, for people.
    public var title: String
    /// The name of the environment in which the program runs.
    public var environment: String
    /// Whether customers use the program.
    public var isProduction: Bool
    /// Why nothing can be edited; `nil` if something can.
    public var readOnlyReason: FlagsBrowserRefusal?
    /// Counts what happened to the browser until this snapshot. Of two snapshots, the one with the greater number is the
    /// newer one.
    public var revision: Int
    /// When the snapshot was made.
    public var time: Date
    /// The root collections, in their order.
    public var sections: [FlagsBrowserSection]
    /// The flags, section by section: those right in a collection by their order, then group by group.
    public var flags: [FlagsBrowserFlag]
    /// What changed last, the newest first, from every source.
    public var recentChanges: [FlagsBrowserChange]
    /// What an undo would take back that names no author; `nil` if there is nothing.
    public var undo: FlagsBrowserUndo?
    /// The edits that are remembered, of all authors, the newest first. Those that were taken back are among them as long as
    /// they can be done again.
    public var edits: [FlagsBrowserEdit]

    /// Makes a snapshot.
    public init(
        title: String, environment: String, isProduction: Bool = false, readOnlyReason: FlagsBrowserRefusal? = nil,
        revision: Int = 0, time: Date, sections: [FlagsBrowserSection] = [], flags: [FlagsBrowserFlag] = [],
        recentChanges: [FlagsBrowserChange] = [], undo: FlagsBrowserUndo? = nil,
        edits: [FlagsBrowserEdit] = []
    ) {
        self.title = title
        self.environment = environment
        self.isProduction = isProduction
        self.readOnlyReason = readOnlyReason
        self.revision = revision
        self.time = time
        self.sections = sections
        self.flags = flags
        self.recentChanges = recentChanges
        self.undo = undo
        self.edits = edits
    }
}

extension FlagsBrowserSnapshot {
    /// Whether nothing can be edited.
    public var isReadOnly: Bool { readOnlyReason != nil }

    /// The providers of all sections, each id once, in the order of the chains.
    public var providers: [FlagsBrowserProvider] {
        var seen: Set<String> = []
        return sections.flatMap(\.providers).filter { seen.insert($0.id).inserted }
    }

    /// The providers that edits can go to, each id once, in the order of the chains.
    public var destinations: [FlagsBrowserProvider] { providers.filter(\.isWritable) }

    /// Returns a flag, or `nil` if there is none with this id.
    ///
    /// - Complexity: O(*n*) in the number of flags.
    public func flag(id: String) -> FlagsBrowserFlag? { flags.first { $0.id == id } }

    /// Returns a section, or `nil` if there is none with this id.
    public func section(id: String) -> FlagsBrowserSection? { sections.first { $0.id == id } }
}
