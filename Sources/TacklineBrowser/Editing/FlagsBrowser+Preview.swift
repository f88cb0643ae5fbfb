import Synchronization
import TacklineCore

extension FlagsBrowser {
    /// Returns what a command would do, without doing it.
    ///
    /// The effect may differ if somebody else changes a provider before the command is performed.
    ///
    /// - Throws: ``FlagsBrowserError`` for what `perform(_:)` would refuse.
    public func preview(_ command: FlagsBrowserCommand) throws(FlagsBrowserError) -> FlagsBrowserPreview {
        try preview(FlagsBrowserRequest(command))
    }

    /// Returns what a request would do, without doing it. If the expectation of the request is not met, the preview
    /// has a ``FlagsBrowserPreview/conflict``.
    ///
    /// - Throws: ``FlagsBrowserError`` for what `perform(_:)` would refuse.
    public func preview(_ request: FlagsBrowserRequest) throws(FlagsBrowserError) -> FlagsBrowserPreview {
        if !request.command.isReading { try throwIfReadOnly() }
        try throwIfNothingCanEnd(request)
        switch request.command {
        case .set(let flag, let input, let destination):
            var target = try editableTarget(flag: flag)
            target.isPreview = true
            let place = try target.destination(destination)
            let value = try target.value(of: input)
            try throwIfItCannotEnd(target, place, request.expires)
            var preview = preview(of: value, for: target, in: place)
            (preview.replaces, preview.conflict) = consequences(of: request, for: target, in: place)
            return preview
        case .reset(let flag, let destination):
            let target = try editableTarget(flag: flag)
            let place = try target.destination(destination)
            guard place.provider.value(for: target.key) != nil else {
                return FlagsBrowserPreview(
                    message: "There is nothing to reset: provider \(place.id.quoted) holds no value for the flag.",
                    destination: place.id, changesAnything: false)
            }
            return preview(of: nil, for: target, in: place)
        case .resetGroup(let group, let destination):
            let (title, targets) = try targets(group: group)
            return try previewOfReset(targets, title.quoted, destination)
        case .resetAll(let destination):
            return try previewOfReset(allTargets(), Self.allFlags, destination)
        case .redo(let isForced):
            let edit = try redoableEdit(isForced: isForced, edit: request.edit, author: request.author)
            return FlagsBrowserPreview(
                message: "Does again: \(edit.title).", flags: edit.items.map(\.flag), changesAnything: true)
        case .undo(let isForced):
            let edit = try undoableEdit(isForced: isForced, edit: request.edit, author: request.author)
            return FlagsBrowserPreview(
                message: "Undoes: \(edit.title).", flags: edit.items.map(\.flag), changesAnything: true)
        case .release(let flag):
            let target = try editableTarget(flag: flag)
            return FlagsBrowserPreview(
                message: "Releases what the launch guard holds back of \(target.quotedKey).", flags: [target.id],
                changesAnything: true)
        case .pin(let flag, let isPinned):
            let target = try target(flag: flag)
            let wasPinned = state.withLock { $0.pins.contains(flag) }
            return FlagsBrowserPreview(
                message: "\(isPinned ? "Pins" : "Unpins") \(target.quotedKey).", changesAnything: isPinned != wasPinned)
        case .importBundle(let text, let isReplacing, let destination):
            let plan = try plannedImport(text, isReplacing: isReplacing, destination: destination)
            let count = plan.writes.count
            let removed = plan.removals.isEmpty ? "" : " and removes \(plan.removals.count)"
            return FlagsBrowserPreview(
                message: "Imports \(count) \(count == 1 ? "override" : "overrides")\(removed)\(plan.notes).",
                destination: plan.writes.first?.destination.id,
                flags: plan.removals.map(\.target.id) + plan.writes.map(\.target.id),
                changesAnything: !plan.writes.isEmpty || !plan.removals.isEmpty, differences: plan.differences)
        case .exportBundle:
            return FlagsBrowserPreview(message: "Exports what the provider holds.", changesAnything: false)
        }
    }

    /// Returns sentences about the value that a request would overwrite, and about a change of it since the author saw
    /// it; `nil` if there is none.
    private func consequences(
        of request: FlagsBrowserRequest, for target: BrowserTarget, in destination: BrowserDestination
    ) -> (replaces: String?, conflict: String?) {
        func shown(_ value: FlagsBrowserValue?) -> String? { value.map { target.isSecret ? "a secret" : $0.text } }
        let held = shown(target.browserValue(in: destination.provider))
        if conflict(target, destination, since: request) != nil {
            let seen = shown(request.expected?.value) ?? "nothing"
            return (
                nil,
                """
                “\(destination.id)” held \(seen) when you began, and holds \(held ?? "nothing") now. You will be asked \
                before it is overwritten.
                """
            )
        }
        guard let held else { return (nil, nil) }
        let edits = state.withLock { $0.edits }
        let edit = edits.last { $0.items.contains { $0.flag == target.id && !$0.isUndone } }
        let author = edit.map { edit in
            let isOwn = edit.author != nil && edit.author?.id == request.author?.id
            return ", last edited by " + (isOwn ? "you" : edit.author?.name ?? "somebody else")
        }
        return ("Replaces \(held) in “\(destination.id)”\(author ?? "").", nil)
    }

    private func preview(
        of value: EncodedFlagValue?, for target: BrowserTarget, in destination: BrowserDestination
    ) -> FlagsBrowserPreview {
        let outlook = EditOutlook(target.entry.handle, destination: destination.id, stored: value)
        return FlagsBrowserPreview(
            message: outlook.message, destination: destination.id, flags: [target.id],
            stored: value.map(target.browserValue), effective: target.browserValue(outlook.effective),
            source: outlook.source, changesAnything: outlook.changesAnything)
    }

    private func previewOfReset(
        _ targets: [BrowserTarget], _ subject: String, _ destination: String?
    ) throws(FlagsBrowserError) -> FlagsBrowserPreview {
        let writes = try resettable(targets, isAlone: false, destination: destination)
        guard let place = writes.first?.destination.id else {
            return FlagsBrowserPreview(
                message: Self.nothingToReset(for: subject), destination: destination, changesAnything: false)
        }
        let count = writes.count == 1 ? "the value of 1 flag" : "the values of \(writes.count) flags"
        return FlagsBrowserPreview(
            message: "Removes \(count) of \(subject) from \(place.quoted).", destination: place,
            flags: writes.map(\.target.id), changesAnything: true,
            differences: writes.prefix(FlagsBrowserPreview.differenceLimit).map { write in
                FlagsBrowserDifference(
                    flag: write.target.id, key: write.target.key.text,
                    old: write.target.browserValue(in: write.destination.provider))
            })
    }
}
