#if CommandLine
    /// Text in left-aligned columns, with two blanks between them. Control characters are spelled out.
    struct ColumnTable {
        private var rows: [[String]]
        /// The largest number of characters in a cell.
        private static let cellLimit = 48

        /// - Parameter header: The names of the columns.
        init(_ header: [String]) {
            rows = [header]
        }

        /// Adds a row, with a cell for each column.
        mutating func add(_ row: [String]) {
            rows.append(row.map { SafeText.line($0, limit: Self.cellLimit) })
        }

        /// The lines, each with a line feed and without trailing blanks. Columns without a cell are left out.
        var text: String {
            let columns = rows[0].indices.filter { column in rows.dropFirst().contains { !$0[column].isEmpty } }
            let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
            return rows.map { row in
                var line = columns.map { column in
                    row[column] + String(repeating: " ", count: widths[column] - row[column].count)
                }.joined(separator: "  ")
                while line.last == " " { line.removeLast() }
                return line + "\n"
            }.joined()
        }
    }
#endif
