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
    /// Removes what the destination holds for some flags.
    ///
    /// - Parameter title: What the flags are together; `nil` for a single one, whose refusals are then thrown.
    func reset(
        _ targets: [BrowserTarget], title: String?, destination: String?
    ) throws(FlagsBrowserError) -> FlagsBrowserReply {
        let writes = try resettable(targets, isAlone: title == nil, destination: destination)
        guard let first = writes.first else {
            let subject = title ?? targets.first?.quotedKey ?? "no flag"
            return reply("There was nothing to reset for \(subject).", flags: [])
        }
        let subject = title ?? first.target.quotedKey
        var edit = BrowserEdit(title: "Reset \(subject) in \(first.destination.id.quoted)", items: [])
        for (target, destination) in writes {
            do throws(FlagsBrowserError) {
                edit.items.append(try write(nil, for: target, to: destination))
            } catch {
                remember(edit)
                throw error.after(edit.items.count, of: writes.count, "reset")
            }
        }
        remember(edit)
        let count = title == nil ? "" : ": \(edit.items.count) \(edit.items.count == 1 ? "flag" : "flags")"
        return reply("\(edit.title)\(count).", flags: edit.items.map(\.flag))
    }

    /// The flags for which the destination holds something. Of several, those that may not be edited are left out, and so
    /// are those whose chain has no such destination, unless none has.
    func resettable(
        _ targets: [BrowserTarget], isAlone: Bool, destination name: String?
    ) throws(FlagsBrowserError) -> [(target: BrowserTarget, destination: BrowserDestination)] {
        var writes: [(target: BrowserTarget, destination: BrowserDestination)] = []
        var unreachable: FlagsBrowserError?
        var isReachable = false
        for target in targets where isAlone || refusal(of: target.entry.template, in: target.chain) == nil {
            do throws(FlagsBrowserError) {
                let destination = try target.destination(name)
                isReachable = true
                guard destination.provider.value(for: target.key) != nil else { continue }
                writes.append((target, destination))
            } catch {
                unreachable = unreachable ?? error
            }
        }
        if let unreachable, !isReachable { throw unreachable }
        return writes
    }

    // MARK: Undo

    /// The last edit, if the providers still hold what it left.
    func undoableEdit(isForced: Bool) throws(FlagsBrowserError) -> BrowserEdit {
        guard let edit = state.withLock({ $0.edits.last }) else {
            throw FlagsBrowserError(.nothingToUndo, "There is no edit to undo.")
        }
        if isForced { return edit }
        for item in edit.items {
            let target = try target(of: item)
            let held = HeldValue(of: target.key, in: try target.destination(item.destination).provider)
            guard held != item.after else { continue }
            let present = held.value.map { "\($0)" } ?? "nothing"
            throw target.error(
                .undoConflict,
                """
                \(edit.title.quotedTitle) was not undone: provider \(item.destination.quoted) holds \(present) for flag \
                \(target.quotedKey) now, which somebody else has set since. Set the flag by hand, or force the undo.
                """, provider: item.destination)
        }
        return edit
    }

    func undo(isForced: Bool) throws(FlagsBrowserError) -> FlagsBrowserReply {
        let edit = try undoableEdit(isForced: isForced)
        var undone: [String] = []
        for item in edit.items.reversed() {
            do throws(FlagsBrowserError) {
                try putBack(item)
            } catch  where isForced && [.unknownFlag, .unknownDestination].contains(error.code) {
                // There is nothing left to give it back to, and edits before this one shall not wait for it forever.
                continue
            } catch {
                // What is left of the edit can still be undone.
                let left = edit.items.count - undone.count
                state.withLock { state in
                    guard !state.edits.isEmpty else { return }
                    state.edits[state.edits.count - 1].items = Array(edit.items.prefix(left))
                }
                throw error.after(undone.count, of: edit.items.count, "undone")
            }
            undone.append(item.flag)
        }
        state.withLock { state in
            _ = state.edits.popLast()
            Self.raiseRevision(&state)
        }
        return reply("Undone: \(edit.title).", flags: undone)
    }

    /// Lets a provider hold again what it held before.
    func putBack(_ item: BrowserEdit.Item) throws(FlagsBrowserError) {
        let target = try target(of: item)
        try restore(item.before, for: target, in: try target.destination(item.destination))
    }

    private func target(of item: BrowserEdit.Item) throws(FlagsBrowserError) -> BrowserTarget {
        // By reference: the section's id may have become another one since.
        let layouts = currentLayouts()
        guard let layout = layouts.first(where: { $0.core === item.reference.core }),
            let index = layout.entriesByOrdinal[item.reference.ordinal]
        else { return try target(flag: item.flag) }
        return BrowserTarget(
            layout: layout, entry: layout.entries[index],
            chain: BrowserChain(of: layout.core, configuration: configuration))
    }

    /// Puts back what a provider held, with its end; what has ended meanwhile is removed.
    private func restore(
        _ held: HeldValue, for target: BrowserTarget, in destination: BrowserDestination
    ) throws(FlagsBrowserError) {
        guard let value = held.value, let expires = held.expires,
            let overrides = destination.provider as? FlagOverrides
        else {
            _ = try write(held.value, for: target, to: destination)
            return
        }
        guard expires > configuration.now() else {
            _ = try write(nil, for: target, to: destination)
            return
        }
        do throws(FlagProviderError) {
            try overrides.setValue(value, for: target.key, expires: expires)
        } catch {
            throw target.error(.writeFailed, error.description, provider: destination.id)
        }
    }
}

extension FlagsBrowserError {
    /// The same error of a command that had done a part of its work.
    func after(_ done: Int, of all: Int, _ verb: String) -> FlagsBrowserError {
        guard done > 0 else { return self }
        var error = self
        error.message += " \(done) of \(all) flags were \(verb) before that."
        return error
    }
}

extension String {
    /// The title of an edit inside a sentence.
    fileprivate var quotedTitle: String { "The edit “\(self)”" }
}
