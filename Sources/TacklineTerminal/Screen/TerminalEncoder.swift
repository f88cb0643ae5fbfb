#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: base64.

/// Turns canvases into what has to be sent to the terminal, as little as possible.
struct TerminalEncoder: Sendable {
    let hasColor: Bool
    private var shown: TerminalCanvas?

    init(hasColor: Bool) {
        self.hasColor = hasColor
    }

    /// The sequence that puts a text on the clipboard of whoever sits at the terminal, also across a remote shell (OSC 52 of
    /// xterm). A terminal that does not know it, or may not, ignores it. The text travels in base64, so it steers nothing.
    static func copying(_ text: String) -> String {
        "\u{1B}]52;c;\(Data(text.utf8).base64EncodedString())\u{7}"
    }

    /// Forgets what is shown, so that the next canvas is sent whole.
    mutating func forget() {
        shown = nil
    }

    /// Returns the text that turns what is shown into the canvas; empty if nothing differs.
    mutating func encode(_ canvas: TerminalCanvas) -> String {
        guard shown != canvas else { return "" }
        // "Synchronized output": a terminal that knows it shows the result at once; others ignore it.
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
        // Whole rows from the first difference to the last: short enough, and simple.
        guard let first = cells.indices.first(where: { cells[$0] != former[$0] }),
            let last = cells.indices.last(where: { cells[$0] != former[$0] })
        else { return }
        // Never in the middle of a wide character, whose other half would stay behind.
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
            // Terminals disagree about the width of what is not plain, so say where to go on.
            if !character.isASCII { output += "\u{1B}[\(column + 1 + CellWidth.of(character))G" }
        }
        output += "\u{1B}[0m"
    }
}
