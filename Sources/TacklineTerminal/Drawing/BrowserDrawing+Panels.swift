import TacklineBrowser
import TacklineCore

extension BrowserDrawing {
    /// What stands in front of the lower part of the list.
    struct Panel {
        var lines: [StyledLine]
        /// The line under the cursor of a menu; `nil` if there is none.
        var selected: Int?
        /// Where the text cursor is.
        var cursor: EditorField.Place?
    }

    /// - Parameter rows: How many rows there are for it and the list.
    func panel(for state: BrowserState, rows: Int) -> Panel? {
        let width = max(1, state.size.columns - 2)
        var panel: Panel
        switch state.panel {
        case .edit(let edit): panel = self.panel(of: edit, state, width: width, rows: rows)
        case .whatIf(let editor):
            let field = EditorField(editor, width: width - 2, rows: 1, glyphs: glyphs)
            let line = StyledLine(glyphs.cursor + " ", .color(.cyan, isBold: true)).appending(field.lines.first ?? "")
            panel = Panel(
                lines: [StyledLine("For whom shall rules be asked? targetingKey=user-7 plan=gold", .bold), line],
                cursor: .init(row: 1, column: field.cursor.column + CellWidth.of(glyphs.cursor) + 1))
        case .choose(let choice): panel = self.panel(of: choice, state, width: width, rows: rows)
        case .confirm(let confirmation):
            let preview = message(of: state.preview(of: confirmation.command))
            let text =
                preview.map { glyphs.wrapped($0.text, $0.style, width: width, limit: max(1, rows - 4)) } ?? []
            panel = Panel(lines: [StyledLine(glyphs.safe(confirmation.question, limit: 300), .bold)] + text)
        case .filters(let cursor):
            let entries = BrowserFilterEntry.entries(of: state.snapshot)
            let items = entries.map { entry in
                (glyphs.safe(entry.title, limit: 80), entry.isOn(in: state.filter))
            }
            panel = menu("Show only flags that are", items, cursor: cursor, rows: rows)
        case .destinations(let cursor):
            let destinations: [String?] = [nil] + (state.snapshot?.destinations.map { $0.id } ?? [])
            let items = destinations.map { id in
                (id.map { glyphs.safe($0, limit: 80) } ?? "the override layer", state.destination == id)
            }
            panel = menu("Edits go to", items, cursor: cursor, rows: rows)
        default: return nil
        }
        // Set off from the list by a line.
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

    private func panel(of edit: BrowserPanel.Edit, _ state: BrowserState, width: Int, rows: Int) -> Panel {
        let title = StyledLine(glyphs.safe(edit.flag.name, limit: 200), .bold)
            .appending("  " + expectation(for: edit.flag), .dim)
            .appending("  \(glyphs.arrow) " + destination(of: edit.flag, state), .dim)
        let verdict: [StyledLine] =
            if edit.saving != nil {
                [StyledLine("Saving", .dim)]
            } else if let error = edit.error {
                self.verdict(glyphs.safe(place(of: error) + error.message), .color(.red), width: width, rows: rows)
            } else if let message = message(of: state.preview(of: state.command(of: edit))) {
                self.verdict(message.text, message.style, width: width, rows: rows)
            } else {
                [StyledLine()]
            }
        let isMultiline = edit.editor.characters.contains { $0.isNewline } || edit.isMultiline
        let fieldRows = isMultiline ? max(1, min(12, rows * 2 / 3) - 2 - verdict.count) : 1
        let field = EditorField(edit.editor, width: width - 2, rows: fieldRows, glyphs: glyphs)
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

    private func verdict(_ text: String, _ style: TerminalStyle, width: Int, rows: Int) -> [StyledLine] {
        glyphs.wrapped(text, style, width: width, limit: max(1, min(4, rows / 3)))
    }

    private func place(of error: FlagsBrowserError) -> String {
        guard let line = error.line, let column = error.column, !error.message.contains("line \(line)") else {
            return ""
        }
        return "Line \(line), column \(column): "
    }

    private func panel(of choice: BrowserPanel.Choice, _ state: BrowserState, width: Int, rows: Int) -> Panel {
        let current = choice.flag.value
        let items = choice.options.map { option -> (String, Bool) in
            let isCurrent =
                if case .value(let value) = option.input { FlagsBrowserValue(value) == current } else { false }
            return (glyphs.safe(option.label, limit: 200), isCurrent)
        }
        var panel = menu(
            glyphs.safe(choice.flag.name, limit: 200) + "  \(glyphs.arrow) " + destination(of: choice.flag, state),
            items,
            cursor: choice.cursor, rows: rows - 2)
        if rows > 4, let message = state.intended.flatMap({ message(of: state.preview(of: $0)) }) {
            panel.lines += glyphs.wrapped(message.text, message.style, width: width, limit: 2)
        }
        return panel
    }

    /// Entries with a sign for those that are on, scrolled so that the cursor is in sight.
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
            (glyphs.safe(preview.message), preview.changesAnything ? .color(.green) : .color(.yellow))
        case .failure(let error): (glyphs.safe(place(of: error) + error.message), .color(.red))
        case nil: nil
        }
    }

    private func destination(of flag: FlagsBrowserFlag, _ state: BrowserState) -> String {
        let section = state.snapshot?.section(id: flag.section)
        return glyphs.safe(state.destination ?? section?.defaultDestination ?? "nowhere", limit: 80)
    }

    private func expectation(for flag: FlagsBrowserFlag) -> String {
        switch flag.control {
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
