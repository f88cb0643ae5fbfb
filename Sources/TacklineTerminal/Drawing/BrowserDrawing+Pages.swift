import TacklineBrowser
import TacklineCore

extension BrowserDrawing {
    /// Draws a text that can be scrolled.
    ///
    /// - Returns: The offset in range.
    func drawPage(_ lines: [StyledLine], offset: Int, rows: Range<Int>, on canvas: inout TerminalCanvas) -> Int {
        let offset = min(max(0, offset), max(0, lines.count - rows.count))
        for (row, line) in zip(rows, lines.dropFirst(offset)) {
            canvas.put(line, row: row, column: 1, width: canvas.size.columns - 1, glyphs: glyphs)
        }
        return offset
    }

    func changesPage(_ state: BrowserState) -> [StyledLine] {
        let changes = state.snapshot?.recentChanges ?? []
        guard !changes.isEmpty else { return [StyledLine("Nothing has changed since the browser was started.", .dim)] }
        return [StyledLine("Recent changes, the newest first", .bold)] + changes.map { line(of: $0, withTime: true) }
    }

    func line(of change: FlagsBrowserChange, withTime: Bool) -> StyledLine {
        var line = StyledLine(withTime ? clock.time(change.time) + "  " : "", .dim)
        line.append(glyphs.safe(change.key, limit: 200))
        line.append("  " + glyphs.safe(change.old.text, limit: 100) + " \(glyphs.arrow) ", .dim)
        line.append(glyphs.safe(change.new.text, limit: 100), .bold)
        line.append("  from " + name(of: change.source), .dim)
        return line
    }

    /// The keys that matter most at the moment, as many as there is room for. Help and the way out come before others.
    func help(for state: BrowserState) -> StyledLine {
        let keys = keys(for: state)
        let parts = (keys.first + keys.last).map { StyledLine($0, .bold).appending(" \($1)", .dim) }
        var room = state.size.columns - 1
        var shown: Set<Int> = []
        let lastFirst = Array(keys.first.count..<parts.count) + Array(0..<keys.first.count)
        // What matters most at the moment, then the last ones, then the rest.
        for index in (keys.first.isEmpty ? [] : [0]) + lastFirst.filter({ $0 != 0 || keys.first.isEmpty }) {
            let width = parts[index].width + 2
            guard width <= room + 2 else { break }
            room -= width
            shown.insert(index)
        }
        var line = StyledLine(" ")
        for index in parts.indices where shown.contains(index) {
            if line.width > 1 { line.append("  ") }
            line.append(parts[index])
        }
        return line
    }

    private typealias Keys = [(String, String)]

    private func keys(for state: BrowserState) -> (first: Keys, last: Keys) {
        if state.panel == nil { return (browsingKeys(for: state), [("?", "help"), ("q", "quit")]) }
        return (keys(of: state.panel), [])
    }

    private func keys(of panel: BrowserPanel?) -> Keys {
        switch panel {
        case .search: return [("enter", "keep"), ("esc", "clear"), ("up/down", "move")]
        case .whatIf: return [("enter", "ask"), ("esc", "as in the program")]
        case .edit(let edit):
            var keys = [("enter", "save"), ("esc", "cancel")]
            if case .integer = edit.flag.control { keys.append(("up/down", "step")) }
            if edit.isMultiline { keys.append(("ctrl-j", "new line")) }
            if edit.flag.isOptional { keys.append(("ctrl-n", "no value")) }
            return keys + [("ctrl-u", "clear line")]
        case .choose: return [("up/down", "choose"), ("enter", "save"), ("esc", "cancel")]
        case .confirm(let confirmation):
            let other = confirmation.key.map { $0 == " " ? " or space" : " or \($0)" } ?? ""
            return [("y\(other)", "yes"), ("n", "no")]
        case .filters: return [("space", "switch"), ("x", "clear"), ("esc", "done")]
        case .destinations: return [("enter", "choose"), ("esc", "cancel")]
        case .changes, .help: return [("up/down", "scroll"), ("any other key", "back")]
        case nil: return []
        }
    }

    private func browsingKeys(for state: BrowserState) -> Keys {
        var keys: Keys = []
        if let flag = state.selected {
            switch flag.control {
            case .toggle: keys.append(("space", "switch"))
            case .choice: keys += [("space", "next"), ("e", "choose")]
            case .integer: keys += [("e", "edit"), ("+/-", "step")]
            default: keys.append(("e", "edit"))
            }
            if state.showsDetailsOfNarrow {
                keys.insert(("esc", "list"), at: 0)
            } else if !state.isWide {
                keys.append(("enter", "details"))
            }
            keys.append(("r", "reset"))
        }
        if state.canUndo { keys.append(("u", "undo")) }
        return keys + [("/", "search"), ("f", "filter"), ("p", "pin"), ("c", "changes")]
    }

    func helpPage() -> [StyledLine] {
        var lines: [StyledLine] = []
        func head(_ text: String) {
            if !lines.isEmpty { lines.append(StyledLine()) }
            lines.append(StyledLine(text, .bold))
        }
        func key(_ key: String, _ text: String) {
            lines.append(StyledLine("  " + TextLayout.padded(key, to: 18), .color(.cyan)).appending(text))
        }
        head("Looking around")
        key("up/down, j/k", "the next flag, the one before")
        key("page up/down, g/G", "further; the first, the last")
        key("enter, right", "the details, in a narrow window; escape leads back")
        key("J/K", "scroll the details")
        key("/", "search names, keys, descriptions, tags and owners")
        key("f", "filters; escape clears search and filters")
        key("c", "what changed lately")
        key("w", "what rules would give somebody else: targetingKey=user-7 plan=gold")
        head("Changing")
        key("space", "switch, or take the next option; the details say before what will happen")
        key("e", "edit in a field or choose from the options")
        key("+ and -", "step a whole number")
        key("r, R, X", "reset the flag, its group, everything; each asks first")
        key("u", "undo your last edit")
        key("d", "choose the provider that edits go to")
        key("p", "pin the flag")
        key("y", "copy the flag's link, or its key")
        head("In a field")
        key("enter", "save, if the flag's type takes it")
        key("ctrl-j", "a new line, in text and JSON")
        key("ctrl-a/e/u/k/w", "as in a shell")
        head("Signs")
        key(glyphs.fresh, "changed since you last pressed a key")
        key(glyphs.pin, "pinned")
        key(glyphs.cursor, "the answer that counts")
        head("Leaving")
        key("q, ctrl-c", "quit")
        key("ctrl-z", "back to the shell; fg comes back here")
        return lines
    }
}
