#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: base64.

/// An encoder that turns canvases into the text to send to the terminal, which contains only the differences.
struct TerminalEncoder: Sendable {
    let hasColor: Bool
    private var shown: TerminalCanvas?

    init(hasColor: Bool) {
        self.hasColor = hasColor
    }

    /// Returns the sequence that puts a text on the user's clipboard, also through a remote shell (OSC 52 of xterm).
    /// Terminals that do not support or allow it ignore it. The text is encoded as base64, so it cannot contain control
    /// characters.
    static func copying(_ text: String) -> String {
        "\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}"
    }

    /// Discards the last canvas, so that the next one is sent completely.
    mutating func forget() {
        shown = nil
    }

    /// Returns the text that turns the last canvas into this one; empty if they are equal.
    mutating func encode(_ canvas: TerminalCanvas) -> String {
        guard shown != canvas else { return "" }
        // A terminal that supports "synchronized output" shows the result at once. Others ignore it.
        var output = "\u{1B}[?2026h\u{1B}[?25l"
        let old = shown?.size == canvas.size ? shown : nil
        if old == nil { output += "\u{1B}[0m\u{1B}[2J" }
        for row in canvas.rows.indices {
            if let old, old.rows[row] == canvas.rows[row] { continue }
            append(row, of: canvas, old: old, to: &output)
        }
        if let cursor = canvas.cursor {
            output += "\u{1B}[\(cursor.row + 1);\(cursor.column + 1)H\u{1B}[?25h"
        }
        output += "\u{1B}[?2026l"
        shown = canvas
        return output
    }

    private func append(_ row: Int, of canvas: TerminalCanvas, old: TerminalCanvas?, to output: inout String) {
        let cells = canvas.rows[row]
        let former = old?.rows[row] ?? Array(repeating: .blank, count: cells.count)
        // A row is sent from its first difference to its last, which is short enough and simple.
        guard let first = cells.indices.first(where: { cells[$0] != former[$0] }),
            let last = cells.indices.last(where: { cells[$0] != former[$0] })
        else { return }
        // The text must not begin in the middle of a wide character, whose first half would remain.
        var start = first
        while start > 0, cells[start].character == nil || former[start].character == nil { start -= 1 }
        output += "\u{1B}[\(row + 1);\(start + 1)H"
        var style: TerminalStyle?
        for column in start...last {
            let cell = cells[column]
            guard let character = cell.character else { continue }
            if style != cell.style {
                output += cell.style.sequence(hasColor: hasColor)
                style = cell.style
            }
            output.append(character)
            // Terminals disagree about the width of other characters than ASCII, so the next column is set explicitly.
            if !character.isASCII { output += "\u{1B}[\(column + 1 + CellWidth.of(character))G" }
        }
        output += "\u{1B}[0m"
    }
}
