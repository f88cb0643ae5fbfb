/// A screen in memory, which the terminal is to show.
///
/// Text outside of the screen is cut.
struct TerminalCanvas: Hashable, Sendable {
    /// One position on the screen.
    struct Cell: Hashable, Sendable {
        /// The character; `nil` if a wide character to the left covers this position.
        var character: Character?
        var style: TerminalStyle

        static let blank = Cell(character: " ", style: .plain)
    }

    let size: TerminalSize
    private(set) var rows: [[Cell]]
    /// The place of the cursor, counted from 0; `nil` if it is hidden.
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

    /// Writes safe text at a position, up to a width.
    ///
    /// The text ends before the first character that does not fit.
    ///
    /// - Returns: The column after the text.
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

    /// Changes the style of columns in a row and keeps their text.
    mutating func restyle(row: Int, columns: Range<Int>, _ change: (inout TerminalStyle) -> Void) {
        guard rows.indices.contains(row) else { return }
        for column in columns.clamped(to: 0..<size.columns) { change(&rows[row][column].style) }
    }

    /// The text without styles: a line for each row, without blanks at its end.
    var lines: [String] {
        rows.map { row in
            var line = String(row.compactMap(\.character))
            while line.last == " " { line.removeLast() }
            return line
        }
    }

    /// Replaces a wide character by blanks, so that none of its halves remains when the other is overwritten.
    private mutating func clearWideCharacter(row: Int, column: Int) {
        guard column < size.columns, rows[row][column].character == nil else { return }
        var start = column
        while start > 0, rows[row][start].character == nil { start -= 1 }
        var end = column
        while end < size.columns, rows[row][end].character == nil { end += 1 }
        for index in start..<end { rows[row][index].character = " " }
    }
}

/// The size of the window in cells.
struct TerminalSize: Hashable, Sendable {
    var columns: Int
    var rows: Int

    /// Creates a size from the values that the system reports, limited to a sensible range.
    init(columns: Int, rows: Int) {
        self.columns = min(max(columns, 1), 1000)
        self.rows = min(max(rows, 1), 500)
    }
}
