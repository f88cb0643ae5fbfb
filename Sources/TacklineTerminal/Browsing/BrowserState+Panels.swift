import TacklineBrowser
import TacklineCore

extension BrowserState {
    // MARK: Editing text

    func command(of edit: BrowserPanel.Edit) -> FlagsBrowserCommand {
        .set(flag: edit.flag.id, to: .text(edit.editor.text), destination: destination)
    }

    mutating func take(_ key: TerminalKey, in edit: BrowserPanel.Edit) -> [BrowserEffect] {
        var edit = edit
        if edit.saving != nil {
            // The answer may never come; the user must get out.
            if key == .escape { panel = nil }
            return []
        }
        var fits = true
        switch key {
        case .escape:
            panel = nil
            return []
        case .enter, .control("s"):
            return save(edit, command(of: edit))
        case .control("n") where edit.flag.isOptional:
            return save(edit, .set(flag: edit.flag.id, to: .value(.null), destination: destination))
        case .lineFeed, .alternate("\n"): fits = edit.editor.insert("\n")
        case .tab: fits = !edit.isMultiline || edit.editor.insert("  ")
        case .character(let character): fits = edit.editor.insert(String(character))
        case .paste(let text):
            fits = edit.editor.insert(text.replacing("\r\n", with: "\n").replacing("\r", with: "\n"))
        case .up, .down: move(key, in: &edit)
        default: _ = edit.editor.take(key)
        }
        if case .edit(let former) = panel, former.editor.text != edit.editor.text { edit.error = nil }
        if !fits {
            edit.error = FlagsBrowserError(
                .invalidValue, "The text would be longer than 256 KiB, so it stays as it was.")
        }
        panel = .edit(edit)
        return []
    }

    private mutating func save(_ edit: BrowserPanel.Edit, _ command: FlagsBrowserCommand) -> [BrowserEffect] {
        var edit = edit
        edit.saving = command
        edit.error = nil
        panel = .edit(edit)
        return [.perform(command)]
    }

    /// Up and down step whole numbers, and move between lines otherwise.
    private func move(_ key: TerminalKey, in edit: inout BrowserPanel.Edit) {
        let step: Int128 = key == .up ? 1 : -1
        guard case .integer(let minimum, let maximum) = edit.flag.control else {
            return edit.editor.moveLine(by: -Int(step))
        }
        guard let number = Int128(edit.editor.text) else { return }
        let (sum, overflows) = number.addingReportingOverflow(step)
        if !overflows, sum >= minimum, sum <= maximum { edit.editor = TextEditor("\(sum)") }
    }

    // MARK: Choosing

    func command(of choice: BrowserPanel.Choice) -> FlagsBrowserCommand? {
        guard choice.options.indices.contains(choice.cursor) else { return nil }
        return .set(flag: choice.flag.id, to: choice.options[choice.cursor].input, destination: destination)
    }

    mutating func take(_ key: TerminalKey, in choice: BrowserPanel.Choice) -> [BrowserEffect] {
        var choice = choice
        switch key {
        case .enter:
            panel = nil
            return command(of: choice).map { [.perform($0)] } ?? []
        case .up, .down, .character, .home, .end:
            choice.cursor = Self.moved(choice.cursor, key, count: choice.options.count)
            panel = .choose(choice)
        case .escape: panel = nil
        default: break
        }
        return []
    }

    // MARK: Confirming

    mutating func take(_ key: TerminalKey, in confirmation: BrowserPanel.Confirmation) -> [BrowserEffect] {
        switch key {
        case .enter, .character("y"), .character("Y"):
            panel = nil
            return [.perform(confirmation.command)]
        case .character(let character) where character == confirmation.key:
            panel = nil
            return [.perform(confirmation.command)]
        case .escape, .character("n"), .character("N"), .character("q"):
            panel = nil
            notice = .init(kind: .hint, text: "Nothing was changed.")
        default: break
        }
        return []
    }

    // MARK: Filters and destinations

    mutating func takeInFilters(_ key: TerminalKey, cursor: Int) -> [BrowserEffect] {
        let entries = BrowserFilterEntry.entries(of: snapshot)
        switch key {
        case .character(" "), .enter:
            if entries.indices.contains(cursor) { entries[cursor].toggle(in: &filter) }
            if key == .enter { panel = nil }
        case .character("x"): filter = FlagsBrowserFilter()
        case .escape, .character("f"), .character("q"): panel = nil
        default: panel = .filters(cursor: Self.moved(cursor, key, count: entries.count))
        }
        return []
    }

    mutating func openDestinations() {
        guard let snapshot, !snapshot.destinations.isEmpty else {
            let reason = snapshot?.readOnlyReason?.message ?? "No provider can be written to."
            notice = .init(kind: .failure, text: reason)
            return
        }
        let place = snapshot.destinations.firstIndex { $0.id == destination }
        panel = .destinations(cursor: place.map { $0 + 1 } ?? 0)
    }

    mutating func takeInDestinations(_ key: TerminalKey, cursor: Int) -> [BrowserEffect] {
        // The first entry is the section's own choice.
        let ids: [String?] = [nil] + (snapshot?.destinations.map { $0.id } ?? [])
        switch key {
        case .enter, .character(" "):
            if ids.indices.contains(cursor) { destination = ids[cursor] }
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

    // MARK: Answers

    mutating func receive(
        _ result: Result<FlagsBrowserReply, FlagsBrowserError>, of command: FlagsBrowserCommand
    ) {
        contested = if case .failure(let error) = result, error.code == .editConflict { command } else { nil }
        switch result {
        case .success(let reply):
            if case .edit(let edit) = panel, edit.saving == command { panel = nil }
            forgetFreshChanges(of: reply.flags)
            notice = .init(kind: .done, text: reply.message)
        case .failure(let error):
            if case .edit(var edit) = panel, edit.saving == command {
                edit.saving = nil
                edit.error = error
                if contested != nil { edit.seen = edit.flag }
                panel = .edit(edit)
            } else if case .undo(isForced: false) = command, error.code == .undoConflict {
                notice = .init(kind: .failure, text: error.message)
                panel = .confirm(
                    .init(question: "Undo all the same?", command: .undo(isForced: true), key: "u"))
            } else {
                notice = .init(kind: .failure, text: error.message)
                if contested != nil {
                    panel = .confirm(.init(question: "Write it all the same?", command: command, key: "!"))
                }
            }
        }
    }

    mutating func receive(loaded result: Result<FlagsBrowserFlag, FlagsBrowserError>) {
        switch result {
        case .success(let flag): if panel == nil, selected?.id == flag.id { beginEditing(flag) }
        case .failure(let error): notice = .init(kind: .failure, text: error.message)
        }
    }
}
