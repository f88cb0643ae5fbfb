/// A screen in memory: what the terminal is to show.
///
/// Drawing outside is cut, never an error.
struct TerminalCanvas: Hashable, Sendable {
    /// One position.
    struct Cell: Hashable, Sendable {
        /// `nil` where the character to the left takes this position too.
        var character: Character?
        var style: TerminalStyle

        static let blank = Cell(character: " ", style: .plain)
    }

    let size: TerminalSize
    private(set) var rows: [[Cell]]
    /// Where the cursor stands, from 0; `nil` if it is hidden.
    var cursor: (row: Int, column: Int)? {
        get { cursorPlace.map { ($0.row, $0.column) } }
        set { cursorPlace = newValue.map { Place(row: $0.row, column: $0.column) } }
    }
    private var cursorPlace: Place?

    private struct Place: Hashable, Sendable {
        var row: Int
        var column: Int
    }

    init(size: TerminalSize) {
        self.size = size
        rows = Array(repeating: Array(repeating: .blank, count: size.columns), count: size.rows)
    }

    /// Writes safe text from a position on, up to a width.
    ///
    /// A character that does not fit as a whole is left out, and so is all after it.
    ///
    /// - Returns: The column behind the text.
    @discardableResult
    mutating func put(
        _ text: String, row: Int, column: Int, width: Int = .max, style: TerminalStyle = .plain
    ) -> Int {
        guard rows.indices.contains(row), column >= 0, width > 0 else { return column }
        let end = width < size.columns - column ? column + width : size.columns
        var column = column
        for character in text {
            let columns = CellWidth.of(character)
            guard column + columns <= end else { break }
            clearWideCharacter(row: row, column: column)
            clearWideCharacter(row: row, column: column + columns)
            rows[row][column] = Cell(character: character, style: style)
            for offset in 1..<max(columns, 1) where columns > 1 {
                rows[row][column + offset] = Cell(character: nil, style: style)
            }
            column += columns
        }
        return column
    }

    /// Gives a stretch of a row a style, keeping its text.
    mutating func restyle(row: Int, columns: Range<Int>, _ change: (inout TerminalStyle) -> Void) {
        guard rows.indices.contains(row) else { return }
        for column in columns.clamped(to: 0..<size.columns) { change(&rows[row][column].style) }
    }

    /// What is written, without styles: a line for each row, blanks at its end removed.
    var lines: [String] {
        rows.map { row in
            var line = String(row.compactMap(\.character))
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// Half of a wide character must not stay behind when the other half is overwritten.
    private mutating func clearWideCharacter(row: Int, column: Int) {
        guard column < size.columns, rows[row][column].character == nil else { return }
        var start = column
        while start > 0, rows[row][start].character == nil { start -= 1 }
        var end = column
        while end < size.columns, rows[row][end].character == nil { end += 1 }
        for index in start..<end { rows[row][index].character = " " }
    }
}
