/// A table of text in columns: the first one aligned to the left, the others, which are numbers, to the right.
struct TextTable {
    private var rows: [[String]]

    init(header: [String]) {
        rows = [header]
    }

    mutating func add(_ row: [String]) {
        rows.append(row)
    }

    /// The lines, each with a line feed and without trailing blanks.
    var text: String {
        let count = rows.map(\.count).max() ?? 0
        let widths = (0..<count).map { column in rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0 }
        var text = ""
        for row in rows {
            var line = ""
            for (column, cell) in row.enumerated() {
                let blanks = String(repeating: " ", count: widths[column] - cell.count)
                line += column == 0 ? cell + blanks : "  " + blanks + cell
            }
            while line.last == " " { line.removeLast() }
            text += line + "\n"
        }
        return text
    }

    /// Returns a part as a percentage with two digits after the point: `9.97 %`.
    static func percentage(_ part: Double) -> String {
        decimal(part * 100) + " %"
    }

    /// Returns a number with two digits after the point.
    static func decimal(_ number: Double) -> String {
        let hundredths = Int64((number.magnitude * 100).rounded())
        let digits = String(hundredths % 100)
        let sign = number < 0 && hundredths > 0 ? "-" : ""
        return sign + String(hundredths / 100) + "." + (digits.count < 2 ? "0" : "") + digits
    }
}
