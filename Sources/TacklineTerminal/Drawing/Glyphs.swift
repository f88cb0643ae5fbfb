/// The signs of the user interface, with replacements for terminals that show only ASCII.
struct Glyphs: Hashable, Sendable {
    let isUnicode: Bool

    var ellipsis: Character { isUnicode ? "…" : "~" }
    var cursor: String { isUnicode ? "▸" : ">" }
    var pin: String { isUnicode ? "★" : "*" }
    var fresh: String { isUnicode ? "●" : "!" }
    var horizontal: String { isUnicode ? "─" : "-" }
    var vertical: String { isUnicode ? "│" : "|" }
    var dot: String { isUnicode ? "·" : "-" }
    var arrow: String { isUnicode ? "→" : "->" }
    var live: String { isUnicode ? "●" : "*" }
    var waiting: String { isUnicode ? "○" : "o" }
    var lost: String { isUnicode ? "✗" : "x" }
    var none: String { isUnicode ? "–" : "-" }
    var on: String { isUnicode ? "◉" : "(x)" }
    var off: String { isUnicode ? "○" : "( )" }
    var lineEnd: String { isUnicode ? "↵" : "\\n" }

    /// Returns text of unknown origin in a form that can be shown in one line.
    func safe(_ text: String, limit: Int = 2048) -> String {
        SafeText.line(text, limit: limit, isUnicode: isUnicode)
    }

    /// Returns a safe text as indented lines of one style.
    ///
    /// - Parameter limit: The largest number of lines.
    func wrapped(
        _ text: String, _ style: TerminalStyle = .plain, width: Int, indentation: Int = 0, limit: Int = .max
    ) -> [StyledLine] {
        let blanks = String(repeating: " ", count: max(0, min(indentation, width - 1)))
        let lines = TextLayout.wrapped(text, to: max(1, width - blanks.count), limit: limit, ellipsis: ellipsis)
        return lines.map { StyledLine(blanks + $0, style) }
    }
}
