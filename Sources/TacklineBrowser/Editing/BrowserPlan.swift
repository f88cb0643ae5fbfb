import TacklineCore

/// The writes of a command, computed and checked before the first one, with its words.
struct BrowserPlan {
    var writes: [BrowserWrite] = []
    /// A sentence that says what the command does, in the present tense.
    var does: String
    /// A sentence that says what the command has done.
    var done: String
    /// Whether the command is about one flag, whose new value a preview describes.
    var isAboutOneFlag = false

    /// Returns a plan without writes.
    static func nothing(_ message: String) -> BrowserPlan { BrowserPlan(does: message, done: message) }
}

extension FlagsBrowser {
    /// Returns what a command would do, without doing it.
    ///
    /// The effect may differ if somebody else changes a provider before the command is performed.
    ///
    /// - Throws: ``FlagsBrowserError`` for what ``perform(_:by:)`` would refuse.
    package func preview(_ command: FlagsBrowserCommand) throws(FlagsBrowserError) -> FlagsBrowserPreview {
        let plan = try plan(for: command)
        guard plan.isAboutOneFlag, let write = plan.writes.first else {
            let differences = plan.writes.map { (old: $0.present, new: $0) }.filter { !$0.new.isSame(as: $0.old) }
            return FlagsBrowserPreview(
                message: plan.does, changesAnything: !differences.isEmpty || command.isReleasing,
                differences: differences.prefix(FlagsBrowserPreview.differenceLimit).map { old, new in
                    let target = new.target
                    return FlagsBrowserPreview.Difference(
                        flag: target.id, key: target.key.text, old: old.value.map(target.browserValue),
                        new: new.value.map(target.browserValue), expires: new.expires)
                })
        }
        let target = write.target
        let outlook = EditOutlook(target.entry.handle, destination: write.destination.id, stored: write.value)
        var message = outlook.message
        if let value = write.value, let old = write.present.value, old != value {
            message += " It replaces \(target.browserValue(old)) in \(write.destination.id.quoted)."
        }
        return FlagsBrowserPreview(message: message, changesAnything: outlook.changesAnything)
    }

    /// Returns what a command would write.
    func plan(for command: FlagsBrowserCommand) throws(FlagsBrowserError) -> BrowserPlan {
        if !command.isReading { try throwIfReadOnly() }
        switch command {
        case .set(let flag, let text, let destination, let expires):
            let target = try editableTarget(flag: flag)
            let write = BrowserWrite(
                target: target, destination: try target.destination(destination), value: try target.value(of: text),
                expires: expires)
            try write.throwIfItCannotExpire(now)
            let edit = "\(target.quotedKey) to \(write.shown) in \(write.destination.id.quoted)"
            return BrowserPlan(writes: [write], does: "Sets \(edit).", done: "Set \(edit).", isAboutOneFlag: true)
        case .reset(let flag, let destination):
            let target = try editableTarget(flag: flag)
            let write = BrowserWrite(target: target, destination: try target.destination(destination))
            let place = write.destination.id.quoted
            guard write.present.value != nil else {
                return .nothing("There is nothing to reset: provider \(place) holds no value for the flag.")
            }
            let edit = "\(target.quotedKey) in \(place)"
            return BrowserPlan(writes: [write], does: "Resets \(edit).", done: "Reset \(edit).", isAboutOneFlag: true)
        case .resetAll(let group, let destination):
            let chosen = try group.map { group throws(FlagsBrowserError) in try targets(group: group) }
            let subject = chosen.map { " of \($0.title.quoted)" } ?? ""
            let writes = try resets(of: chosen?.targets ?? allTargets(), destination: destination)
            guard let place = writes.first?.destination.id.quoted else {
                return .nothing("No flag\(subject) is overridden.")
            }
            let edit = "\(writes.count) \(writes.count == 1 ? "flag" : "flags")\(subject) in \(place)"
            return BrowserPlan(writes: writes, does: "Resets \(edit).", done: "Reset \(edit).")
        case .restore(let values):
            let writes = try values.map { value throws(FlagsBrowserError) in try restoring(value) }
            let count = "\(writes.count) \(writes.count == 1 ? "value" : "values")"
            let edit = writes.count == 1 ? "\(writes[0].target.quotedKey) is as it was" : "\(count) are as they were"
            return BrowserPlan(writes: writes, does: "Puts back \(count).", done: "Undone: \(edit) before.")
        case .importBundle(let text, let isReplacing, let destination):
            return try importPlan(text, isReplacing: isReplacing, destination: destination)
        case .release(let flag):
            let key = try editableTarget(flag: flag).quotedKey
            return BrowserPlan(
                does: "Releases what the launch guard holds back of \(key).", done: "Released \(key).")
        case .exportBundle:
            return .nothing("Exports what the provider holds.")
        }
    }

    /// Returns the removals of the values that the destination holds for some flags. Flags that may not be edited are
    /// left out, and so are those whose chain has no such destination. Throws if no chain has it.
    func resets(of targets: [BrowserTarget], destination name: String?) throws(FlagsBrowserError) -> [BrowserWrite] {
        var writes: [BrowserWrite] = []
        var unreachable: FlagsBrowserError?
        var isReachable = false
        for target in targets where refusal(of: target.entry.template, in: target.chain) == nil {
            do throws(FlagsBrowserError) {
                let write = BrowserWrite(target: target, destination: try target.destination(name))
                isReachable = true
                if write.present.value != nil { writes.append(write) }
            } catch {
                unreachable = unreachable ?? error
            }
        }
        if let unreachable, !isReachable { throw unreachable }
        return writes
    }

    /// Returns the write that puts a value back. A value that has expired is removed.
    private func restoring(_ held: FlagsBrowserHeldValue) throws(FlagsBrowserError) -> BrowserWrite {
        let target = try editableTarget(flag: held.flag)
        var write = BrowserWrite(target: target, destination: try target.destination(held.destination))
        if let expires = held.expires, expires <= now { return write }
        guard let value = held.value else { return write }
        guard let encoded = value.encoded else { throw target.invalid(.invalidValue, "its value cannot be read") }
        (write.value, write.expires) = (encoded, held.expires)
        return write
    }
}

extension BrowserWrite {
    /// The new value in a message.
    fileprivate var shown: String { value.map { "\(target.browserValue($0))" } ?? "nothing" }
}

extension FlagsBrowserCommand {
    fileprivate var isReleasing: Bool { if case .release = self { true } else { false } }
}
