/// The signs that the face is drawn with, and their stand-ins for terminals that know only ASCII.
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

    /// Makes text of unknown origin fit to be shown on one line.
    func safe(_ text: String, limit: Int = 2048) -> String {
        SafeText.line(text, limit: limit, isUnicode: isUnicode)
    }

    /// Breaks a safe text into lines of one style, each behind an indentation.
    ///
    /// - Parameter limit: How many lines there may be.
    func wrapped(
        _ text: String, _ style: TerminalStyle = .plain, width: Int, indentation: Int = 0, limit: Int = .max
    ) -> [StyledLine] {
        let blanks = String(repeating: " ", count: max(0, min(indentation, width - 1)))
        let lines = TextLayout.wrapped(text, to: max(1, width - blanks.count), limit: limit, ellipsis: ellipsis)
        return lines.map { StyledLine(blanks + $0, style) }
    }
}
