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
    /// The edit that an undo takes back, if the providers still hold what it left.
    ///
    /// - Parameters:
    ///   - number: The number of the edit; `nil` for the last one of the author.
    ///   - author: Who asks. An edit of somebody else is not found.
    func undoableEdit(
        isForced: Bool, edit number: Int? = nil, author: FlagsBrowserAuthor? = nil
    ) throws(FlagsBrowserError) -> BrowserEdit {
        let own = state.withLock { state in state.edits.filter { $0.author?.id == author?.id && !$0.isUndone } }
        guard let edit = number == nil ? own.last : own.first(where: { $0.id == number }) else {
            let subject = number == nil ? "no edit" : "no such edit of yours, perhaps not any more,"
            throw FlagsBrowserError(.nothingToUndo, "There is \(subject) to undo.")
        }
        if !isForced { try throwIfChanged(edit, "undone") { $0.after } }
        return edit
    }

    /// The edit that a redo does again, if the providers still hold what the undo left.
    func redoableEdit(
        isForced: Bool, edit number: Int? = nil, author: FlagsBrowserAuthor? = nil
    ) throws(FlagsBrowserError) -> BrowserEdit {
        let undone = state.withLock { state in state.edits.filter { $0.author?.id == author?.id && $0.isUndone } }
        // What was undone last is the earliest of them.
        guard let edit = number == nil ? undone.first : undone.first(where: { $0.id == number }) else {
            throw FlagsBrowserError(.nothingToUndo, "There is no edit of yours to do again.")
        }
        if !isForced { try throwIfChanged(edit, "done again") { $0.before } }
        return edit
    }

    /// Throws if a provider holds something else for a flag of an edit than it should.
    private func throwIfChanged(
        _ edit: BrowserEdit, _ verb: String, _ expected: (BrowserEdit.Item) -> HeldValue
    ) throws(FlagsBrowserError) {
        for item in edit.items {
            let target = try target(of: item)
            let held = HeldValue(of: target.entry.handle, in: try target.destination(item.destination).provider)
            guard held != expected(item) else { continue }
            let present = held.value.map { "\($0)" } ?? "nothing"
            let culprit = author(of: item.flag, item.destination, held)?.name ?? "somebody else"
            throw target.error(
                .undoConflict,
                """
                The edit “\(edit.title)” was not \(verb): provider \(item.destination.quoted) holds \(present) for flag \
                \(target.quotedKey) now, which \(culprit) has set since. Set the \
                flag by hand, or force the \(verb == "undone" ? "undo" : "redo").
                """, provider: item.destination)
        }
    }

    /// Who made a provider hold something, by an edit here; `nil` if nobody is known to have.
    private func author(of flag: String, _ destination: String, _ held: HeldValue) -> FlagsBrowserAuthor? {
        let edits = state.withLock { $0.edits }
        let cause = edits.last { edit in
            edit.items.contains { item in
                item.flag == flag && item.destination == destination
                    && (edit.isUndone ? item.before : item.after) == held
            }
        }
        return cause?.author
    }

    func undo(isForced: Bool, _ request: FlagsBrowserRequest) throws(FlagsBrowserError) -> FlagsBrowserReply {
        let edit = try undoableEdit(isForced: isForced, edit: request.edit, author: request.author)
        var undone: [String] = []
        for item in edit.items.reversed() {
            do throws(FlagsBrowserError) {
                try putBack(item, request.durability)
            } catch  where isForced && [.unknownFlag, .unknownDestination].contains(error.code) {
                // There is nothing left to give it back to, and edits before this one shall not wait for it forever.
                continue
            } catch {
                // What is left of the edit can still be undone.
                let left = edit.items.count - undone.count
                change(edit) { $0.items = Array(edit.items.prefix(left)) }
                throw error.after(undone.count, of: edit.items.count, "undone")
            }
            undone.append(item.flag)
        }
        change(edit) { $0.isUndone = true }
        return reply("Undone: \(edit.title).", flags: undone, edit: edit.id)
    }

    func redo(isForced: Bool, _ request: FlagsBrowserRequest) throws(FlagsBrowserError) -> FlagsBrowserReply {
        let edit = try redoableEdit(isForced: isForced, edit: request.edit, author: request.author)
        var redone: [String] = []
        for item in edit.items {
            do throws(FlagsBrowserError) {
                let target = try target(of: item)
                try restore(
                    item.after, for: target, in: try target.destination(item.destination), request.durability)
            } catch  where isForced && [.unknownFlag, .unknownDestination].contains(error.code) {
                continue
            } catch {
                // What was done again can be undone.
                change(edit) {
                    $0.items = Array(edit.items.prefix(redone.count))
                    $0.isUndone = false
                }
                throw error.after(redone.count, of: edit.items.count, "done again")
            }
            redone.append(item.flag)
        }
        change(edit) { $0.isUndone = false }
        return reply("Done again: \(edit.title).", flags: redone, edit: edit.id)
    }

    /// Changes what is remembered of an edit. One without anything in it is forgotten.
    private func change(_ edit: BrowserEdit, _ change: (inout BrowserEdit) -> Void) {
        state.withLock { state in
            guard let index = state.edits.firstIndex(where: { $0.id == edit.id }) else { return }
            change(&state.edits[index])
            if state.edits[index].items.isEmpty { state.edits.remove(at: index) }
            Self.raiseRevision(&state)
        }
    }

    /// Restores the value that a provider held before an edit.
    func putBack(_ item: BrowserEdit.Item, _ durability: FlagWriteDurability) throws(FlagsBrowserError) {
        let target = try target(of: item)
        try restore(item.before, for: target, in: try target.destination(item.destination), durability)
    }

    private func target(of item: BrowserEdit.Item) throws(FlagsBrowserError) -> BrowserTarget {
        // By handle, because the id of the section may have changed since.
        let layouts = currentLayouts()
        guard let layout = layouts.first(where: { $0.core === item.handle.core }),
            let index = layout.entriesByOrdinal[item.handle.ordinal]
        else { return try target(flag: item.flag) }
        return BrowserTarget(
            layout: layout, entry: layout.entries[index],
            chain: BrowserChain(of: layout.core, configuration: configuration))
    }

    /// Restores a value with its expiry date. A value that has expired meanwhile is removed.
    private func restore(
        _ held: HeldValue, for target: BrowserTarget, in destination: BrowserDestination,
        _ durability: FlagWriteDurability
    ) throws(FlagsBrowserError) {
        guard let value = held.value, let expires = held.expires else {
            _ = try write(held.value, for: target, to: destination, durability)
            return
        }
        guard expires > configuration.now() else {
            _ = try write(nil, for: target, to: destination, durability)
            return
        }
        _ = try take(
            FlagOverride(key: target.key, value: value, expires: expires), for: target, to: destination, durability)
    }

    // MARK: Expectations

    /// Throws if a destination holds something else than the author of a request saw there.
    func throwIfChanged(
        _ target: BrowserTarget, _ destination: BrowserDestination, since request: FlagsBrowserRequest
    ) throws(FlagsBrowserError) {
        guard let expected = request.expected else { return }
        var flag = target.entry.template
        flag.take(
            target.entry.handle.explain(), overrideLayers: target.chain.overrideLayers,
            limit: FlagsBrowserValue.fullLimit)
        let present = flag.answer(of: destination.id)
        guard present?.outcome != .excluded, !expected.isMet(by: present?.value) else { return }
        let held = HeldValue(of: target.entry.handle, in: destination.provider)
        let author = author(of: target.id, destination.id, held)
        // One's own edit, of which the answer came after the next key.
        if let author, author.id == request.author?.id { return }
        let seen = expected.value.map { "not \($0.text) any more" } ?? "held nothing before"
        let now = present?.value.map(\.text) ?? "nothing"
        throw target.error(
            .editConflict,
            """
            Flag \(target.quotedKey) was not written: provider \(destination.id.quoted) holds \(now) now, \(seen); \
            \(author?.name ?? "somebody else") changed it. Look at it again before you overwrite it.
            """, provider: destination.id)
    }

    /// Throws if a value shall end by itself and the destination cannot keep that, or the moment has passed.
    func throwIfItCannotEnd(
        _ target: BrowserTarget, _ destination: BrowserDestination, _ expires: Date?
    ) throws(FlagsBrowserError) {
        guard let expires else { return }
        guard destination.provider is FlagOverrides else {
            throw target.error(
                .invalidValue,
                """
                Flag \(target.quotedKey) was not written: provider \(destination.id.quoted) cannot keep when a value ends. \
                Write to FlagOverrides, or set a value without an end.
                """, provider: destination.id)
        }
        guard expires > configuration.now() else {
            throw target.error(
                .invalidValue,
                "Flag \(target.quotedKey) was not written: the moment at which the value shall end has passed.",
                provider: destination.id)
        }
    }
}
