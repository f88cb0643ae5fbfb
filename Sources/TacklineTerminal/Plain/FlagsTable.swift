public import TacklineBrowser
import TacklineCore

/// The flags of a browser as plain text: a table for people and pipes.
///
/// It has the same columns whatever the flags are, in the order of the snapshot, without escape sequences: section, key,
/// value, source and remarks, two blanks or more between them. Control characters in names and values are spelled out.
public struct FlagsTable: Sendable {
    private let snapshot: FlagsBrowserSnapshot
    private let flags: [FlagsBrowserFlag]
    private let isUnicode: Bool

    /// Makes a table.
    ///
    /// - Parameters:
    ///   - snapshot: The flags, as a browser shows them now.
    ///   - filter: Which flags are listed.
    ///   - isUnicode: Whether more than ASCII may be written.
    public init(
        _ snapshot: FlagsBrowserSnapshot, filter: FlagsBrowserFilter = FlagsBrowserFilter(), isUnicode: Bool = true
    ) {
        self.snapshot = snapshot
        flags = filter.isEmpty ? snapshot.flags : snapshot.flags(matching: filter)
        self.isUnicode = isUnicode
    }

    /// The whole table, a line for each flag and one above with the names of the columns; each ends with a line feed.
    public var text: String {
        let glyphs = Glyphs(isUnicode: isUnicode)
        var sections: [String: String] = [:]
        for section in snapshot.sections { sections[section.id] = section.title }
        var rows = [["SECTION", "KEY", "VALUE", "SOURCE", "REMARKS"]]
        for flag in flags {
            var source = "\(flag.source)"
            if case .provider(let id) = flag.source { source = id }
            let remarks = [
                flag.isOverridden ? "overridden" : nil, flag.isChangedFromDefault ? "changed" : nil,
                flag.isExpired ? "expired" : nil, flag.isPinned ? "pinned" : nil,
                flag.metadata.isLocked ? "locked" : nil,
            ]
            rows.append(
                [
                    sections[flag.section] ?? flag.section, flag.key, flag.value.text, source,
                    remarks.compactMap { $0 }.joined(separator: ","),
                ].map { glyphs.safe($0, limit: 200) })
        }
        let widths = (0..<5).map { column in rows.map { CellWidth.of($0[column]) }.max() ?? 0 }
        var text = ""
        for row in rows {
            var line = ""
            for (column, cell) in row.enumerated() {
                line += cell + String(repeating: " ", count: widths[column] - CellWidth.of(cell) + 2)
            }
            while line.last == " " { line.removeLast() }
            text += line + "\n"
        }
        return text
    }
}
