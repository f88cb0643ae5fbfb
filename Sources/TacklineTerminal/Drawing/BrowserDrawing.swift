import TacklineBrowser

/// A function from the state to the whole screen, for a window of any size.
struct BrowserDrawing: Sendable {
    var glyphs = Glyphs(isUnicode: true)
    /// The form of dates and times.
    var clock = ClockText()

    /// Draws the state, and limits its offsets to the range that the window allows.
    func draw(_ state: inout BrowserState) -> TerminalCanvas {
        var canvas = TerminalCanvas(size: state.size)
        let (columns, rows) = (state.size.columns, state.size.rows)
        // A window of a few lines omits the least important parts.
        let hasHeader = rows >= 4
        let hasHelp = rows >= 3
        let hasFilter = rows >= 8 || (rows >= 4 && (!state.screen.filter.isEmpty || isSearching(state)))
        let hasNotice = rows >= 6 || (rows >= 3 && state.screen.notice != nil && state.isBrowsing)
        var top = 0
        var bottom = rows
        if hasHeader {
            drawHeader(state, on: &canvas)
            top += 1
        }
        if hasFilter {
            drawFilter(state, row: top, on: &canvas)
            top += 1
        }
        if hasHelp {
            bottom -= 1
            put(help(for: state), row: bottom, on: &canvas)
        }
        if hasNotice {
            // A failure may need more than one line.
            let lines = notice(of: state, width: columns, limit: rows >= 14 ? 3 : 1)
            bottom -= max(1, lines.count)
            for (index, line) in lines.enumerated() { put(line, row: bottom + index, on: &canvas) }
        }
        switch state.panel {
        case .help(let offset):
            state.panel = .help(offset: drawPage(helpPage(), offset: offset, rows: top..<bottom, on: &canvas))
            return canvas
        case .changes(let offset):
            let lines = changesPage(state)
            state.panel = .changes(offset: drawPage(lines, offset: offset, rows: top..<bottom, on: &canvas))
            return canvas
        default: break
        }
        if let panel = panel(for: state, rows: bottom - top) {
            let height = min(panel.lines.count, max(1, bottom - top))
            bottom -= height
            draw(panel, rows: bottom..<(bottom + height), on: &canvas)
        }
        guard bottom > top else { return canvas }
        guard state.screen.snapshot != nil else {
            let text =
                if case .lost(let reason) = state.screen.connection { reason } else { "Waiting for the flags." }
            for (index, line) in glyphs.wrapped(glyphs.safe(text), .dim, width: columns - 2).enumerated() {
                guard top + index < bottom else { break }
                canvas.put(line, row: top + index, column: 1, width: columns - 2, glyphs: glyphs)
            }
            return canvas
        }
        let body = top..<bottom
        if state.isWide {
            let listWidth = min(max(columns * 11 / 20, 48), 84)
            drawList(&state, rows: body, width: listWidth, on: &canvas)
            for row in body { canvas.put(glyphs.vertical, row: row, column: listWidth, style: .dim) }
            drawDetails(&state, rows: body, columns: (listWidth + 2)..<columns, on: &canvas)
        } else if state.showsDetails, state.selected != nil {
            drawDetails(&state, rows: body, columns: 1..<columns, on: &canvas)
        } else {
            drawList(&state, rows: body, width: columns, on: &canvas)
        }
        return canvas
    }

    func put(_ line: StyledLine, row: Int, on canvas: inout TerminalCanvas) {
        canvas.put(line, row: row, column: 0, width: canvas.size.columns, glyphs: glyphs)
    }

    private func isSearching(_ state: BrowserState) -> Bool {
        if case .search = state.panel { true } else { false }
    }

    // MARK: Header

    private func drawHeader(_ state: BrowserState, on canvas: inout TerminalCanvas) {
        let right = connection(of: state)
        let room = canvas.size.columns - right.width - 2
        var left = StyledLine(" " + glyphs.safe(state.screen.snapshot?.title ?? "Feature flags", limit: 200), .bold)
        if let snapshot = state.screen.snapshot {
            if !snapshot.environment.isEmpty {
                left.append(
                    "  " + glyphs.safe(snapshot.environment, limit: 60), snapshot.isProduction ? .color(.red) : .dim)
            }
            if snapshot.isReadOnly { left.append("  read-only", .color(.yellow)) }
        }
        canvas.put(left, row: 0, column: 0, width: room > 10 ? room : canvas.size.columns, glyphs: glyphs)
        if room > 10 {
            canvas.put(right, row: 0, column: canvas.size.columns - right.width - 1, width: right.width, glyphs: glyphs)
        }
    }

    private func connection(of state: BrowserState) -> StyledLine {
        switch state.screen.connection {
        case .connecting: StyledLine(glyphs.waiting + " " + FlagsBrowserText.connecting.inSentence, .dim)
        case .live: StyledLine(glyphs.live, .color(.green)).appending(" " + FlagsBrowserText.live.inSentence, .dim)
        case .lost:
            StyledLine(glyphs.lost + " " + FlagsBrowserText.connectionLost.inSentence, .color(.red, isBold: true))
        }
    }

    // MARK: Search and filters

    private func drawFilter(_ state: BrowserState, row: Int, on canvas: inout TerminalCanvas) {
        let count = state.screen.listing?.count ?? 0
        let total = state.screen.snapshot?.flags.count ?? 0
        let right = count == total ? "\(total) \(total == 1 ? "flag" : "flags")" : "\(count) of \(total) flags"
        let room = max(0, canvas.size.columns - right.count - 3)
        var line = StyledLine(" / ", .dim)
        if case .search(let editor) = state.panel {
            let field = EditorField(editor, width: max(1, room - 4), rows: 1, glyphs: glyphs)
            line.append(field.lines.first ?? "", .bold)
            canvas.cursor = (row, min(3 + field.cursor.column, canvas.size.columns - 1))
        } else if state.screen.filter.text.isEmpty {
            line.append("search", .dim)
        } else {
            line.append(glyphs.safe(state.screen.filter.text, limit: 200), .bold)
        }
        let chips = state.screen.facets.filter { state.screen.filter[$0] }
        for chip in chips { line.append("  [" + glyphs.safe(chip.title, limit: 60) + "]", .color(.cyan)) }
        canvas.put(line, row: row, column: 0, width: room, glyphs: glyphs)
        canvas.put(right, row: row, column: canvas.size.columns - right.count - 1, style: .dim)
    }

    // MARK: Notice

    private func notice(of state: BrowserState, width: Int, limit: Int) -> [StyledLine] {
        func lines(_ text: String, _ style: TerminalStyle) -> [StyledLine] {
            glyphs.wrapped(glyphs.safe(text), style, width: width - 1, indentation: 1, limit: limit)
        }
        if let notice = state.screen.notice {
            let style: TerminalStyle =
                switch notice.kind {
                case .done: .color(.green)
                case .hint: .dim
                case .failure: .color(.red)
                }
            return lines(notice.text, style)
        }
        if case .lost(let reason) = state.screen.connection, state.screen.snapshot != nil {
            return lines(reason, .color(.red))
        }
        guard let change = state.screen.snapshot?.recentChanges.first else { return [] }
        var line = StyledLine(" last change: ", .dim)
        line.append(self.line(of: change, withTime: true))
        return [line]
    }
}

extension FlagsBrowserFacet {
    var title: String { place.map(text.with) ?? text.inSentence }
}

extension StyledLine {
    mutating func append(_ line: StyledLine) {
        for span in line.spans { append(span.text, span.style) }
    }
}
