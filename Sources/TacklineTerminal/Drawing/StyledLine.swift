/// A line of text in several styles, without control characters.
struct StyledLine: Hashable, Sendable {
    struct Span: Hashable, Sendable {
        var text: String
        var style: TerminalStyle
    }

    private(set) var spans: [Span] = []

    init() {}

    init(_ text: String, _ style: TerminalStyle = .plain) {
        append(text, style)
    }

    mutating func append(_ text: String, _ style: TerminalStyle = .plain) {
        if !text.isEmpty { spans.append(Span(text: text, style: style)) }
    }

    func appending(_ text: String, _ style: TerminalStyle = .plain) -> StyledLine {
        var line = self
        line.append(text, style)
        return line
    }

    var width: Int { spans.reduce(0) { $0 + CellWidth.of($1.text) } }
    var text: String { spans.map(\.text).joined() }
}

extension TerminalCanvas {
    /// Writes a line, shortened with an ellipsis if it is too wide.
    mutating func put(_ line: StyledLine, row: Int, column: Int, width: Int, glyphs: Glyphs) {
        var place = column
        var rest = min(width, size.columns - column)
        for (index, span) in line.spans.enumerated() where rest > 0 {
            // If more spans follow and they do not fit, this span leaves a column for the ellipsis.
            let isLast = index == line.spans.count - 1
            var text = span.text
            if CellWidth.of(text) > rest || (!isLast && CellWidth.of(text) == rest) {
                text = TextLayout.clipped(text + (isLast ? "" : "  "), to: rest, ellipsis: glyphs.ellipsis)
            }
            let end = put(text, row: row, column: place, width: rest, style: span.style)
            rest -= end - place
            place = end
        }
    }
}
