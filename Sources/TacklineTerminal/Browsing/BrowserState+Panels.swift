import TacklineBrowser
import TacklineCore

extension BrowserState {
    // MARK: The draft

    mutating func edit(_ key: TerminalKey, _ editor: TextEditor) -> [BrowserEffect] {
        guard let draft = screen.draft else { return [] }
        if draft.saving != nil {
            // The answer may never arrive, so escape must still work.
            return key == .escape ? drop() : []
        }
        var editor = editor
        var fits = true
        switch key {
        case .escape: return drop()
        case .enter, .control("s"): return begin { $0.save() }
        case .control("n") where draft.flag.isOptional:
            screen.draft?.hasValue = false
            return begin { $0.save() }
        case .lineFeed, .alternate("\n"): fits = editor.insert("\n")
        case .tab: fits = !draft.isMultiline || editor.insert("  ")
        case .character(let character): fits = editor.insert(String(character))
        case .paste(let text):
            fits = editor.insert(text.replacing("\r\n", with: "\n").replacing("\r", with: "\n"))
        case .up, .down:
            let step = key == .up ? 1 : -1
            if case .integer = draft.flag.control {
                if Int128(draft.text) != nil { screen.draft?.step(by: step) }
                editor = TextEditor(screen.draft?.text ?? "")
            } else {
                editor.moveLine(by: -step)
            }
        default: _ = editor.take(key)
        }
        if screen.draft?.text != editor.text {
            screen.draft?.text = editor.text
            screen.draft?.hasValue = true
        }
        if !fits {
            screen.draft?.error = FlagsBrowserError(
                .invalidValue, "The text would be longer than 256 KiB, so it stays as it was.")
        }
        panel = .edit(editor)
        return []
    }

    mutating func choose(_ key: TerminalKey) -> [BrowserEffect] {
        guard let draft = screen.draft else { return [] }
        switch key {
        case .enter:
            guard draft.choice != nil else { return [] }
            let effects = screen.perform(draft.command(destination: screen.destination))
            return drop() + effects.inTerminal
        case .up, .down, .character, .home, .end:
            screen.draft?.choice = Self.moved(draft.choice ?? 0, key, count: draft.options.count)
        case .escape: return drop()
        default: break
        }
        return []
    }

    private mutating func drop() -> [BrowserEffect] {
        screen.draft = nil
        panel = nil
        return []
    }

    // MARK: The question

    mutating func take(_ key: TerminalKey, for question: FlagsBrowserScreen.Question) -> [BrowserEffect] {
        switch key {
        case .enter, .character("y"), .character("Y"): return screen.answer(true).inTerminal
        case .character(let character) where character == question.key: return screen.answer(true).inTerminal
        case .escape, .character("n"), .character("N"), .character("q"): return screen.answer(false).inTerminal
        default: return []
        }
    }

    // MARK: Filters and destinations

    mutating func takeInFilters(_ key: TerminalKey, cursor: Int) -> [BrowserEffect] {
        let facets = screen.facets
        switch key {
        case .character(" "), .enter:
            if facets.indices.contains(cursor) { screen.filter[facets[cursor]].toggle() }
            if key == .enter { panel = nil }
        case .character("x"): screen.filter = FlagsBrowserFilter()
        case .escape, .character("f"), .character("q"): panel = nil
        default: panel = .filters(cursor: Self.moved(cursor, key, count: facets.count))
        }
        return []
    }

    mutating func openDestinations() {
        guard let snapshot = screen.snapshot, !snapshot.destinations.isEmpty else {
            let reason = screen.snapshot?.readOnlyReason?.message ?? "No provider can be written to."
            screen.notice = .init(.failure, reason)
            return
        }
        let place = snapshot.destinations.firstIndex { $0.id == screen.destination }
        panel = .destinations(cursor: place.map { $0 + 1 } ?? 0)
    }

    mutating func takeInDestinations(_ key: TerminalKey, cursor: Int) -> [BrowserEffect] {
        // The first entry is the section's default destination.
        let ids: [String?] = [nil] + (screen.snapshot?.destinations.map { $0.id } ?? [])
        switch key {
        case .enter, .character(" "):
            if ids.indices.contains(cursor) { screen.destination = ids[cursor] }
            panel = nil
        case .escape, .character("d"), .character("q"): panel = nil
        default: panel = .destinations(cursor: Self.moved(cursor, key, count: ids.count))
        }
        return []
    }

    private static func moved(_ cursor: Int, _ key: TerminalKey, count: Int) -> Int {
        let place =
            switch key {
            case .up, .character("k"): cursor - 1
            case .down, .character("j"), .character(" "): cursor + 1
            case .home, .character("g"): 0
            case .end, .character("G"): count - 1
            default: cursor
            }
        return min(max(place, 0), max(0, count - 1))
    }
}

extension FlagsBrowserDraft {
    /// Whether the text may have several lines, as JSON does.
    var isMultiline: Bool { flag.control.kind == .json }
}

extension FlagsBrowserScreen.Question {
    /// The key that leads to the question, which also answers it with yes.
    var key: Character {
        switch (kind, command) {
        case (.undo, _): "u"
        case (.withoutEffect, _): " "
        case (.overwrite, _): "!"
        case (.reset, .resetAll): "X"
        case (.reset, .resetGroup): "R"
        case (.reset, _): "r"
        }
    }
}
