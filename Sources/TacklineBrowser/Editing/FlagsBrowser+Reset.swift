import Synchronization
import TacklineCore

extension FlagsBrowser {
    /// Removes the values of some flags from the destination.
    ///
    /// - Parameter title: The name of the flags as a group, or `nil` for a single flag, whose refusals are then thrown.
    func reset(
        _ targets: [BrowserTarget], title: String?, destination: String?, _ request: FlagsBrowserRequest
    ) throws(FlagsBrowserError) -> FlagsBrowserReply {
        let writes = try resettable(targets, isAlone: title == nil, destination: destination)
        guard let first = writes.first else {
            let key = targets.first?.quotedKey ?? "no flag"
            return reply(
                title.map(Self.nothingToReset) ?? "There was nothing to reset for \(key).", flags: [])
        }
        let subject = title ?? first.target.quotedKey
        var edit = BrowserEdit(
            title: "Reset \(subject) in \(first.destination.id.quoted)", items: [],
            author: request.author)
        do throws(FlagsBrowserError) {
            try write(writes, into: &edit)
        } catch {
            _ = remember(edit)
            throw error.after(edit.items.count, of: writes.count, "reset")
        }
        let number = remember(edit)
        let count = title == nil ? "" : ": \(edit.items.count) \(edit.items.count == 1 ? "flag" : "flags")"
        return reply("\(edit.title)\(count).", flags: edit.items.map(\.flag), edit: number)
    }

    /// Returns the message for flags without values in the destination.
    static func nothingToReset(for title: String) -> String {
        title == allFlags ? "No flag is overridden." : "No flag of \(title) is overridden."
    }

    /// The title of all flags as a group.
    static let allFlags = "all flags"

    /// Returns the flags for which the destination holds a value. If there are several flags, those that may not be
    /// edited are left out, and so are those whose chain has no such destination. Throws if no chain has it.
    func resettable(
        _ targets: [BrowserTarget], isAlone: Bool, destination name: String?
    ) throws(FlagsBrowserError) -> [BrowserWrite] {
        var writes: [BrowserWrite] = []
        var unreachable: FlagsBrowserError?
        var isReachable = false
        for target in targets where isAlone || refusal(of: target.entry.template, in: target.chain) == nil {
            do throws(FlagsBrowserError) {
                let destination = try target.destination(name)
                isReachable = true
                guard HeldValue(of: target.entry.handle, in: destination.provider).value != nil else { continue }
                writes.append(BrowserWrite(target: target, destination: destination))
            } catch {
                unreachable = unreachable ?? error
            }
        }
        if let unreachable, !isReachable { throw unreachable }
        return writes
    }
}

extension FlagsBrowserError {
    /// Returns the same error for a command that had done a part of its work.
    func after(_ done: Int, of all: Int, _ verb: String) -> FlagsBrowserError {
        guard done > 0 else { return self }
        var error = self
        error.message += " \(done) of \(all) flags were \(verb) before that."
        return error
    }
}
