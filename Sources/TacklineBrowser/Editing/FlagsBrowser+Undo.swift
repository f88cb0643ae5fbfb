import Synchronization
import TacklineCore
import TacklineOverrides

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: the moment at which an override ends.

extension FlagsBrowser {
    /// Returns the edit that an undo takes back, if the providers still hold the values that it left.
    ///
    /// - Parameters:
    ///   - number: The number of the edit, or `nil` for the last one of the author.
    ///   - author: The author of the undo. Edits of other authors are not found.
    func undoableEdit(
        isForced: Bool, edit number: Int? = nil, author: FlagsBrowserAuthor? = nil
    ) throws(FlagsBrowserError) -> BrowserEdit {
        let own = state.withLock { state in state.edits.filter { $0.author?.id == author?.id && !$0.isUndone } }
        guard let edit = number == nil ? own.last : own.first(where: { $0.id == number }) else {
            let subject = number == nil ? "no edit" : "no such edit of yours, perhaps not any more,"
            throw FlagsBrowserError(.nothingToUndo, "There is \(subject) to undo.")
        }
        if !isForced {
            for item in edit.items where !item.isUndone { try throwIfChanged(edit, "undone", item, item.after) }
        }
        return edit
    }

    /// Returns the edit that a redo performs again, if the providers still hold the values that the undo left. Values
    /// that have expired since are not set again.
    func redoableEdit(
        isForced: Bool, edit number: Int? = nil, author: FlagsBrowserAuthor? = nil
    ) throws(FlagsBrowserError) -> BrowserEdit {
        let now = configuration.now()
        let undone = state.withLock { state in
            state.edits.filter { $0.author?.id == author?.id && $0.items.contains(where: \.isUndone) }
        }
        let redoable = undone.filter { edit in edit.items.contains { $0.isRedoable(at: now) } }
        // The edit that was undone last is the earliest of them.
        guard let edit = number == nil ? redoable.first : redoable.first(where: { $0.id == number }) else {
            let hasEnded = number == nil ? !undone.isEmpty : undone.contains { $0.id == number }
            let reason = hasEnded ? ": its value has expired meanwhile" : ""
            throw FlagsBrowserError(.nothingToUndo, "There is no edit of yours to do again\(reason).")
        }
        if !isForced {
            for item in edit.items where item.isRedoable(at: now) {
                try throwIfChanged(edit, "done again", item, item.before)
            }
        }
        return edit
    }

    /// Throws if a provider holds another value for a flag of an edit than expected.
    private func throwIfChanged(
        _ edit: BrowserEdit, _ verb: String, _ item: BrowserEdit.Item, _ expected: HeldValue
    ) throws(FlagsBrowserError) {
        let target = try target(of: item)
        let held = HeldValue(of: target.entry.handle, in: try target.destination(item.destination).provider)
        let now = configuration.now()
        guard held.remaining(at: now) != expected.remaining(at: now) else { return }
        let present = held.value.map { "\(target.browserValue($0))" } ?? "nothing"
        let culprit = author(of: item.flag, item.destination, held)?.name ?? "somebody else"
        throw target.error(
            .undoConflict,
            """
            The edit “\(edit.title)” was not \(verb): provider \(item.destination.quoted) holds \(present) for flag \
            \(target.quotedKey) now, which \(culprit) has set since. Set the \
            flag by hand, or force the \(verb == "undone" ? "undo" : "redo").
            """, provider: item.destination)
    }

    /// Returns the author whose edit left a provider with a value, or `nil` if no author is known.
    private func author(of flag: String, _ destination: String, _ held: HeldValue) -> FlagsBrowserAuthor? {
        let edits = state.withLock { $0.edits }
        let cause = edits.last { edit in
            edit.items.contains { item in
                item.flag == flag && item.destination == destination
                    && (item.isUndone ? item.before : item.after) == held
            }
        }
        return cause?.author
    }

    func undo(isForced: Bool, _ request: FlagsBrowserRequest) throws(FlagsBrowserError) -> FlagsBrowserReply {
        var edit = try undoableEdit(isForced: isForced, edit: request.edit, author: request.author)
        let places = edit.items.indices.reversed().filter { !edit.items[$0].isUndone }
        let undone = try restore(places, of: &edit, \.before, isUndone: true, isForced: isForced)
        keep(edit.items, of: edit)
        return reply("Undone: \(edit.title).", flags: undone, edit: edit.id)
    }

    func redo(isForced: Bool, _ request: FlagsBrowserRequest) throws(FlagsBrowserError) -> FlagsBrowserReply {
        let now = configuration.now()
        var edit: BrowserEdit
        do throws(FlagsBrowserError) {
            edit = try redoableEdit(isForced: isForced, edit: request.edit, author: request.author)
        } catch {
            // An expired edit must not be offered again.
            if error.code == .nothingToUndo { forgetEnded(at: now) }
            throw error
        }
        let places = edit.items.indices.filter { edit.items[$0].isRedoable(at: now) }
        let ended = edit.items.count { $0.isUndone && $0.after.hasEnded(at: now) }
        let redone = try restore(places, of: &edit, \.after, isUndone: false, isForced: isForced)
        // A value that has expired would only remove the present value.
        edit.items.removeAll(where: \.isUndone)
        keep(edit.items, of: edit)
        let note = ended == 0 ? "" : "; \(ended) \(ended == 1 ? "value" : "values") had expired"
        return reply("Done again: \(edit.title)\(note).", flags: redone, edit: edit.id)
    }

    /// Restores values of an edit that was recorded, and marks them as undone or done.
    ///
    /// If it is forced, items whose flag or provider no longer exists are removed from the edit: their values can't be
    /// restored, and must not block the undo of earlier edits.
    ///
    /// - Returns: The ids of the flags, in the order of the writes.
    /// - Throws: ``FlagsBrowserError``. The edit is recorded with the part that was restored, so that the rest can still
    ///   be undone or redone.
    private func restore(
        _ places: [Int], of edit: inout BrowserEdit, _ value: (BrowserEdit.Item) -> HeldValue, isUndone: Bool,
        isForced: Bool
    ) throws(FlagsBrowserError) -> [String] {
        var writes: [(place: Int, write: BrowserWrite)] = []
        var gone: Set<Int> = []
        for place in places {
            do throws(FlagsBrowserError) {
                writes.append((place, try restoring(value(edit.items[place]), of: edit.items[place])))
            } catch {
                guard isForced, [.unknownFlag, .unknownDestination].contains(error.code) else { throw error }
                gone.insert(place)
            }
        }
        var written = BrowserEdit(title: edit.title, items: [], author: nil)
        var failure: FlagsBrowserError?
        do throws(FlagsBrowserError) {
            try write(writes.map(\.write), into: &written)
        } catch {
            failure = error.after(written.items.count, of: places.count, isUndone ? "undone" : "done again")
        }
        for (place, _) in writes.prefix(written.items.count) { edit.items[place].isUndone = isUndone }
        edit.items = edit.items.indices.filter { !gone.contains($0) }.map { edit.items[$0] }
        if let failure {
            keep(edit.items, of: edit)
            throw failure
        }
        return written.items.map(\.flag)
    }

    /// Removes undone values that have expired.
    private func forgetEnded(at now: Date) {
        state.withLock { state in
            for index in state.edits.indices {
                state.edits[index].items.removeAll { $0.isUndone && $0.after.hasEnded(at: now) }
            }
            state.edits.removeAll(where: \.items.isEmpty)
            Self.raiseRevision(&state)
        }
    }

    /// Replaces the items of a recorded edit. An edit without items is removed.
    private func keep(_ items: [BrowserEdit.Item], of edit: BrowserEdit) {
        state.withLock { state in
            guard let index = state.edits.firstIndex(where: { $0.id == edit.id }) else { return }
            state.edits[index].items = items
            if items.isEmpty { state.edits.remove(at: index) }
            Self.raiseRevision(&state)
        }
    }

    /// Restores the value that a provider held before an edit.
    func putBack(_ item: BrowserEdit.Item) throws(FlagsBrowserError) {
        _ = try write(try restoring(item.before, of: item))
    }

    /// Returns what restores a value with its expiry date. A value that has expired is removed.
    private func restoring(
        _ held: HeldValue, of item: BrowserEdit.Item
    ) throws(FlagsBrowserError) -> BrowserWrite {
        let target = try target(of: item)
        let left = held.remaining(at: configuration.now())
        return BrowserWrite(
            target: target, destination: try target.destination(item.destination), value: left.value,
            expires: left.expires)
    }

    private func target(of item: BrowserEdit.Item) throws(FlagsBrowserError) -> BrowserTarget {
        // By handle, because the id of the section may have changed.
        let layouts = currentLayouts()
        guard let layout = layouts.first(where: { $0.core === item.handle.core }),
            let index = layout.entriesByOrdinal[item.handle.ordinal]
        else { return try target(flag: item.flag) }
        return BrowserTarget(
            layout: layout, entry: layout.entries[index],
            chain: chain(of: layout))
    }

    // MARK: Expectations

    /// Throws if a destination holds another value than the author of a request saw there.
    func throwIfChanged(
        _ target: BrowserTarget, _ destination: BrowserDestination, since request: FlagsBrowserRequest
    ) throws(FlagsBrowserError) {
        guard let (present, author) = conflict(target, destination, since: request) else { return }
        let expected = request.expected?.value.map { target.isSecret ? "a secret" : $0.text }
        let seen = expected.map { "not \($0) any more" } ?? "held nothing before"
        let now = present?.description ?? "nothing"
        throw target.error(
            .editConflict,
            """
            Flag \(target.quotedKey) was not written: provider \(destination.id.quoted) holds \(now) now, \(seen); \
            \(author?.name ?? "somebody else") changed it. Look at it again before you overwrite it.
            """, provider: destination.id)
    }

    /// Returns the present value of a provider and the author who set it, if it is not the value that the request
    /// expects; otherwise `nil`.
    func conflict(
        _ target: BrowserTarget, _ destination: BrowserDestination, since request: FlagsBrowserRequest
    ) -> (present: FlagsBrowserValue?, author: FlagsBrowserAuthor?)? {
        guard let expected = request.expected else { return nil }
        var flag = target.entry.template
        flag.take(
            target.entry.handle.explain(), overrideLayers: target.chain.overrideLayers,
            limit: FlagsBrowserValue.fullLimit)
        let present = flag.answer(of: destination.id)
        guard present?.outcome != .excluded, !expected.isMet(by: present?.value) else { return nil }
        let held = HeldValue(of: target.entry.handle, in: destination.provider)
        // The value that the author saw has expired, and no other one was set.
        if held.value == nil, let expires = expected.expires, expires <= configuration.now() { return nil }
        let author = author(of: target.id, destination.id, held)
        // The present value is the author's own edit, made before the author saw its result.
        if let author, author.id == request.author?.id { return nil }
        return (present?.value, author)
    }

    /// Throws if a value with an expiry date can't be written: the destination can't store the date, or the date has
    /// passed.
    func throwIfItCannotEnd(
        _ target: BrowserTarget, _ destination: BrowserDestination, _ expires: Date?
    ) throws(FlagsBrowserError) {
        guard let expires else { return }
        guard destination.provider is FlagOverrides else {
            throw target.invalid(
                .invalidExpiry,
                """
                provider \(destination.id.quoted) cannot keep when a value expires. Write to FlagOverrides, or set a value \
                that doesn't expire
                """, provider: destination.id)
        }
        guard expires > configuration.now() else {
            throw target.invalid(
                .invalidExpiry, "the time at which the value would expire has passed. Choose a later one",
                provider: destination.id)
        }
    }
}
