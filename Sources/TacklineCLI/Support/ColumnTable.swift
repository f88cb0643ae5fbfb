#if CommandLine
    import TacklineTerminal

    /// Text in left-aligned columns. Long cells are cut, and control characters are replaced by blanks.
    struct ColumnTable {
        private var rows: [[String]]
        private static let cellLimit = 48

        init(_ header: [String]) {
            rows = [header]
        }

        mutating func add(_ row: [String]) {
            rows.append(row.map { SafeText.line($0, limit: ColumnTable.cellLimit) })
        }

        var text: String {
            let count = rows.map(\.count).max() ?? 0
            let widths = (0..<count).map { column in
                rows.map { column < $0.count ? CellWidth.of($0[column]) : 0 }.max() ?? 0
            }
            // An empty column is left out.
            let shown = (0..<count).filter { column in
                rows.dropFirst().contains { column < $0.count && !$0[column].isEmpty }
            }
            return rows.map { row in
                var line = shown.map { column in
                    let cell = column < row.count ? row[column] : ""
                    return cell + String(repeating: " ", count: widths[column] - CellWidth.of(cell))
                }.joined(separator: "  ")
                while line.last == " " { line.removeLast() }
                return line + "\n"
            }.joined()
        }
    }
#endif
