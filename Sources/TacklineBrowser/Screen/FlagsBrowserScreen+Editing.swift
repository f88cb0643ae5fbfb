import TacklineCore

extension FlagsBrowserScreen {
    /// Returns the selected flag, or `nil` if it can't be edited. A notice then says why.
    private mutating func editable() -> FlagsBrowserFlag? {
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
    package mutating func beginEditing() -> [Effect] {
        guard let flag = editable() else { return [] }
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

    /// The command that would be performed next: that of the question, or of the draft.
    private var intended: FlagsBrowserCommand? {
        if let question { return question.command }
        return draft?.saving == nil ? draft?.command(destination: destination) : nil
    }

    /// Returns the known preview of a command, or `nil` if there is none.
    private func previewed(_ command: FlagsBrowserCommand?) -> Result<FlagsBrowserPreview, FlagsBrowserError>? {
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
