import Synchronization
import TacklineCore
import TacklineOverrides

extension FlagsBrowser {
    /// Performs a command. Edits are performed one after the other. Their effect is in the next snapshot.
    ///
    /// - Throws: ``FlagsBrowserError``. Nothing has changed then, unless the message says otherwise.
    @discardableResult
    public func perform(_ command: FlagsBrowserCommand) async throws(FlagsBrowserError) -> FlagsBrowserReply {
        try await perform(FlagsBrowserRequest(command))
    }

    /// Performs a command for an author if the flag still has the value that the author saw. Edits are performed one
    /// after the other. Their effect is in the next snapshot, and the resulting changes carry the author.
    ///
    /// - Throws: ``FlagsBrowserError``. Nothing has changed then, unless the message says otherwise.
    @discardableResult
    public func perform(_ request: FlagsBrowserRequest) async throws(FlagsBrowserError) -> FlagsBrowserReply {
        var request = request
        request.author = request.author?.cleaned
        let cleaned = request
        let (done, newest, isComplete) = try await turns.take { [self] () throws(FlagsBrowserError) in
            if !cleaned.command.isReading { try throwIfReadOnly() }
            // Changes before the edit are not attributed to this author.
            noticeChanges()
            let newest = state.withLock { $0.history.newest }
            var reply = try execute(cleaned)
            noticeChanges()
            let isComplete = !collectors.contains(where: \.isBusy)
            reply.revision = attribute(reply, to: cleaned.author, after: newest)
            return (reply, newest, isComplete)
        }
        var reply = done
        guard !isComplete, cleaned.author != nil else { return reply }
        // Another thread is inspecting flags that this edit changed.
        for collector in collectors { await collector.settle() }
        noticeChanges()
        reply.revision = attribute(reply, to: cleaned.author, after: newest)
        return reply
    }

    /// Attributes the changes of an edit to its author, and returns the revision.
    private func attribute(_ reply: FlagsBrowserReply, to author: FlagsBrowserAuthor?, after newest: Int) -> Int {
        state.withLock { state in
            if let author, state.history.attribute(to: author, flags: Set(reply.flags), after: newest) {
                Self.raiseRevision(&state)
            }
            return state.revision
        }
    }

    private func execute(_ request: FlagsBrowserRequest) throws(FlagsBrowserError) -> FlagsBrowserReply {
        try throwIfNothingCanEnd(request)
        switch request.command {
        case .set(let flag, let input, let destination):
            return try set(flag, to: input, destination: destination, request)
        case .reset(let flag, let destination):
            let target = try editableTarget(flag: flag)
            try throwIfChanged(target, try target.destination(destination), since: request)
            return try reset([target], title: nil, destination: destination, request)
        case .resetGroup(let group, let destination):
            let (title, targets) = try targets(group: group)
            return try reset(targets, title: title.quoted, destination: destination, request)
        case .resetAll(let destination):
            return try reset(allTargets(), title: Self.allFlags, destination: destination, request)
        case .undo(let isForced): return try undo(isForced: isForced, request)
        case .redo(let isForced): return try redo(isForced: isForced, request)
        case .pin(let flag, let isPinned): return try pin(flag, isPinned)
        case .release(let flag): return try release(flag)
        case .importBundle(let text, let isReplacing, let destination):
            return try importBundle(text, isReplacing: isReplacing, destination: destination, request)
        case .exportBundle(let destination): return try exportBundle(destination: destination)
        }
    }

    /// Throws if a request has an expiry date but sets no value.
    func throwIfNothingCanEnd(_ request: FlagsBrowserRequest) throws(FlagsBrowserError) {
        guard request.expires != nil else { return }
        if case .set = request.command { return }
        throw FlagsBrowserError(
            .unreadableMessage, "Only a value that is set can expire. Leave the time out of the command.")
    }

    private func set(
        _ flag: String, to input: FlagsBrowserInput, destination: String?, _ request: FlagsBrowserRequest
    ) throws(FlagsBrowserError) -> FlagsBrowserReply {
        let target = try editableTarget(flag: flag)
        let destination = try target.destination(destination)
        let value = try target.value(of: input)
        try throwIfItCannotEnd(target, destination, request.expires)
        try throwIfChanged(target, destination, since: request)
        let title = "Set \(target.quotedKey) to \(target.browserValue(value)) in \(destination.id.quoted)"
        let item = try write(
            BrowserWrite(target: target, destination: destination, value: value, expires: request.expires))
        let number = remember(BrowserEdit(title: title, items: [item], author: request.author))
        return reply("\(title).", flags: [target.id], edit: number)
    }

    /// Writes a value to a provider, or removes it there if it is `nil`.
    ///
    /// - Returns: The values that the provider held before and holds now.
    func write(_ write: BrowserWrite) throws(FlagsBrowserError) -> BrowserEdit.Item {
        let (target, destination) = (write.target, write.destination)
        if write.expires != nil, let overrides = destination.provider as? FlagOverrides {
            var edit = BrowserEdit(title: "", items: [], author: nil)
            try writeAtOnce([write], to: overrides, into: &edit)
            return edit.items[0]
        }
        let before = HeldValue(of: target.entry.handle, in: destination.provider)
        do throws(FlagError) {
            try target.layout.core.write(target.entry.handle.ordinal, to: [.named(destination.id)]) { write.value }
        } catch {
            throw target.error(.writeFailed, error.description, provider: destination.id)
        }
        return BrowserEdit.Item(write, before: before)
    }

    /// Writes several values. `FlagOverrides` take all of theirs at once, or none.
    ///
    /// - Parameter edit: The edit that gets what was written, also if an error is thrown.
    func write(
        _ writes: [BrowserWrite], into edit: inout BrowserEdit
    ) throws(FlagsBrowserError) {
        var rest = writes[...]
        while let first = rest.first {
            guard rest.count > 1, let overrides = first.destination.provider as? FlagOverrides else {
                edit.items.append(try write(first))
                rest = rest.dropFirst()
                continue
            }
            let batch = rest.prefix { $0.destination.provider as AnyObject === overrides }
            try writeAtOnce(Array(batch), to: overrides, into: &edit)
            rest = rest.dropFirst(batch.count)
        }
    }

    private func writeAtOnce(
        _ writes: [BrowserWrite], to overrides: FlagOverrides, into edit: inout BrowserEdit
    ) throws(FlagsBrowserError) {
        let held = writes.map { HeldValue(of: $0.target.entry.handle, in: overrides) }
        do throws(FlagError) {
            let changes = writes.map { write in
                let key = write.target.key
                return (key, write.value.map { FlagOverrides.Entry(key: key, value: $0, expires: write.expires) })
            }
            try overrides.setOverrides(changes)
        } catch {
            guard let failed = writes.first(where: { $0.target.key == error.key }) ?? writes.first else { return }
            var error = error
            if failed.target.isSecret { error.value = nil }
            throw failed.target.error(.writeFailed, error.description, provider: failed.destination.id)
        }
        for (write, before) in zip(writes, held) {
            write.target.layout.core.noteWrite(of: write.target.entry.handle.ordinal, to: write.destination.id)
            edit.items.append(BrowserEdit.Item(write, before: before))
        }
    }

    /// Records an edit for an undo, without the values that it left unchanged. The author's undone edits can't be
    /// redone after that.
    ///
    /// - Returns: The number of the edit, or `nil` if there is nothing to undo.
    func remember(_ edit: BrowserEdit) -> Int? {
        var edit = edit
        edit.items.removeAll { $0.before == $0.after }
        guard !edit.items.isEmpty, configuration.undoLimit > 0 else { return nil }
        edit.time = configuration.now()
        let kept = edit
        return state.withLock { state in
            state.lastEdit += 1
            for index in state.edits.indices where state.edits[index].author?.id == kept.author?.id {
                state.edits[index].items.removeAll(where: \.isUndone)
            }
            state.edits.removeAll(where: \.items.isEmpty)
            state.edits.append(kept)
            state.edits[state.edits.count - 1].id = state.lastEdit
            if state.edits.count > configuration.undoLimit { state.edits.removeFirst() }
            // A write of a value that doesn't win changes no flag, but it changes the snapshot.
            Self.raiseRevision(&state)
            return state.lastEdit
        }
    }

    private func pin(
        _ flag: String, _ isPinned: Bool
    ) throws(FlagsBrowserError) -> FlagsBrowserReply {
        let target = try target(flag: flag)
        var pins = state.withLock { $0.pins }
        if isPinned { pins.insert(flag) } else { pins.remove(flag) }
        do {
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

    private func release(_ flag: String) throws(FlagsBrowserError) -> FlagsBrowserReply {
        let target = try editableTarget(flag: flag)
        if let launchGuard = target.layout.core.launchGuard {
            do throws(FlagError) {
                for step in target.entry.handle.explain().providers where step.refusal?.isHeldBack == true {
                    if let provider = step.provider { try launchGuard.release(provider) }
                }
            } catch {
                throw target.error(.writeFailed, "Flag \(target.quotedKey) is released for now. \(error)")
            }
        }
        state.withLock { Self.raiseRevision(&$0) }
        return reply("Released \(target.quotedKey).", flags: [target.id])
    }

    /// Returns a reply without a revision, which is set when the command is done.
    func reply(
        _ message: String, flags: [String], bundle: String? = nil, edit: Int? = nil
    ) -> FlagsBrowserReply {
        FlagsBrowserReply(message: message, flags: flags, revision: 0, bundle: bundle, edit: edit)
    }
}

/// Serializes edits, so that no other edit changes the values that an edit reads and writes.
///
/// It is an actor and not a lock, because it runs code of providers.
actor EditingTurns {
    func take<Result: Sendable>(
        _ body: @Sendable () throws(FlagsBrowserError) -> Result
    ) throws(FlagsBrowserError) -> Result {
        try body()
    }
}
