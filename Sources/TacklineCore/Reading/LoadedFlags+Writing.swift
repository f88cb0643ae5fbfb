extension LoadedFlags {
    /// Writes a value, or removes it with `nil`.
    ///
    /// Every provider is looked up before the first one is written to, so a wrong name changes nothing.
    ///
    /// - Parameter selectors: The providers in the order of the writes; `nil` for the first writable one.
    package func write(
        _ value: EncodedFlagValue?,
        ordinal: Int,
        to selectors: [FlagProviderSelector]?
    ) throws(FlagWriteError) {
        let key = index.entries[ordinal].keyPath
        var targets: [(id: String, provider: any WritableFlagProvider)] = []
        for selector in selectors ?? [] {
            guard let link = chain.link(selector) else {
                throw FlagWriteError(key: key, reason: .notInChain(selector.name), written: [])
            }
            guard let provider = link.provider as? any WritableFlagProvider else {
                throw FlagWriteError(key: key, reason: .notWritable(link.id), written: [])
            }
            targets.append((link.id, provider))
        }
        if selectors == nil {
            guard let target = firstWritable() else {
                throw FlagWriteError(key: key, reason: .noWritableProvider, written: [])
            }
            targets.append(target)
        }
        var written: [String] = []
        for target in targets {
            do throws(FlagProviderError) {
                try target.provider.setValue(value, for: key)
            } catch {
                throw FlagWriteError(key: key, reason: .provider(error), written: written)
            }
            written.append(target.id)
            releaseHold(of: ordinal, writtenTo: target.id)
            // A provider that cannot tell changes was just seen to change.
            invalidator.invalidate(ordinal)
            drainChanges(rounds: 1)
        }
    }

    private func firstWritable() -> (id: String, provider: any WritableFlagProvider)? {
        let chain = chain
        for link in chain.links where chain.isAsked(link) {
            if let provider = link.provider as? any WritableFlagProvider { return (link.id, provider) }
        }
        return nil
    }
}
