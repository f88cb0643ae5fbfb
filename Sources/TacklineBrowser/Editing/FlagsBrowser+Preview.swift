import Synchronization
import TacklineCore

extension FlagsBrowser {
    /// Says what a command would do, and does nothing.
    ///
    /// Somebody else may change a provider before the command is done; what then happens is in the next snapshot.
    ///
    /// - Throws: ``FlagsBrowserError`` for what `perform(_:)` would refuse.
    public func preview(_ command: FlagsBrowserCommand) throws(FlagsBrowserError) -> FlagsBrowserPreview {
        if !command.isReading { try throwIfReadOnly() }
        switch command {
        case .set(let flag, let input, let destination):
            let target = try editableTarget(flag: flag)
            let place = try target.destination(destination)
            return preview(of: try target.value(of: input), for: target, in: place)
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
            return try previewOfReset(allTargets(), "all flags", destination)
        case .redo(let isForced):
            let edit = try redoableEdit(isForced: isForced)
            return FlagsBrowserPreview(
                message: "Does again: \(edit.title).", flags: edit.items.map(\.flag), changesAnything: true)
        case .undo(let isForced):
            let edit = try undoableEdit(isForced: isForced)
            return FlagsBrowserPreview(
                message: "Undoes: \(edit.title).", flags: edit.items.map(\.flag), changesAnything: true)
        case .pin(let flag, let isPinned):
            let target = try target(flag: flag)
            let wasPinned = state.withLock { $0.pins.contains(flag) }
            return FlagsBrowserPreview(
                message: "\(isPinned ? "Pins" : "Unpins") \(target.quotedKey).", changesAnything: isPinned != wasPinned)
        case .importBundle(let text, let isReplacing, let destination):
            let plan = try plannedImport(text, isReplacing: isReplacing, destination: destination)
            let removed = plan.removals.isEmpty ? "" : " and removes \(plan.removals.count)"
            return FlagsBrowserPreview(
                message: "Imports \(plan.writes.count) overrides\(removed)\(plan.notes).",
                destination: plan.writes.first?.destination.id,
                flags: plan.removals.map(\.target.id) + plan.writes.map(\.target.id),
                changesAnything: !plan.writes.isEmpty || !plan.removals.isEmpty, differences: plan.differences)
        case .exportBundle:
            return FlagsBrowserPreview(message: "Exports what the provider holds.", changesAnything: false)
        }
    }

    private func preview(
        of value: EncodedFlagValue?, for target: BrowserTarget, in destination: BrowserDestination
    ) -> FlagsBrowserPreview {
        let outlook = EditOutlook(target.entry.handle, destination: destination.id, stored: value)
        return FlagsBrowserPreview(
            message: outlook.message, destination: destination.id, flags: [target.id],
            stored: value.map { FlagsBrowserValue($0) }, effective: FlagsBrowserValue(outlook.effective),
            source: outlook.source, changesAnything: outlook.changesAnything)
    }

    private func previewOfReset(
        _ targets: [BrowserTarget], _ subject: String, _ destination: String?
    ) throws(FlagsBrowserError) -> FlagsBrowserPreview {
        let writes = try resettable(targets, isAlone: false, destination: destination)
        guard let place = writes.first?.destination.id else {
            return FlagsBrowserPreview(
                message: "There is nothing to reset for \(subject).", destination: destination, changesAnything: false)
        }
        let count = writes.count == 1 ? "the value of 1 flag" : "the values of \(writes.count) flags"
        return FlagsBrowserPreview(
            message: "Removes \(count) of \(subject) from \(place.quoted).", destination: place,
            flags: writes.map(\.target.id), changesAnything: true,
            differences: writes.prefix(FlagsBrowserPreview.differenceLimit).map { target, destination in
                FlagsBrowserDifference(
                    flag: target.id, key: target.key.text,
                    old: destination.provider.value(for: target.key).map { FlagsBrowserValue($0) })
            })
    }
}
