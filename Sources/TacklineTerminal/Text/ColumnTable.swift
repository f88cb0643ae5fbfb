/// Text in left-aligned columns, with two blanks between them. Control characters are spelled out.
package struct ColumnTable {
    private var rows: [[String]]
    private let cellLimit: Int
    private let isUnicode: Bool

    /// - Parameters:
    ///   - header: The names of the columns.
    ///   - cellLimit: The largest number of characters in a cell.
    ///   - isUnicode: Whether the table may contain characters other than ASCII.
    package init(_ header: [String], cellLimit: Int = 48, isUnicode: Bool = true) {
        rows = [header]
        self.cellLimit = cellLimit
        self.isUnicode = isUnicode
    }

    /// Adds a row, with a cell for each column.
    package mutating func add(_ row: [String]) {
        rows.append(row.map { SafeText.line($0, limit: cellLimit, isUnicode: isUnicode) })
    }

    /// The lines, each with a line feed and without trailing blanks.
    package var text: String { text(of: Array(rows[0].indices)) }

    /// The lines, without the columns that are empty but for their names.
    package var textOfFilledColumns: String {
        text(of: rows[0].indices.filter { column in rows.dropFirst().contains { !$0[column].isEmpty } })
    }

    private func text(of columns: [Int]) -> String {
        let widths = rows[0].indices.map { column in rows.map { CellWidth.of($0[column]) }.max() ?? 0 }
        return rows.map { row in
            var line = columns.map { column in
                row[column] + String(repeating: " ", count: widths[column] - CellWidth.of(row[column]))
            }.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line + "\n"
        }.joined()
    }
}
