import Synchronization
import TacklineCore

extension FlagsBrowser {
    /// Does a command. Edits happen one after the other, each in a task of its own turn; their effect is in the next
    /// snapshot.
    ///
    /// - Throws: ``FlagsBrowserError``. Nothing has changed then, unless the message says so.
    @discardableResult
    public func perform(_ command: FlagsBrowserCommand) async throws(FlagsBrowserError) -> FlagsBrowserReply {
        try await turns.take { [self] () throws(FlagsBrowserError) in
            if !command.isReading { try throwIfReadOnly() }
            var reply = try execute(command)
            noticeChanges()
            reply.revision = state.withLock { $0.revision }
            return reply
        }
    }

    private func execute(_ command: FlagsBrowserCommand) throws(FlagsBrowserError) -> FlagsBrowserReply {
        switch command {
        case .set(let flag, let input, let destination):
            return try set(flag, to: input, destination: destination)
        case .reset(let flag, let destination):
            let target = try editableTarget(flag: flag)
            return try reset([target], title: nil, destination: destination)
        case .resetGroup(let group, let destination):
            let (title, targets) = try targets(group: group)
            return try reset(targets, title: title.quoted, destination: destination)
        case .resetAll(let destination):
            return try reset(allTargets(), title: "all flags", destination: destination)
        case .undo(let isForced): return try undo(isForced: isForced)
        case .pin(let flag, let isPinned): return try pin(flag, isPinned)
        case .importBundle(let text, let isReplacing, let destination):
            return try importBundle(text, isReplacing: isReplacing, destination: destination)
        case .exportBundle(let destination): return try exportBundle(destination: destination)
        }
    }

    private func set(
        _ flag: String, to input: FlagsBrowserInput, destination: String?
    ) throws(FlagsBrowserError) -> FlagsBrowserReply {
        let target = try editableTarget(flag: flag)
        let destination = try target.destination(destination)
        let value = try target.value(of: input)
        let title = "Set \(target.quotedKey) to \(value) in \(destination.id.quoted)"
        let item = try write(value, for: target, to: destination)
        remember(BrowserEdit(title: title, items: [item]))
        return reply("\(title).", flags: [target.id])
    }

    /// Writes to a provider, and says what that did.
    func write(
        _ value: EncodedFlagValue?, for target: BrowserTarget, to destination: BrowserDestination
    ) throws(FlagsBrowserError) -> BrowserEdit.Item {
        let before = HeldValue(of: target.key, in: destination.provider)
        do throws(FlagWriteError) {
            try target.layout.core.write(
                value, ordinal: target.entry.reference.ordinal, to: [.named(destination.id)])
        } catch {
            throw target.error(.writeFailed, error.description, provider: destination.id)
        }
        return BrowserEdit.Item(
            flag: target.id, reference: target.entry.reference, destination: destination.id, before: before,
            after: HeldValue(of: target.key, in: destination.provider))
    }

    /// Remembers an edit for an undo, without what it left as it was.
    func remember(_ edit: BrowserEdit) {
        var edit = edit
        edit.items.removeAll { $0.before == $0.after }
        guard !edit.items.isEmpty, configuration.undoLimit > 0 else { return }
        let kept = edit
        state.withLock { state in
            state.edits.append(kept)
            if state.edits.count > configuration.undoLimit { state.edits.removeFirst() }
            // A write to a provider whose value does not win changes no flag, and yet what is drawn.
            Self.raiseRevision(&state)
        }
    }

    private func pin(_ flag: String, _ isPinned: Bool) throws(FlagsBrowserError) -> FlagsBrowserReply {
        let target = try target(flag: flag)
        var pins = state.withLock { $0.pins }
        if isPinned { pins.insert(flag) } else { pins.remove(flag) }
        do throws(FlagProviderError) {
            try BrowserPins(storage: configuration.pins).store(pins)
        } catch {
            throw target.error(.writeFailed, "The pin of flag \(target.quotedKey) was not kept. \(error)")
        }
        let kept = pins
        state.withLock { state in
            guard state.pins != kept else { return }
            state.pins = kept
            Self.raiseRevision(&state)
        }
        return reply("\(isPinned ? "Pinned" : "Unpinned") \(target.quotedKey).", flags: [target.id])
    }

    /// A reply; the revision is filled in when the command is done.
    func reply(_ message: String, flags: [String], bundle: String? = nil) -> FlagsBrowserReply {
        FlagsBrowserReply(message: message, flags: flags, revision: 0, bundle: bundle)
    }
}
