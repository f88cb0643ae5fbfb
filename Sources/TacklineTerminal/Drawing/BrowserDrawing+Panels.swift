import TacklineBrowser
import TacklineCore

extension BrowserDrawing {
    /// The content that is drawn over the lower part of the list.
    struct Panel {
        var lines: [StyledLine]
        /// The index of the selected line of a menu; `nil` if there is none.
        var selected: Int?
        /// The place of the text cursor; `nil` if it is hidden.
        var cursor: EditorField.Place?
    }

    /// - Parameter rows: The number of rows for the panel and the list together.
    func panel(for state: BrowserState, rows: Int) -> Panel? {
        let width = max(1, state.size.columns - 2)
        var panel: Panel
        switch (state.screen.question, state.panel) {
        case (let question?, _):
            let preview = message(of: state.screen.previewed(question.command))
            let text =
                preview.map { glyphs.wrapped($0.text, $0.style, width: width, limit: max(1, rows - 4)) } ?? []
            panel = Panel(lines: [StyledLine(glyphs.safe(question.text, limit: 300), .bold)] + text)
        case (_, .edit(let editor)):
            guard let draft = state.screen.draft else { return nil }
            panel = self.panel(of: draft, editor, state, width: width, rows: rows)
        case (_, .choose):
            guard let draft = state.screen.draft else { return nil }
            panel = choices(of: draft, state, width: width, rows: rows)
        case (_, .whatIf(let editor)):
            let field = EditorField(editor, width: width - 2, rows: 1, glyphs: glyphs)
            let line = StyledLine(glyphs.cursor + " ", .color(.cyan, isBold: true)).appending(field.lines.first ?? "")
            panel = Panel(
                lines: [StyledLine("Whom should the rules be asked for? targetingKey=user-7 plan=gold", .bold), line],
                cursor: .init(row: 1, column: field.cursor.column + CellWidth.of(glyphs.cursor) + 1))
        case (_, .filters(let cursor)):
            let items = state.screen.facets.map { facet in
                (glyphs.safe(facet.title, limit: 80), state.screen.filter[facet])
            }
            panel = menu("Filters and order", items, cursor: cursor, rows: rows)
        case (_, .destinations(let cursor)):
            let destinations: [String?] = [nil] + (state.screen.snapshot?.destinations.map { $0.id } ?? [])
            let items = destinations.map { id in
                (
                    id.map { glyphs.safe($0, limit: 80) } ?? FlagsBrowserText.overrideLayer.inSentence,
                    state.screen.destination == id
                )
            }
            panel = menu(FlagsBrowserText.writeTo.rawValue, items, cursor: cursor, rows: rows)
        default: return nil
        }
        // A line separates the panel from the list.
        if rows >= 6 {
            panel.lines.insert(StyledLine(String(repeating: glyphs.horizontal, count: width), .dim), at: 0)
            panel.selected = panel.selected.map { $0 + 1 }
            panel.cursor = panel.cursor.map { .init(row: $0.row + 1, column: $0.column) }
        }
        return panel
    }

    func draw(_ panel: Panel, rows: Range<Int>, on canvas: inout TerminalCanvas) {
        for (index, (row, line)) in zip(rows, panel.lines).enumerated() {
            canvas.put(line, row: row, column: 1, width: canvas.size.columns - 1, glyphs: glyphs)
            if index == panel.selected {
                canvas.restyle(row: row, columns: 0..<canvas.size.columns) {
                    $0.isReversed = true
                    $0.isDim = false
                }
            }
        }
        if let cursor = panel.cursor, cursor.row < rows.count {
            canvas.cursor = (rows.lowerBound + cursor.row, min(1 + cursor.column, canvas.size.columns - 1))
        }
    }

    private func panel(
        of draft: FlagsBrowserDraft, _ editor: TextEditor, _ state: BrowserState, width: Int, rows: Int
    ) -> Panel {
        let title = StyledLine(glyphs.safe(draft.flag.name, limit: 200), .bold)
            .appending("  " + expectation(for: draft.flag), .dim)
            .appending("  \(glyphs.arrow) " + destination(of: draft.flag, state), .dim)
        let verdict: [StyledLine] =
            if draft.saving != nil {
                [StyledLine("Saving", .dim)]
            } else if let message = message(of: outlook(of: draft, state)) {
                glyphs.wrapped(message.text, message.style, width: width, limit: max(1, min(4, rows / 3)))
            } else {
                [StyledLine()]
            }
        let isMultiline = editor.characters.contains { $0.isNewline } || draft.isMultiline
        let fieldRows = isMultiline ? max(1, min(12, rows * 2 / 3) - 2 - verdict.count) : 1
        let field = EditorField(editor, width: width - 2, rows: fieldRows, glyphs: glyphs)
        let lines = field.lines.enumerated().map { index, text in
            StyledLine(index == 0 ? glyphs.cursor + " " : "  ", .color(.cyan, isBold: true)).appending(text)
        }
        let hasTitle = rows >= 3
        let offset = hasTitle ? 1 : 0
        return Panel(
            lines: (hasTitle ? [title] : []) + lines + verdict,
            cursor: .init(
                row: field.cursor.row + offset,
                column: field.cursor.column + CellWidth.of(glyphs.cursor) + 1))
    }

    private func outlook(
        of draft: FlagsBrowserDraft, _ state: BrowserState
    ) -> Result<FlagsBrowserPreview, FlagsBrowserError>? {
        if let error = draft.error { return .failure(error) }
        return state.screen.previewed(draft.command(destination: state.screen.destination))
    }

    private func place(of error: FlagsBrowserError) -> String {
        guard let line = error.line, let column = error.column, !error.message.contains("line \(line)") else {
            return ""
        }
        return "Line \(line), column \(column): "
    }

    private func choices(of draft: FlagsBrowserDraft, _ state: BrowserState, width: Int, rows: Int) -> Panel {
        let present = FlagsBrowserDraft(draft.flag).choice
        let items = draft.options.enumerated().map { index, option in
            (glyphs.safe(option.label, limit: 200), index == present)
        }
        var panel = menu(
            glyphs.safe(draft.flag.name, limit: 200) + "  \(glyphs.arrow) " + destination(of: draft.flag, state), items,
            cursor: draft.choice ?? 0, rows: rows - 2)
        if rows > 4, let message = message(of: outlook(of: draft, state)) {
            panel.lines += glyphs.wrapped(message.text, message.style, width: width, limit: 2)
        }
        return panel
    }

    /// Returns entries with a sign that shows whether each is on, scrolled so that the cursor is visible.
    private func menu(_ title: String, _ items: [(String, Bool)], cursor: Int, rows: Int) -> Panel {
        let height = max(1, min(items.count, rows - 3))
        let first = max(0, min(cursor - height / 2, items.count - height))
        let shown = items.dropFirst(first).prefix(height)
        let lines = shown.map { text, isOn in
            StyledLine((isOn ? glyphs.on : glyphs.off) + " ", isOn ? .color(.green) : .dim).appending(text)
        }
        return Panel(lines: [StyledLine(title, .bold)] + lines, selected: 1 + cursor - first)
    }

    private func message(
        of result: Result<FlagsBrowserPreview, FlagsBrowserError>?
    ) -> (text: String, style: TerminalStyle)? {
        switch result {
        case .success(let preview):
            (
                glyphs.safe(preview.conflict ?? preview.message),
                preview.changesAnything && preview.conflict == nil ? .color(.green) : .color(.yellow)
            )
        case .failure(let error): (glyphs.safe(place(of: error) + error.message), .color(.red))
        case nil: nil
        }
    }

    private func destination(of flag: FlagsBrowserFlag, _ state: BrowserState) -> String {
        glyphs.safe(state.screen.destination(of: flag) ?? "nowhere", limit: 80)
    }

    private func expectation(for flag: FlagsBrowserFlag) -> String {
        if let rule = flag.rule { return glyphs.safe(rule, limit: 120) }
        return switch flag.control {
        case .toggle: "true or false"
        case .integer(.min, .max): "a whole number"
        case .integer(let minimum, let maximum): "a whole number from \(minimum) to \(maximum)"
        case .number: "a number"
        case .text(.plain): "text"
        case .text(.url): "a URL"
        case .text(.uuid): "a UUID"
        case .text(.base64): "bytes in base64"
        case .choice: "one of the options"
        case .date: "a date such as 2026-11-21T08:00:00Z"
        case .json: "JSON"
        }
    }
}
