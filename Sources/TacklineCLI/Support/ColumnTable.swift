#if CommandLine
    import TacklineCore

    /// Text in columns, aligned to the left; cells are cut so that a line stays readable, and cannot steer a terminal.
    struct ColumnTable {
        private var rows: [[String]]
        private static let cellLimit = 48

        init(_ header: [String]) {
            rows = [header]
        }

        mutating func add(_ row: [String]) {
            rows.append(row.map(ColumnTable.safe))
        }

        var text: String {
            let count = rows.map(\.count).max() ?? 0
            let widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
            // A column in which nothing stands is left out.
            let shown = (0..<count).filter { column in
                rows.dropFirst().contains { column < $0.count && !$0[column].isEmpty }
            }
            return rows.map { row in
                var line = shown.map { column in
                    let cell = column < row.count ? row[column] : ""
                    return cell + String(repeating: " ", count: widths[column] - cell.count)
                }.joined(separator: "  ")
                while line.last == " " { line.removeLast() }
                return line + "\n"
            }.joined()
        }

        private static func safe(_ text: String) -> String {
            var safe = ""
            for scalar in text.unicodeScalars.prefix(cellLimit) {
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator: safe += " "
                default: safe.unicodeScalars.append(scalar)
                }
            }
            return text.unicodeScalars.count > cellLimit ? safe + "…" : safe
        }
    }
#endif
