import TacklineCore

import TacklineFoundation

// Foundation: the moment at which a value expires.

/// A flag that a command is about.
struct BrowserTarget: Sendable {
    let layout: BrowserLayout
    let entry: BrowserLayout.Entry
    let chain: BrowserChain

    var id: String { entry.template.id }
    var key: FlagKeyPath { entry.handle.keyPath }
    var quotedKey: String { key.text.quoted }
    var isSecret: Bool { entry.template.metadata.isSecret }

    /// Returns a value of the flag for a user interface.
    func browserValue(_ value: EncodedFlagValue) -> FlagsBrowserValue { FlagsBrowserValue(value, isSecret: isSecret) }

    /// Returns the provider that a command writes to.
    ///
    /// - Parameter name: The id of the provider, or `nil` for the default destination.
    func destination(_ name: String?) throws(FlagsBrowserError) -> BrowserDestination {
        guard let id = name ?? chain.defaultDestination else {
            throw FlagsBrowserError(
                .noDestination,
                "Flag \(quotedKey) was not written: no provider of its chain can be written to. Add FlagOverrides or a "
                    + "MemoryProvider at the start of the chain.")
        }
        if let destination = chain.destination(id) { return destination }
        let ids = chain.destinations.map(\.quoted).joined(separator: ", ")
        throw FlagsBrowserError(
            .unknownDestination,
            "Flag \(quotedKey) was not written: its chain has no provider \(id.quoted) that can be written to. "
                + (ids.isEmpty ? "It has none." : "Choose one of \(ids)."))
    }

    /// Returns the error for input that can't be used.
    ///
    /// - Parameter reason: A clause without a full stop.
    func invalid(_ code: FlagsBrowserError.Code, _ reason: String) -> FlagsBrowserError {
        FlagsBrowserError(code, "Flag \(quotedKey) cannot be set to this: \(reason).")
    }

    /// Returns a text that somebody entered as the flag's type would encode it. `nil` is "no value".
    ///
    /// - Throws: ``FlagsBrowserError`` with ``FlagsBrowserError/Code/invalidValue`` and, for JSON, the position of the
    ///   mistake.
    func value(of text: String?) throws(FlagsBrowserError) -> EncodedFlagValue {
        try normalized(try text.map { text throws(FlagsBrowserError) in try read(text) } ?? .null)
    }

    /// Returns a value as the flag's type encodes it.
    func normalized(_ value: EncodedFlagValue) throws(FlagsBrowserError) -> EncodedFlagValue {
        do throws(FlagValueError) {
            return try entry.handle.normalized(value)
        } catch {
            throw invalid(.invalidValue, error.withoutValue(if: isSecret).reason(for: entry.template.control))
        }
    }

    private func read(_ text: String) throws(FlagsBrowserError) -> EncodedFlagValue {
        guard text.utf8.count <= FlagsBrowserValue.inputLimit else {
            throw invalid(.invalidValue, "the text is longer than \(FlagsBrowserValue.inputLimit >> 20) MiB")
        }
        let control = entry.template.control
        switch control.kind {
        case .text where control.format == .plain: return .unparsed(text)
        case .toggle, .integer, .number, .date, .text: return .unparsed(text.withoutOuterBlanks)
        case .choice:
            let wanted = text.withoutOuterBlanks
            let options = control.options ?? []
            let option =
                options.first { [text, wanted].contains($0.value.input) } ?? options.first { $0.label == wanted }
            return option?.value.encoded ?? .unparsed(text)
        case .json:
            do throws(FlagJSONError) {
                return try FlagJSONReader().read(text)
            } catch {
                let mistake = isSecret ? "line \(error.line), column \(error.column)" : "\(error)"
                var refusal = invalid(.invalidValue, "the JSON has a mistake in \(mistake)")
                (refusal.line, refusal.column) = (error.line, error.column)
                throw refusal
            }
        }
    }
}

extension FlagsBrowser {
    /// Returns the flag with an id.
    func target(flag id: String) throws(FlagsBrowserError) -> BrowserTarget {
        for layout in currentLayouts() {
            guard let index = layout.entriesByID[id] else { continue }
            return BrowserTarget(layout: layout, entry: layout.entries[index], chain: chain(of: layout))
        }
        throw FlagsBrowserError(
            .unknownFlag, "There is no flag \(id.quoted), perhaps not any more. Take the id from a new snapshot.")
    }

    /// Returns the flag with an id if it may be edited.
    func editableTarget(flag id: String) throws(FlagsBrowserError) -> BrowserTarget {
        let target = try target(flag: id)
        try throwIfNotEditable(target)
        return target
    }

    func throwIfNotEditable(_ target: BrowserTarget) throws(FlagsBrowserError) {
        if let refusal = refusal(of: target.entry.template, in: target.chain) { throw refusal }
    }

    /// Returns the flags of a section or a nested collection, and its title.
    func targets(group id: String) throws(FlagsBrowserError) -> (title: String, targets: [BrowserTarget]) {
        for layout in currentLayouts() {
            if layout.section.id == id { return (layout.section.title, targets(of: layout, layout.entries.indices)) }
            guard let entries = layout.entriesByGroup[id] else { continue }
            return (layout.section.groups.first { $0.id == id }?.title ?? id, targets(of: layout, entries))
        }
        throw FlagsBrowserError(
            .unknownGroup, "There is no section or group \(id.quoted). Take the id from a new snapshot.")
    }

    /// Returns all flags that the browser shows.
    func allTargets() -> [BrowserTarget] { currentLayouts().flatMap { targets(of: $0, $0.entries.indices) } }

    private func targets(of layout: BrowserLayout, _ entries: some Collection<Int>) -> [BrowserTarget] {
        let chain = chain(of: layout)
        return entries.map { BrowserTarget(layout: layout, entry: layout.entries[$0], chain: chain) }
    }

    func throwIfReadOnly() throws(FlagsBrowserError) {
        if let readOnlyReason { throw readOnlyReason }
    }
}

extension FlagValueError {
    /// Returns the reason why the input of a control can't be used, as a clause without a full stop.
    fileprivate func reason(for control: FlagsBrowserControl) -> String {
        // A message about a typed text shows the text itself, without calling it an unparsed value.
        guard case .unparsed(let text) = found, path.isEmpty, detail == nil else { return "\(self)" }
        if control.kind == .number, Double(text) == nil {
            return "\(text.quoted) is not a number; enter one such as 0.5, with a point"
        }
        return "expected \(expected), found \(text.quoted)"
    }
}

extension String {
    /// The text without leading and trailing blanks and line ends.
    fileprivate var withoutOuterBlanks: String {
        let isBlank: (Character) -> Bool = { $0 == "\u{A0}" || $0 == "\t" || $0 == " " || $0.isNewline }
        let head = drop(while: isBlank)
        return String(head.prefix(head.count - head.reversed().prefix(while: isBlank).count))
    }
}
