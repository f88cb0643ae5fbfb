import TacklineBrowser
import TacklineCore

extension BrowserState {
    /// What the space bar would do to a flag; `nil` if it has no such control.
    func quickCommand(for flag: FlagsBrowserFlag) -> FlagsBrowserCommand? {
        guard flag.isEditable else { return nil }
        switch flag.control {
        case .toggle:
            return .set(flag: flag.id, to: .value(.bool(flag.value.input != "true")), destination: destination)
        case .choice(let options):
            guard let first = options.first else { return nil }
            let place = options.firstIndex { $0.value == flag.value }
            let next = place.map { options[($0 + 1) % options.count] } ?? first
            return .set(flag: flag.id, to: input(of: next), destination: destination)
        default: return nil
        }
    }

    /// What the panel in front, or else the space bar, would do: what a preview is wanted of.
    var intended: FlagsBrowserCommand? {
        switch panel {
        case .edit(let edit): edit.saving == nil ? command(of: edit) : nil
        case .choose(let choice): command(of: choice)
        case .confirm(let confirmation): confirmation.command
        case .search, nil: selected.flatMap(quickCommand)
        default: nil
        }
    }

    /// Asks for the preview that is wanted, unless it is known or on its way.
    mutating func askForPreview() -> [BrowserEffect] {
        guard let intended, let revision = snapshot?.revision else {
            asked = nil
            return []
        }
        if let asked, asked.command == intended, asked.revision == revision { return [] }
        asked = (intended, revision)
        return [.preview(intended)]
    }

    /// What a command is sent with: who asks, and what they saw of the flag that it changes.
    func request(for command: FlagsBrowserCommand) -> FlagsBrowserRequest {
        var request = FlagsBrowserRequest(command, author: author)
        let (flag, destination): (String, String?)
        switch command {
        case .set(let id, _, let chosen): (flag, destination) = (id, chosen)
        case .reset(let id, let chosen): (flag, destination) = (id, chosen)
        default: return request
        }
        guard command != contested else { return request }
        var seen = snapshot?.flag(id: flag)
        if case .edit(let edit) = panel, edit.saving == command { seen = edit.seen }
        let section = snapshot?.sections.first { $0.id == seen?.section }
        guard let seen, let provider = destination ?? section?.defaultDestination else { return request }
        request.expected = FlagsBrowserExpectation(value: seen.answers.first { $0.provider == provider }?.value)
        return request
    }

    /// Whether there is an edit of one's own, or, in a browser without authors, one at all.
    var canUndo: Bool {
        guard let snapshot else { return false }
        return snapshot.edits.isEmpty
            ? snapshot.undo != nil : snapshot.edits.contains { $0.author?.id == author.id && !$0.isUndone }
    }

    // MARK: Beginning

    mutating func quickEdit() -> [BrowserEffect] {
        guard let flag = editable() else { return [] }
        guard let command = quickCommand(for: flag) else { return beginEditing() }
        if case .success(let preview) = self.preview(of: command), !preview.changesAnything {
            // It would have no effect: say why before, not after.
            panel = .confirm(.init(question: "Write it all the same?", command: command, key: " "))
            return []
        }
        return [.perform(command)]
    }

    mutating func beginEditing() -> [BrowserEffect] {
        guard let flag = editable() else { return [] }
        switch flag.control {
        case .toggle where !flag.isOptional: return quickEdit()
        case .toggle:
            beginChoosing(flag, [("true", .value(.bool(true))), ("false", .value(.bool(false)))])
        case .choice(let options):
            beginChoosing(flag, options.map { ($0.label, input(of: $0)) })
        default:
            if flag.value.isShortened { return [.load(flag: flag.id)] }
            beginEditing(flag)
        }
        return []
    }

    /// Opens the editor with the value that is in force.
    mutating func beginEditing(_ flag: FlagsBrowserFlag) {
        guard let text = flag.value.kind == .null ? "" : flag.value.input else {
            notice = .init(kind: .failure, text: "The value of \(flag.key) is too long to be edited here.")
            return
        }
        guard text.utf8.count <= TextEditor.limit else {
            notice = .init(kind: .failure, text: "The value of \(flag.key) is longer than 256 KiB, so not edited here.")
            return
        }
        panel = .edit(.init(flag: flag, seen: flag, editor: TextEditor(text)))
    }

    private mutating func beginChoosing(_ flag: FlagsBrowserFlag, _ options: [(String, FlagsBrowserInput)]) {
        var choices = options.map { BrowserPanel.Choice.Option(label: $0.0, input: $0.1) }
        if flag.isOptional { choices.append(.init(label: "no value", input: .value(.null))) }
        let current = flag.value.kind == .null ? "no value" : flag.value.input ?? flag.value.text
        let place = choices.firstIndex { choice in
            if choice.label == current { return true }
            if case .value(let value) = choice.input { return FlagsBrowserValue(value).input == current }
            return false
        }
        panel = .choose(.init(flag: flag, options: choices, cursor: place ?? 0))
    }

    /// The flag under the cursor, unless it cannot be edited, which is then said.
    private mutating func editable() -> FlagsBrowserFlag? {
        guard let selected else { return nil }
        if let refusal = selected.refusal {
            notice = .init(kind: .failure, text: refusal.message)
            return nil
        }
        return selected
    }

    private func input(of option: FlagsBrowserOption) -> FlagsBrowserInput {
        option.value.encoded.map { .value($0) } ?? .text(option.label)
    }

    mutating func step(by count: Int128) -> [BrowserEffect] {
        guard let flag = editable() else { return [] }
        guard case .integer(let minimum, let maximum) = flag.control else {
            notice = .init(kind: .hint, text: "+ and - change whole numbers.")
            return []
        }
        let (sum, overflows) = (flag.value.input.flatMap { Int128($0) } ?? 0).addingReportingOverflow(count)
        guard !overflows, (minimum...max(minimum, maximum)).contains(sum) else {
            notice = .init(kind: .hint, text: "\(flag.name) ranges from \(minimum) to \(maximum).")
            return []
        }
        return [.perform(.set(flag: flag.id, to: .value(.integer(sum)), destination: destination))]
    }

    // MARK: Resetting

    mutating func resetFlag() -> [BrowserEffect] {
        guard let flag = editable() else { return [] }
        confirm(.reset(flag: flag.id, destination: destination), "Reset \(flag.name)?", key: "r")
        return []
    }

    mutating func resetGroup() -> [BrowserEffect] {
        guard let flag = selected, let snapshot, let section = snapshot.section(id: flag.section) else { return [] }
        let group = section.groups.first { $0.id == flag.group }
        confirm(
            .resetGroup(group?.id ?? section.id, destination: destination),
            "Reset all of \(group?.title ?? section.title)?", key: "R")
        return []
    }

    mutating func confirm(_ command: FlagsBrowserCommand, _ question: String, key: Character?) {
        if let refusal = snapshot?.readOnlyReason {
            notice = .init(kind: .failure, text: refusal.message)
        } else {
            panel = .confirm(.init(question: question, command: command, key: key))
        }
    }
}
