#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

public import TacklineCore

// Foundation: the time of a snapshot.

/// The immutable state that a user interface of the browser shows, at one moment.
///
/// Its JSON format is that of ``FlagsBrowserJSON``. Later releases may add members, which readers ignore.
public struct FlagsBrowserSnapshot: Sendable, Hashable, Codable {
    /// The version of the format. It is raised when a reader of the old format would misread the new one.
    public var format = 1
    /// The title of the browser, for people.
    public var title: String
    /// The name of the environment in which the program runs.
    public var environment: String
    /// Whether customers use the program.
    public var isProduction: Bool
    /// The reason why nothing can be edited, or `nil` if something can.
    public var readOnlyReason: FlagsBrowserRefusal?
    /// The revision of the browser. Of two snapshots, the one with the greater revision is newer.
    public var revision: Int
    /// The time at which the snapshot was made.
    public var time: Date
    /// The root collections, in order.
    public var sections: [FlagsBrowserSection]
    /// The flags, section by section: first those directly in a collection in declaration order, then those of each
    /// group.
    public var flags: [FlagsBrowserFlag]
    /// The latest changes from every source, newest first.
    public var recentChanges: [FlagsBrowserChange]
    /// The edit that an undo without an author would take back, or `nil` if there is none.
    public var undo: FlagsBrowserUndo?
    /// The recorded edits of all authors, newest first. Undone edits are included while they can be redone.
    public var edits: [FlagsBrowserEdit]

    /// Creates a snapshot.
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

extension FlagsBrowserSnapshot: FlagValue {
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
