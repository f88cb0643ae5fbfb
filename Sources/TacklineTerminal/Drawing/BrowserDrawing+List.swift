import TacklineBrowser
import TacklineCore

extension BrowserDrawing {
    func drawList(_ state: inout BrowserState, rows: Range<Int>, width: Int, on canvas: inout TerminalCanvas) {
        let height = rows.count
        if state.rows.isEmpty {
            let text =
                state.screen.filter.isEmpty
                ? FlagsBrowserText.noFlags.rawValue : "\(FlagsBrowserText.noMatch.rawValue) Escape clears the search."
            canvas.put(StyledLine(" " + text, .dim), row: rows.lowerBound, column: 0, width: width, glyphs: glyphs)
            return
        }
        // The list scrolls as little as possible, and keeps the headings above the first flags visible.
        var cursor = state.cursor
        if state.listOffset + height <= cursor { state.listOffset = cursor - height + 1 }
        while cursor > 0, state.cursor - cursor < min(3, height - 1), !state.rows[cursor - 1].isFlag { cursor -= 1 }
        if state.listOffset > cursor { state.listOffset = cursor }
        state.listOffset = min(max(0, state.listOffset), max(0, state.rows.count - height))
        let columns = columns(of: state.flags, width: width)
        for (row, index) in zip(rows, state.rows.indices.dropFirst(state.listOffset)) {
            let line = line(of: state.rows[index], state, columns)
            canvas.put(line, row: row, column: 0, width: max(1, width - 1), glyphs: glyphs)
            if index == state.cursor {
                canvas.restyle(row: row, columns: 0..<width) {
                    $0.isReversed = true
                    $0.isDim = false
                }
            }
        }
    }

    /// The widths of the list's columns.
    private struct Columns {
        var name: Int
        var value: Int
        /// The width for the source; 0 if there is no room for it.
        var source: Int
    }

    /// Returns widths that fit the contents, within bounds that leave room for names.
    ///
    /// - Complexity: O(*n*) in the number of flags.
    private func columns(of flags: [FlagsBrowserFlag], width: Int) -> Columns {
        var (name, value, source) = (8, 5, 7)
        for flag in flags {
            name = max(name, CellWidth.of(glyphs.safe(flag.name, limit: 100)[...], upTo: 40) + 6)
            value = max(value, CellWidth.of(glyphs.safe(flag.value.text, limit: 100)[...], upTo: 30))
            source = max(source, CellWidth.of(self.name(of: flag.source)[...], upTo: 30))
        }
        source = width >= 50 ? min(source, width / 4, 20) : 0
        // Values are shortened before names, since the details show values in full.
        value = min(value, max(6, width / 3), 26, max(10, width - source - 5 - name))
        return Columns(name: max(1, width - value - source - (source > 0 ? 5 : 2)), value: value, source: source)
    }

    private func line(of row: BrowserRow, _ state: BrowserState, _ columns: Columns) -> StyledLine {
        switch row {
        case .heading(let title, let description, let depth):
            let blanks = String(repeating: " ", count: 1 + 2 * min(max(depth - 1, 0), 8))
            let line = StyledLine(
                blanks + glyphs.safe(title, limit: 200), TerminalStyle(isBold: true, isUnderlined: depth == 0))
            return description.isEmpty ? line : line.appending("  " + glyphs.safe(description, limit: 200), .dim)
        case .flag(let index, let depth):
            let flag = state.flags[index]
            return line(
                of: flag, depth: depth, isSelected: state.selected?.id == flag.id,
                isFresh: state.screen.fresh.contains(flag.id), columns)
        }
    }

    private func line(
        of flag: FlagsBrowserFlag, depth: Int, isSelected: Bool, isFresh: Bool, _ columns: Columns
    ) -> StyledLine {
        let blanks = String(repeating: " ", count: 2 * min(depth, 8))
        var line = StyledLine(isSelected ? glyphs.cursor : " ", .bold)
        line.append(
            isFresh ? glyphs.fresh : flag.isPinned ? glyphs.pin : " ", isFresh ? .color(.magenta) : .color(.yellow))
        line.append(blanks)
        let room = columns.name - 2 - blanks.count
        let name = glyphs.safe(flag.name, limit: 300)
        // The list shows all marks, the first one, or none, so that the name stays recognizable.
        let nameRoom = min(CellWidth.of(name), 12)
        let marks = marks(of: flag).first { CellWidth.of($0) + nameRoom <= room } ?? ""
        line.append(
            TextLayout.clipped(name, to: max(1, room - CellWidth.of(marks)), ellipsis: glyphs.ellipsis),
            flag.isEditable ? .plain : .dim)
        line.append(marks, flag.isExpired ? .color(.red) : .dim)
        line.append(String(repeating: " ", count: max(0, columns.name - line.width) + 1))
        let value = TextLayout.padded(
            glyphs.safe(flag.value.text, limit: 100), to: columns.value, ellipsis: glyphs.ellipsis)
        line.append(value, style(of: flag))
        if columns.source > 0 {
            let source = TextLayout.clipped(self.name(of: flag.source), to: columns.source, ellipsis: glyphs.ellipsis)
            line.append("  " + source, flag.isOverridden ? .color(.yellow) : .dim)
        }
        return line
    }

    /// Returns texts for the marks of a flag, from all of them to the most important one.
    private func marks(of flag: FlagsBrowserFlag) -> [String] {
        let marks = flag.marks.map(\.rawValue)
        guard let first = marks.first else { return [] }
        return ["  " + marks.joined(separator: ", "), "  " + first]
    }

    /// Returns a style that emphasizes values that are on or differ from their default.
    func style(of flag: FlagsBrowserFlag) -> TerminalStyle {
        switch (flag.control, flag.value.input) {
        case (.toggle, "true"): .color(.green, isBold: flag.isChangedFromDefault)
        case (.toggle, _): flag.isChangedFromDefault ? .color(.red, isBold: true) : .dim
        default: flag.isChangedFromDefault ? .bold : .plain
        }
    }

    func name(of source: FlagSource) -> String {
        glyphs.safe(source.title, limit: 100)
    }
}
