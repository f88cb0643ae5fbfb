extension FlagsLoader {
    /// Returns the values of all flags as of one moment.
    ///
    /// Values that a provider changed in one commit are read together. Providers that hand out all their values at once
    /// (``FlagDocumentProvider``) are asked once; the others key by key, which is repeated while they announce changes,
    /// up to 100 times. Computed values and providers that cannot tell changes are as of when they were asked. A flag
    /// whose value has no neutral form is left out.
    ///
    /// - Complexity: O(*n*) in the number of flags and values.
    public func snapshot() -> FlagSnapshot {
        loaded.snapshot()
    }
}

extension LoadedFlags {
    /// See ``FlagsLoader/snapshot()``.
    func snapshot() -> FlagSnapshot {
        var entries: [String: FlagSnapshot.Entry] = [:]
        for _ in 0..<100 {
            let before = invalidator.changeCount
            let still = chain.still()
            let others = still.links.contains { !($0.provider is StillProvider) && $0.observer != nil }
            // Once the documents are at hand, nothing that they hold can change any more.
            guard before == invalidator.changeCount else { continue }
            entries = self.entries(of: still)
            if !others || before == invalidator.changeCount { break }
        }
        if entries.isEmpty { entries = self.entries(of: chain.still()) }
        return FlagSnapshot(entries: entries, separator: index.configuration.pathSeparator)
    }

    private func entries(of chain: FlagChain) -> [String: FlagSnapshot.Entry] {
        var entries: [String: FlagSnapshot.Entry] = [:]
        entries.reserveCapacity(flags.count)
        for (ordinal, flag) in flags.enumerated() {
            let entry = entry(of: flag.declaration, ordinal: ordinal, in: chain)
            let text = index.entries[ordinal].keyPath.text
            if let entry, entries[text] == nil { entries[text] = entry }
        }
        return entries
    }

    private func entry<Declaration: FlagDeclarationProtocol>(
        of declaration: Declaration, ordinal: Int, in chain: FlagChain
    ) -> FlagSnapshot.Entry? {
        guard let declaration = declaration as? FlagDeclaration<Declaration.Value> else { return nil }
        let resolution = resolution(declaration, ordinal: ordinal, in: chain)
        return encoded(resolution.value).map { FlagSnapshot.Entry(value: $0, source: resolution.source) }
    }
}

/// A provider's values at one moment.
private struct StillProvider: FlagProvider {
    let document: FlagDocument

    func value(for key: FlagKeyPath) -> EncodedFlagValue? { document.value(for: key) }
}

extension FlagChain {
    /// The chain with each provider that can hand out all its values replaced by those values.
    fileprivate func still() -> FlagChain {
        FlagChain(
            links: links.map { link in
                guard let provider = link.provider as? any FlagDocumentProvider else { return link }
                return Link(
                    id: link.id, provider: StillProvider(document: provider.document), type: link.type,
                    observer: link.observer, isLive: link.isLive, isOverride: link.isOverride, number: link.number)
            },
            mode: mode)
    }
}
