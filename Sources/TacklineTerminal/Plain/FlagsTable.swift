public import TacklineBrowser
import TacklineCore

/// The flags of a browser as a table in plain text.
///
/// The columns are always the same: section, key, value, source and remarks, separated by two or more blanks. The rows
/// have the order of the snapshot. The text contains no escape sequences, and control characters in names and values
/// are spelled out.
public struct FlagsTable: Sendable {
    private let snapshot: FlagsBrowserSnapshot
    private let flags: [FlagsBrowserFlag]
    private let isUnicode: Bool

    /// Creates a table.
    ///
    /// - Parameters:
    ///   - snapshot: The current flags of a browser.
    ///   - filter: The filter that listed flags match. The default lists all flags.
    ///   - isUnicode: Whether the table may contain characters other than ASCII.
    public init(
        _ snapshot: FlagsBrowserSnapshot, filter: FlagsBrowserFilter = FlagsBrowserFilter(), isUnicode: Bool = true
    ) {
        self.snapshot = snapshot
        flags = filter.isEmpty ? snapshot.flags : snapshot.flags(matching: filter)
        self.isUnicode = isUnicode
    }

    /// The table: a line with the names of the columns, then a line for each flag. Each line ends with a line feed.
    public var text: String {
        var sections: [String: String] = [:]
        for section in snapshot.sections { sections[section.id] = section.title }
        var table = ColumnTable(
            ["SECTION", "KEY", "VALUE", "SOURCE", "REMARKS"], cellLimit: 200, isUnicode: isUnicode)
        for flag in flags {
            var source = "\(flag.source)"
            if case .provider(let id) = flag.source { source = id }
            let remarks = [
                flag.isOverridden ? "overridden" : nil, flag.isChangedFromDefault ? "changed" : nil,
                flag.isExpired ? "expired" : nil, flag.isPinned ? "pinned" : nil,
                flag.metadata.isLocked ? "locked" : nil,
            ]
            table.add([
                sections[flag.section] ?? flag.section, flag.key, flag.value.text, source,
                remarks.compactMap { $0 }.joined(separator: ","),
            ])
        }
        return table.text
    }
}
