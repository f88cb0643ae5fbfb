import TacklineBrowser

extension BrowserState {
    /// Takes a key.
    ///
    /// - Returns: What to do because of it, in this order.
    mutating func take(_ key: TerminalKey) -> [BrowserEffect] {
        forgetFreshChanges()
        switch key {
        case .control("c"): return [.quit]
        case .control("z"): return [.suspend]
        case .control("l"): return [.redraw]
        case .oversizedPaste:
            notice = .init(kind: .failure, text: "What you pasted is longer than 1 MiB and was left out.")
            return []
        case .alternate(let character) where panel == nil:
            // Escape and the next key, pressed faster than they can be told apart.
            return take(.escape) + take(.character(character))
        default: break
        }
        return switch panel {
        case .search(let editor): search(key, editor)
        case .whatIf(let editor): askWhatIf(key, editor)
        case .edit(let edit): take(key, in: edit)
        case .choose(let choice): take(key, in: choice)
        case .confirm(let confirmation): take(key, in: confirmation)
        case .filters(let cursor): takeInFilters(key, cursor: cursor)
        case .destinations(let cursor): takeInDestinations(key, cursor: cursor)
        case .changes(let offset): scroll(key, offset: offset) { .changes(offset: $0) }
        case .help(let offset): scroll(key, offset: offset) { .help(offset: $0) }
        case nil: browse(key)
        }
    }

    private mutating func browse(_ key: TerminalKey) -> [BrowserEffect] {
        notice = nil
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
        case .character("/"): panel = .search(TextEditor(filter.text))
        case .character("f"): panel = .filters(cursor: 0)
        case .character("c"): panel = .changes(offset: 0)
        case .character("w"): panel = .whatIf(TextEditor(whatIf))
        case .character("d"): openDestinations()
        case .right, .tab, .character("l"): showsDetails = selected != nil
        case .left, .backTab, .character("h"): showsDetails = false
        case .escape:
            if showsDetailsOfNarrow { showsDetails = false } else { filter = FlagsBrowserFilter() }
        case .enter:
            if isWide || showsDetails { return beginEditing() }
            showsDetails = selected != nil
        default: return edit(key)
        }
        return []
    }

    /// The keys that do something to the flag under the cursor.
    private mutating func edit(_ key: TerminalKey) -> [BrowserEffect] {
        switch key {
        case .character(" "): return quickEdit()
        case .character("e"): return beginEditing()
        case .character("+"), .character("="): return step(by: 1)
        case .character("-"): return step(by: -1)
        case .character("r"): return resetFlag()
        case .character("R"): return resetGroup()
        case .character("X"):
            confirm(.resetAll(destination: destination), "Reset all flags?", key: "X")
            return []
        case .character("u"): return [.perform(.undo())]
        case .character("y"): return copyLink()
        case .character("p"):
            guard let selected else { return [] }
            return [.perform(.pin(flag: selected.id, isPinned: !selected.isPinned))]
        default: return []
        }
    }

    /// Copies the address of the flag's page, or its key where there is no page. It is shown as well, since a terminal need
    /// not take what is copied.
    private mutating func copyLink() -> [BrowserEffect] {
        guard let selected else { return [] }
        let text = address.map { $0 + "?flag=" + BrowserState.escaped(selected.id) } ?? selected.key
        notice = .init(kind: .done, text: "Copied: \(text)")
        return [.copy(text)]
    }

    /// Text for the query of a URL: letters, digits and what RFC 3986 never reserves, the rest by its bytes.
    private static func escaped(_ text: String) -> String {
        text.utf8.map { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E: String(UnicodeScalar(byte))
            default: "%\(byte < 16 ? "0" : "")\(String(byte, radix: 16, uppercase: true))"
            }
        }.joined()
    }

    var showsDetailsOfNarrow: Bool { showsDetails && !isWide }

    /// Whether list and details stand side by side.
    var isWide: Bool { size.columns >= 90 }

    private var page: Int { max(1, size.rows - 6) }

    private mutating func scrollDetails(by lines: Int) {
        // The drawing knows how far it can go, and takes it back.
        detailOffset = max(0, detailOffset + lines)
    }

    private mutating func search(_ key: TerminalKey, _ editor: TextEditor) -> [BrowserEffect] {
        var editor = editor
        switch key {
        case .escape:
            filter.text = ""
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
        if filter.text != editor.text { filter.text = editor.text }
        panel = .search(editor)
        return []
    }

    /// Takes the attributes of somebody else, whom the rules of the flags are asked for from then on.
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
