import Tackline

/// Prints flags as a table: key, value, where the value comes from, description.
struct Table {
    private let rows: [[String]]

    init(_ flags: [AnyFlagHandle]) {
        rows =
            [["KEY", "VALUE", "FROM", "DESCRIPTION"]]
            + flags.map { flag in
                let explanation = flag.explain()
                return [
                    flag.keyPath.text, "\(explanation.value)", "\(explanation.source)", flag.metadata.description,
                ]
            }
    }

    func show() {
        let widths = (0..<4).map { column in rows.map { $0[column].count }.max() ?? 0 }
        for row in rows {
            let cells = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            print("  " + cells.joined(separator: "  ").trimmed)
        }
    }
}

extension String {
    fileprivate var trimmed: String {
        String(reversed().drop { $0 == " " }.reversed())
    }
}
