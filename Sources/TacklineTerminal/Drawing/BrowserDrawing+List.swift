import TacklineBrowser
import TacklineCore

extension BrowserDrawing {
    func drawList(_ state: inout BrowserState, rows: Range<Int>, width: Int, on canvas: inout TerminalCanvas) {
        let height = rows.count
        if state.rows.isEmpty {
            let text = state.filter.isEmpty ? "There are no flags." : "No flag matches. Escape clears the search."
            canvas.put(StyledLine(" " + text, .dim), row: rows.lowerBound, column: 0, width: width, glyphs: glyphs)
            return
        }
        // As little scrolling as possible, with the headings above the first flags in sight.
        var cursor = state.cursor
        if state.listOffset + height <= cursor { state.listOffset = cursor - height + 1 }
        while cursor > 0, state.cursor - cursor < min(3, height - 1), !isFlag(state.rows[cursor - 1]) { cursor -= 1 }
        if state.listOffset > cursor { state.listOffset = cursor }
        state.listOffset = min(max(0, state.listOffset), max(0, state.rows.count - height))
        for (row, index) in zip(rows, state.rows.indices.dropFirst(state.listOffset)) {
            let line = line(of: state.rows[index], state, width: width)
            canvas.put(line, row: row, column: 0, width: width, glyphs: glyphs)
            if index == state.cursor {
                canvas.restyle(row: row, columns: 0..<width) {
                    $0.isReversed = true
                    $0.isDim = false
                }
            }
        }
    }

    private func isFlag(_ row: BrowserRow) -> Bool {
        if case .flag = row { true } else { false }
    }

    private func line(of row: BrowserRow, _ state: BrowserState, width: Int) -> StyledLine {
        switch row {
        case .section(let section):
            let title = StyledLine(" " + glyphs.safe(section.title, limit: 200), TerminalStyle(isBold: true, isUnderlined: true))
            return section.description.isEmpty
                ? title : title.appending("  " + glyphs.safe(section.description, limit: 200), .dim)
        case .group(let group):
            let blanks = String(repeating: " ", count: 1 + 2 * min(group.depth, 8))
            return StyledLine(blanks + glyphs.safe(group.title, limit: 200), .bold)
        case .flag(let index, let depth):
            let flag = state.flags[index]
            return line(
                of: flag, depth: depth, isSelected: state.selected?.id == flag.id,
                isFresh: state.fresh.contains(flag.id), width: width)
        }
    }

    private func line(
        of flag: FlagsBrowserFlag, depth: Int, isSelected: Bool, isFresh: Bool, width: Int
    ) -> StyledLine {
        let sourceWidth = width >= 56 ? min(18, width / 4) : 0
        let valueWidth = min(22, max(6, width / 3))
        let nameWidth = max(1, width - sourceWidth - valueWidth - (sourceWidth > 0 ? 4 : 2))
        let blanks = String(repeating: " ", count: 2 * min(depth, 8))
        var line = StyledLine(isSelected ? glyphs.cursor : " ", .bold)
        line.append(
            isFresh ? glyphs.fresh : flag.isPinned ? glyphs.pin : " ", isFresh ? .color(.magenta) : .color(.yellow))
        line.append(blanks)
        let marks = marks(of: flag)
        let room = nameWidth - 2 - blanks.count
        let marksWidth = CellWidth.of(marks)
        let hasMarks = !marks.isEmpty && room - marksWidth > 8
        let name = TextLayout.clipped(
            glyphs.safe(flag.name, limit: 300), to: max(1, hasMarks ? room - marksWidth : room), ellipsis: glyphs.ellipsis)
        line.append(name, flag.isEditable ? .plain : .dim)
        if hasMarks { line.append(marks, flag.isExpired ? .color(.red) : .dim) }
        line.append(String(repeating: " ", count: max(1, nameWidth - line.width + 1)))
        let value = TextLayout.padded(
            glyphs.safe(flag.value.text, limit: 100), to: valueWidth, ellipsis: glyphs.ellipsis)
        line.append(value, style(of: flag))
        if sourceWidth > 0 {
            let source = TextLayout.clipped(name(of: flag.source), to: sourceWidth, ellipsis: glyphs.ellipsis)
            line.append("  " + source, flag.isOverridden ? .color(.yellow) : .dim)
        }
        return line
    }

    private func marks(of flag: FlagsBrowserFlag) -> String {
        var marks: [String] = []
        if flag.isExpired { marks.append("expired") }
        if flag.metadata.isLocked { marks.append("locked") }
        if flag.metadata.isInternal { marks.append("internal") }
        return marks.isEmpty ? "" : "  " + marks.joined(separator: ", ")
    }

    /// Values that are on, or differ from their default, catch the eye.
    func style(of flag: FlagsBrowserFlag) -> TerminalStyle {
        switch (flag.control, flag.value.input) {
        case (.toggle, "true"): .color(.green, isBold: flag.isChangedFromDefault)
        case (.toggle, _): flag.isChangedFromDefault ? .color(.red, isBold: true) : .dim
        default: flag.isChangedFromDefault ? .bold : .plain
        }
    }

    func name(of source: FlagSource) -> String {
        switch source {
        case .scope: "scope"
        case .computed: "computed"
        case .provider(let id): glyphs.safe(id, limit: 100)
        case .default: "default"
        }
    }
}
