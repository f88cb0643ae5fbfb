import TacklineBrowser

extension BrowserState {
    /// Handles a key.
    ///
    /// - Returns: The actions that it requires, in order.
    mutating func take(_ key: TerminalKey) -> [BrowserEffect] {
        screen.forgetFreshChanges()
        switch key {
        case .control("c"): return [.quit]
        case .control("z"): return [.suspend]
        case .control("l"): return [.redraw]
        case .oversizedPaste:
            screen.notice = .init(.failure, "What you pasted is longer than 1 MiB and was left out.")
            return []
        case .alternate(let character) where isBrowsing:
            // The escape key and the next key arrived too quickly to be distinguished from the alt key.
            return take(.escape) + take(.character(character))
        default: break
        }
        if let question = screen.question { return take(key, for: question) }
        return switch panel {
        case .search(let editor): search(key, editor)
        case .whatIf(let editor): askWhatIf(key, editor)
        case .edit(let editor): edit(key, editor)
        case .choose: choose(key)
        case .filters(let cursor): takeInFilters(key, cursor: cursor)
        case .destinations(let cursor): takeInDestinations(key, cursor: cursor)
        case .changes(let offset): scroll(key, offset: offset) { .changes(offset: $0) }
        case .help(let offset): scroll(key, offset: offset) { .help(offset: $0) }
        case nil: browse(key)
        }
    }

    private mutating func browse(_ key: TerminalKey) -> [BrowserEffect] {
        screen.notice = nil
        switch key {
        case .up, .character("k"), .control("p"): showsDetailsOfNarrow ? scrollDetails(by: -1) : move(by: -1)
        case .down, .character("j"), .control("n"): showsDetailsOfNarrow ? scrollDetails(by: 1) : move(by: 1)
        case .pageUp, .control("b"): showsDetailsOfNarrow ? scrollDetails(by: -page) : move(by: -page)
        case .pageDown, .control("f"): showsDetailsOfNarrow ? scrollDetails(by: page) : move(by: page)
        case .home, .character("g"): select(row: 0)
        case .end, .character("G"): select(row: rows.count - 1)
        case .character("K"): scrollDetails(by: -1)
        case .character("J"): scrollDetails(by: 1)
        case .character("q"): return [.quit]
        case .character("?"): panel = .help(offset: 0)
        case .character("/"): panel = .search(TextEditor(screen.filter.text))
        case .character("f"): panel = .filters(cursor: 0)
        case .character("c"): panel = .changes(offset: 0)
        case .character("w"): panel = .whatIf(TextEditor(whatIf))
        case .character("d"): openDestinations()
        case .right, .tab, .character("l"): showsDetails = selected != nil
        case .left, .backTab, .character("h"): showsDetails = false
        case .escape:
            if showsDetailsOfNarrow { showsDetails = false } else { screen.filter = FlagsBrowserFilter() }
        case .enter:
            if isWide || showsDetails { return begin { $0.beginEditing(orFlip: true) } }
            showsDetails = selected != nil
        default: return edit(key)
        }
        return []
    }

    /// Handles the keys that change the flag under the cursor.
    private mutating func edit(_ key: TerminalKey) -> [BrowserEffect] {
        switch key {
        case .character(" "): return begin { $0.quickEdit() }
        case .character("e"): return begin { $0.beginEditing(orFlip: true) }
        case .character("+"), .character("="): return begin { $0.step(by: 1) }
        case .character("-"): return begin { $0.step(by: -1) }
        case .character("r"):
            guard let flag = screen.editable() else { return [] }
            screen.confirm(.reset(flag: flag.id, destination: screen.destination))
        case .character("R"):
            guard let selected else { return [] }
            screen.confirm(.resetGroup(selected.group ?? selected.section, destination: screen.destination))
        case .character("X"): screen.confirm(.resetAll(destination: screen.destination))
        case .character("u"): return begin { $0.perform(.undo()) }
        case .character("L"):
            guard let selected, selected.canBeReleased else { return [] }
            return begin { $0.perform(.release(flag: selected.id)) }
        case .character("y"): return copyLink()
        case .character("p"):
            guard let selected else { return [] }
            return begin { $0.perform(.pin(flag: selected.id, isPinned: !selected.isPinned)) }
        default: break
        }
        return []
    }

    /// Changes the screen, and shows the draft that it may have begun.
    mutating func begin(
        _ change: (inout FlagsBrowserScreen) -> [FlagsBrowserScreen.Effect]
    ) -> [BrowserEffect] {
        let effects = change(&screen)
        showDraft()
        return effects.inTerminal
    }

    /// Copies the address of the flag's page, or its key if there is no page. A notice shows the text as well, since
    /// the terminal may ignore the request.
    private mutating func copyLink() -> [BrowserEffect] {
        guard let selected else { return [] }
        let text = address.map { $0 + "?flag=" + SafeText.percentEncoded(selected.id) } ?? selected.key
        screen.notice = .init(.done, "Copied: \(text)")
        return [.copy(text)]
    }

    var showsDetailsOfNarrow: Bool { showsDetails && !isWide }

    /// Whether the list and the details are next to each other.
    var isWide: Bool { size.columns >= 90 }

    private var page: Int { max(1, size.rows - 6) }

    private mutating func scrollDetails(by lines: Int) {
        // The drawing limits the offset to the valid range.
        detailOffset = max(0, detailOffset + lines)
    }

    private mutating func search(_ key: TerminalKey, _ editor: TextEditor) -> [BrowserEffect] {
        var editor = editor
        switch key {
        case .escape:
            screen.filter.text = ""
            panel = nil
            return []
        case .enter, .tab:
            panel = nil
            return []
        case .up: move(by: -1)
        case .down: move(by: 1)
        case .character(let character): _ = editor.insert(String(character))
        case .paste(let text): _ = editor.insert(String(text.prefix(200).map { $0.isNewline ? " " : $0 }))
        default: _ = editor.take(key)
        }
        if screen.filter.text != editor.text { screen.filter.text = editor.text }
        panel = .search(editor)
        return []
    }

    /// Edits the attributes for which the rules are evaluated from then on.
    private mutating func askWhatIf(_ key: TerminalKey, _ editor: TextEditor) -> [BrowserEffect] {
        var editor = editor
        switch key {
        case .escape:
            whatIf = ""
            panel = nil
            return []
        case .enter:
            whatIf = editor.text
            panel = nil
            showsDetails = selected != nil
            return []
        case .character(let character): _ = editor.insert(String(character))
        case .paste(let text): _ = editor.insert(String(text.prefix(1000).map { $0.isNewline ? " " : $0 }))
        default: _ = editor.take(key)
        }
        panel = .whatIf(editor)
        return []
    }

    private mutating func scroll(
        _ key: TerminalKey, offset: Int, _ panel: (Int) -> BrowserPanel
    ) -> [BrowserEffect] {
        switch key {
        case .up, .character("k"): self.panel = panel(max(0, offset - 1))
        case .down, .character("j"): self.panel = panel(offset + 1)
        case .pageUp: self.panel = panel(max(0, offset - page))
        case .pageDown, .character(" "): self.panel = panel(offset + page)
        case .home, .character("g"): self.panel = panel(0)
        default: self.panel = nil
        }
        return []
    }
}
