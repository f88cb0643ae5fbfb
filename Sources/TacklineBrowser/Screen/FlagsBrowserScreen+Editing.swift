import TacklineCore

extension FlagsBrowserScreen {
    /// Returns the command that changes a flag in one step: it flips a switch, or takes the next option. Returns `nil`
    /// if the flag has no such control or can't be edited.
    package func quickCommand(for flag: FlagsBrowserFlag) -> FlagsBrowserCommand? {
        guard flag.isEditable else { return nil }
        switch flag.control {
        case .toggle:
            return .set(flag: flag.id, to: .value(.bool(flag.value.input != "true")), destination: destination)
        case .choice(let options):
            let place = options.firstIndex { $0.value == flag.value }.map { ($0 + 1) % options.count } ?? 0
            guard options.indices.contains(place) else { return nil }
            let next = options[place]
            let input = next.value.encoded.map(FlagsBrowserInput.value) ?? .text(next.label)
            return .set(flag: flag.id, to: input, destination: destination)
        default: return nil
        }
    }

    /// Changes the selected flag in one step. An edit that would have no effect is asked about first. A flag without
    /// such a step is edited as a draft.
    package mutating func quickEdit() -> [Effect] {
        guard let flag = editable() else { return [] }
        return quickCommand(for: flag) == nil ? beginEditing() : take(Step(flag: flag.id, count: nil))
    }

    /// Adds to the selected number.
    package mutating func step(by count: Int128) -> [Effect] {
        guard let flag = editable() else { return [] }
        return take(Step(flag: flag.id, count: count))
    }

    mutating func take(_ step: Step) -> [Effect] {
        guard begins(step), let flag = snapshot?.flag(id: step.flag) else { return [] }
        guard let count = step.count else {
            guard let command = quickCommand(for: flag) else { return [] }
            if case .success(let preview) = previewed(command), !preview.changesAnything {
                question = Question(kind: .withoutEffect, text: FlagsBrowserText.writeAnyway.asked, command: command)
                return []
            }
            return perform(step, as: command)
        }
        guard case .integer(let minimum, let maximum) = flag.control else {
            notice = Notice(.hint, "+ and - change whole numbers.")
            return []
        }
        let (sum, overflows) = (flag.value.input.flatMap { Int128($0) } ?? 0).addingReportingOverflow(count)
        guard !overflows, (minimum...max(minimum, maximum)).contains(sum) else {
            notice = Notice(.hint, "\(flag.name) ranges from \(minimum) to \(maximum).")
            return []
        }
        return perform(step, as: .set(flag: flag.id, to: .value(.integer(sum)), destination: destination))
    }

    /// Returns the selected flag, or `nil` if it can't be edited. A notice then says why.
    package mutating func editable() -> FlagsBrowserFlag? {
        guard let selected else { return nil }
        if let refusal = selected.refusal { notice = Notice(.failure, refusal.message) }
        return selected.isEditable ? selected : nil
    }

    // MARK: Drafts

    /// Returns the provider from which a reset of the flag would remove a value; `nil` if there is nothing to reset.
    package func resettable(_ flag: FlagsBrowserFlag) -> String? {
        guard flag.isEditable, let provider = destination(of: flag) else { return nil }
        return flag.answer(of: provider)?.value == nil ? nil : provider
    }

    /// Begins a draft of the selected flag. A value that the snapshot shortens is loaded first.
    ///
    /// - Parameter flips: Whether a switch is flipped at once, which has nothing to choose from.
    package mutating func beginEditing(orFlip flips: Bool = false) -> [Effect] {
        guard let flag = editable() else { return [] }
        if flips, flag.control == .toggle, !flag.isOptional { return quickEdit() }
        if flag.value.isShortened { return [.load(flag: flag.id)] }
        begin(FlagsBrowserDraft(flag))
        return askForPreview()
    }

    mutating func begin(_ begun: FlagsBrowserDraft) {
        if begun.flag.value.isShortened {
            notice = Notice(
                .failure, "The value of \(begun.flag.key) is too long to be edited here. Edit it at its source.")
        } else {
            draft = begun
        }
    }

    /// Saves the draft.
    package mutating func save() -> [Effect] {
        guard let command = draft?.command(destination: destination) else { return [] }
        let request = request(for: command)
        draft?.save(command)
        return [.perform(request)]
    }

    // MARK: Previews

    /// The command that would be performed next: that of the question, of the draft, or else the selected flag's quick
    /// command.
    package var intended: FlagsBrowserCommand? {
        if let question { return question.command }
        if let draft { return draft.saving == nil ? draft.command(destination: destination) : nil }
        return selected.flatMap(quickCommand)
    }

    /// Returns the known preview of a command, or `nil` if there is none.
    package func previewed(_ command: FlagsBrowserCommand?) -> Result<FlagsBrowserPreview, FlagsBrowserError>? {
        guard let command, preview?.request.command == command else { return nil }
        return preview?.result
    }

    /// The effect of the draft, or the error in it; `nil` until it is known.
    package var outlook: Notice? {
        if let error = draft?.error { return Notice(.failure, error.message) }
        switch previewed(draft?.command(destination: destination)) {
        case .success(let preview):
            return Notice(preview.changesAnything ? .done : .hint, preview.conflict ?? preview.message)
        case .failure(let error): return Notice(.failure, error.message)
        case nil: return nil
        }
    }

    /// Returns the request for the preview of ``intended``, unless it was requested for this revision already.
    package mutating func askForPreview() -> [Effect] {
        guard let command = intended, let revision = snapshot?.revision else {
            preview = nil
            return []
        }
        let request = request(for: command)
        if let preview, preview.request == request, preview.revision == revision { return [] }
        // The old result stays until the new one is there.
        preview = (request, revision, preview?.request.command == command ? preview?.result : nil)
        return [.preview(request)]
    }
}
