import TacklineCore

/// A flag that a command is about.
struct BrowserTarget: Sendable {
    let layout: BrowserLayout
    let entry: BrowserLayout.Entry
    let chain: BrowserChain
    /// Whether the command is only previewed, so that the input may still be incomplete.
    var isPreview = false

    var id: String { entry.template.id }
    var key: FlagKeyPath { entry.handle.keyPath }
    var quotedKey: String { key.text.quoted }
    var isSecret: Bool { entry.template.metadata.isSecret }

    /// Returns a value of the flag for a user interface.
    func browserValue(_ value: EncodedFlagValue) -> FlagsBrowserValue { FlagsBrowserValue(value, isSecret: isSecret) }

    /// Returns the value that a provider holds for the flag, for a user interface.
    func browserValue(in provider: any FlagProvider) -> FlagsBrowserValue? {
        provider.value(for: key).map(browserValue)
    }

    /// Returns the provider that a command writes to.
    ///
    /// - Parameter name: The id of the provider, or `nil` for the default destination.
    func destination(_ name: String?) throws(FlagsBrowserError) -> BrowserDestination {
        guard let id = name ?? chain.defaultDestination else {
            throw error(
                .noDestination,
                "Flag \(quotedKey) was not written: no provider of its chain can be written to. Add FlagOverrides or a "
                    + "MemoryProvider at the start of the chain.")
        }
        guard let link = chain.chain.link(.named(id)) else {
            let ids = chain.chain.links.filter(chain.isWritable).map { $0.id.quoted }.joined(separator: ", ")
            throw error(
                .unknownDestination,
                "Flag \(quotedKey) was not written: its chain has no provider \(id.quoted). "
                    + (ids.isEmpty ? "None of it can be written to." : "Choose one of \(ids)."),
                provider: id)
        }
        guard chain.isWritable(link), let provider = link.provider as? any WritableFlagProvider else {
            throw error(
                .unknownDestination,
                "Flag \(quotedKey) was not written: provider \(id.quoted) cannot be written to. Choose another one.",
                provider: id)
        }
        return BrowserDestination(id: link.id, provider: provider)
    }

    func error(_ code: FlagsBrowserError.Code, _ message: String, provider: String? = nil) -> FlagsBrowserError {
        FlagsBrowserError(code, message, flag: id, key: key.text, provider: provider)
    }

    /// Returns the error for input that can't be used.
    ///
    /// - Parameter reason: A sentence without a full stop.
    func invalid(_ code: FlagsBrowserError.Code, _ reason: String, provider: String? = nil) -> FlagsBrowserError {
        error(code, FlagsBrowserError.message(of: reason, key: key.text, isPreview: isPreview), provider: provider)
    }
}

/// A provider that a command writes to.
struct BrowserDestination: Sendable {
    let id: String
    let provider: any WritableFlagProvider
}

extension FlagsBrowser {
    /// Returns the flag with an id.
    func target(flag id: String) throws(FlagsBrowserError) -> BrowserTarget {
        for layout in currentLayouts() {
            guard let index = layout.entriesByID[id] else { continue }
            return BrowserTarget(
                layout: layout, entry: layout.entries[index],
                chain: chain(of: layout))
        }
        throw FlagsBrowserError(
            .unknownFlag,
            "There is no flag \(id.quoted), perhaps not any more. Take the id from a new snapshot.", flag: id)
    }

    /// Returns the flag with an id if it may be edited.
    func editableTarget(flag id: String) throws(FlagsBrowserError) -> BrowserTarget {
        let target = try target(flag: id)
        if let refusal = refusal(of: target.entry.template, in: target.chain) {
            throw target.error(refusal.code, refusal.message)
        }
        return target
    }

    /// Returns the flags of a section or a nested collection.
    func targets(group id: String) throws(FlagsBrowserError) -> (title: String, targets: [BrowserTarget]) {
        for layout in currentLayouts() {
            if layout.section.id == id {
                return (layout.section.title, targets(of: layout, Array(layout.entries.indices)))
            }
            if let entries = layout.entriesByGroup[id] {
                let title = layout.section.groups.first { $0.id == id }?.title ?? id
                return (title, targets(of: layout, entries))
            }
        }
        throw FlagsBrowserError(
            .unknownGroup, "There is no section or group \(id.quoted). Take the id from a new snapshot.")
    }

    /// Returns all flags that the browser shows.
    func allTargets() -> [BrowserTarget] {
        currentLayouts().flatMap { targets(of: $0, Array($0.entries.indices)) }
    }

    private func targets(of layout: BrowserLayout, _ entries: [Int]) -> [BrowserTarget] {
        let chain = chain(of: layout)
        return entries.map { BrowserTarget(layout: layout, entry: layout.entries[$0], chain: chain) }
    }

    func throwIfReadOnly() throws(FlagsBrowserError) {
        if let refusal = readOnlyReason { throw FlagsBrowserError(refusal.code, refusal.message) }
    }
}
