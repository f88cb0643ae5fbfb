import Synchronization

/// A loader's chain: as it was given, less what was refused, and as it is asked.
struct InstalledChain: Sendable {
    var given = ProviderChain()
    var links: [FlagChain.Link] = []
    /// Counts the installations.
    var revision: UInt64 = 0
}

extension LoadedFlags {
    /// The chain as of now.
    package var chain: FlagChain {
        FlagChain(links: installed.withLock { $0.links }, mode: modeSwitch?.mode ?? .live)
    }

    /// The chain as it was given, less the overrides that were refused.
    package var givenChain: ProviderChain { installed.withLock { $0.given } }

    /// Replaces the chain, with the order of the providers. See ``setChain(_:)``.
    package func setProviders(_ providers: [any FlagProvider]) {
        setChain(ProviderChain(providers))
    }

    /// Replaces the chain. Readers see the old one or the new one, never a mixture.
    package func setChain(_ chain: ProviderChain) {
        install(chain, over: nil)
    }

    /// Changes the chain. What others do to it in between is never lost: the change is then made again.
    package func updateChain<Failure: Error>(_ change: (inout ProviderChain) throws(Failure) -> Void) throws(Failure) {
        while true {
            let (given, revision) = installed.withLock { ($0.given, $0.revision) }
            var new = given
            try change(&new)
            if install(new, over: revision) { return }
        }
    }

    /// Puts a chain in force: the only place where that happens, and so the one where overrides are kept out.
    ///
    /// - Parameter revision: The revision that the chain was made from; `nil` to replace any.
    /// - Returns: `false`, with nothing changed, if there was another installation since.
    @discardableResult
    private func install(_ chain: ProviderChain, over revision: UInt64?) -> Bool {
        let admitted = chain.admitted(to: environment, reporter: reporter)
        let links = links(of: admitted.providers)
        let old = installed.withLock { installed -> InstalledChain? in
            guard revision == nil || revision == installed.revision else { return nil }
            let old = installed
            installed = InstalledChain(given: admitted, links: links, revision: old.revision + 1)
            return old
        }
        guard let old else { return false }
        forgetRefusals(exceptOf: Set(links.map(\.id)))
        invalidator.invalidateAll()
        drainChanges(rounds: 1)
        // Providers that left the chain may go now, outside of the lock.
        withExtendedLifetime(old) {}
        return true
    }

    private func links(of providers: [any FlagProvider]) -> [FlagChain.Link] {
        let binding = LoaderBinding(root: rootType, keys: index.entries.map(\.keyPath), reporter: reporter)
        return zip(providers, FlagChain.ids(for: providers)).map { provider, id in
            let number = FlagChain.Link.newNumber()
            let observer = FlagProviderObserver { [invalidator] notice, wakes in
                invalidator.receive(notice, fromLink: number, waking: &wakes)
            }
            let answering = (provider as? any LoaderBoundProvider)?.bound(to: binding) ?? provider
            return FlagChain.Link(
                id: id,
                provider: answering,
                type: ObjectIdentifier(type(of: provider)),
                observer: answering.observe(observer) ? observer : nil,
                isLive: provider.isLive,
                isOverride: provider.isOverride,
                number: number
            )
        }
    }
}
