import TacklineBrowser
import TacklineCore

extension BrowserDrawing {
    /// Draws a text that can be scrolled.
    ///
    /// - Returns: The offset, limited to the valid range.
    func drawPage(_ lines: [StyledLine], offset: Int, rows: Range<Int>, on canvas: inout TerminalCanvas) -> Int {
        let offset = min(max(0, offset), max(0, lines.count - rows.count))
        for (row, line) in zip(rows, lines.dropFirst(offset)) {
            canvas.put(line, row: row, column: 1, width: canvas.size.columns - 1, glyphs: glyphs)
        }
        return offset
    }

    func changesPage(_ state: BrowserState) -> [StyledLine] {
        let changes = state.screen.snapshot?.recentChanges ?? []
        guard !changes.isEmpty else { return [StyledLine(FlagsBrowserText.noChanges.rawValue, .dim)] }
        return [StyledLine(FlagsBrowserText.recentChanges.rawValue, .bold)]
            + changes.map { line(of: $0, withTime: true) }
    }

    func line(of change: FlagsBrowserChange, withTime: Bool) -> StyledLine {
        var line = StyledLine(withTime ? clock.time(change.time) + "  " : "", .dim)
        line.append(glyphs.safe(change.key, limit: 200))
        line.append("  " + glyphs.safe(change.old.text, limit: 100) + " \(glyphs.arrow) ", .dim)
        line.append(glyphs.safe(change.new.text, limit: 100), .bold)
        line.append("  from " + name(of: change.source), .dim)
        return line
    }

    /// Returns the most important keys that fit: the first one for the current state, then help and quit, then the
    /// others.
    func help(for state: BrowserState) -> StyledLine {
        let keys = keys(for: state)
        let parts = (keys.first + keys.last).map { StyledLine($0, .bold).appending(" \($1)", .dim) }
        var room = state.size.columns - 1
        var shown: Set<Int> = []
        let lastFirst = Array(keys.first.count..<parts.count) + Array(0..<keys.first.count)
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
        if let question = state.screen.question {
            return ([("y or \(question.key == " " ? "space" : "\(question.key)")", "yes"), ("n", "no")], [])
        }
        guard let panel = state.panel else { return (browsingKeys(for: state), [("?", "help"), ("q", "quit")]) }
        return (keys(of: panel, state.screen.draft), [])
    }

    private func keys(of panel: BrowserPanel, _ draft: FlagsBrowserDraft?) -> Keys {
        switch panel {
        case .search: return [("enter", "keep"), ("esc", "clear"), ("up/down", "move")]
        case .whatIf: return [("enter", "ask"), ("esc", "as in the program")]
        case .edit:
            var keys = [("enter", "save"), ("esc", "cancel")]
            if case .integer = draft?.flag.control { keys.append(("up/down", "step")) }
            if draft?.isMultiline == true { keys.append(("ctrl-j", "new line")) }
            if draft?.flag.isOptional == true { keys.append(("ctrl-n", "no value")) }
            return keys + [("ctrl-u", "clear line")]
        case .choose: return [("up/down", "choose"), ("enter", "save"), ("esc", "cancel")]
        case .filters: return [("space", "switch"), ("x", "clear"), ("esc", "done")]
        case .destinations: return [("enter", "choose"), ("esc", "cancel")]
        case .changes, .help: return [("up/down", "scroll"), ("any other key", "back")]
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
        if state.screen.canUndo { keys.append(("u", "undo")) }
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
        key("/", "search names, keys, values, descriptions, tags and owners")
        key("f", "filters and order; escape clears search and filters")
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
        key("L", "release a value that the launch guard holds back")
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
