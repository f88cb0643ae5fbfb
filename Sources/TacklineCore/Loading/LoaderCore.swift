package import Synchronization

/// The data of a loader: what was declared, what answers, and who is told of changes.
///
/// The loader holds it, and so do handles. When the last one lets go, the slots are given back. Safe from any thread.
package final class LoaderCore: Sendable {
    let declared: FlagLoadingPlan
    package let metadata: FlagMetadata
    package let resolver: FlagResolver
    package let board: FlagChangeBoard
    /// Told which flags are read while reads are registered with Observation; `nil` while they are not.
    package let readListener = Mutex<(any FlagReadListener)?>(nil)
    /// Told by the gate of the chain, which holds observers weakly.
    private let gateObserver: FlagProviderObserver

    init(
        _ plan: FlagLoadingPlan, root: any Sendable, metadata: FlagMetadata, providers: ProviderChain,
        reporter: FlagIssueReporter
    ) {
        declared = plan
        self.metadata = metadata
        resolver = FlagResolver(root: root, keyPaths: plan.index.keyPaths, reporter: reporter)
        board = FlagChangeBoard(index: plan.index, flags: plan.flags)
        // Who switches the mode wants to see it.
        gateObserver = FlagProviderObserver { [board, periods = resolver.holds.periods] _, wakes in
            periods.beginAll { board.markAll(waking: &wakes) }
        }
        plan.bind(to: self)
        board.register()
        setChain(providers)
    }

    deinit {
        board.unregister()
        declared.endLives()
        readListener.withLock { $0 }?.ownerEnded()
    }

    package var index: FlagIndex { declared.index }
    /// What was written in each `@Flag(…)`, by ordinal.
    package func declaration(of ordinal: Int) -> FlagDeclaration { declared.flags[ordinal].declaration }
    package var ordinals: Range<Int> { declared.flags.indices }
    package var issues: [FlagIssue] { declared.issues }
    package var reporter: FlagIssueReporter { resolver.reporter }

    /// A flag's metadata with the name for people filled in.
    package func metadata(of ordinal: Int) -> FlagMetadata {
        let declaration = declaration(of: ordinal)
        return declaration.metadata.named(declaration.name, orElse: index.entries[ordinal].label)
    }

    // MARK: Changing what is resolved

    /// Changes a default at run time, or restores the declared one with `nil`.
    package func setDefault(_ value: ErasedFlagValue?, of ordinal: Int) {
        var wakes = FlagWakes()
        resolver.defaults.set(value, of: ordinal) { board.mark(CollectionOfOne(ordinal), waking: &wakes) }
        wakes.wake()
        releaseHold(of: ordinal) { $0 == .default }
        tellObservation()
    }

    /// Tells Observation at once, on the present thread, what a call has changed.
    package func tellObservation() { readListener.withLock { $0 }?.flagsWereWritten() }

    /// Begins a new session: flags that are held for one are fixed anew at their next read.
    package func beginSession() {
        let held = ordinals.filter { declaration(of: $0).updatePolicy == .session }
        var wakes = FlagWakes()
        resolver.holds.periods.beginSession { board.mark(held, waking: &wakes) }
        wakes.wake()
        tellObservation()
    }

    /// Whether something is held of a flag, and it or what would be in its place comes from a source that a change concerns.
    ///
    /// - Parameter chain: The chain to ask; `nil` for the one in force.
    @inline(never) package func isReleased(
        _ ordinal: Int, in chain: FlagChain? = nil, by concerns: (FlagSource) -> Bool
    ) -> Bool {
        let declaration = declaration(of: ordinal)
        guard let hold = resolver.holds.hold(of: declaration, ordinal) else { return false }
        return concerns(hold.source)
            || concerns(resolver.finding(declaration, ordinal, isLive: true, in: chain).step.source)
    }

    /// Releases what is held of a flag, if a change concerns it.
    package func releaseHold(of ordinal: Int, if concerns: (FlagSource) -> Bool) {
        guard isReleased(ordinal, by: concerns) else { return }
        var wakes = FlagWakes()
        resolver.holds.release(ordinal) { board.mark(CollectionOfOne(ordinal), waking: &wakes) }
        wakes.wake()
    }

    // MARK: The chain

    /// The chain as it was given, less the overrides that were refused.
    package var givenChain: ProviderChain { resolver.chain.given.providers }

    /// Replaces the chain. Readers see the old one or the new one, never a mixture.
    package func setChain(_ chain: ProviderChain) { install(chain, over: nil) }

    /// Changes the chain. What others do to it in between is never lost: the change is then made again.
    package func updateChain<Failure: Error>(_ change: (inout ProviderChain) throws(Failure) -> Void) throws(Failure) {
        while true {
            let present = resolver.chain
            var new = present.given.providers
            try change(&new)
            if install(new, over: present.revision) { return }
        }
    }

    /// Puts a chain in force: the only place where that happens, and so the one where overrides are kept out.
    ///
    /// - Parameter revision: The revision that the chain was made from; `nil` to replace any.
    /// - Returns: `false`, with nothing changed, if there was another installation since.
    @discardableResult
    private func install(_ chain: ProviderChain, over revision: UInt64?) -> Bool {
        while true {
            let present = resolver.chain
            if let revision, revision != present.revision { return false }
            let admitted = chain.admitted(after: present.given, reporter: reporter)
            let new = FlagChain(links: links(of: admitted.providers), given: admitted, revision: present.revision + 1)
            if let gate = admitted.gate, gate !== present.given.gate { gate.observe(gateObserver) }
            var wakes = FlagWakes()
            let old = resolver.install(new, over: present) { board.markAll(waking: &wakes) }
            wakes.wake()
            guard let old else { continue }
            tellObservation()
            // Providers that left the chain may go now, outside of the lock.
            withExtendedLifetime(old) {}
            return true
        }
    }

    @inline(never) private func links(of chain: ProviderChain) -> [FlagChain.Link] {
        let binding = LoaderBinding(root: resolver.rootType, keys: index.keyPaths, reporter: reporter)
        return zip(chain.entries, FlagChain.ids(for: chain)).map { entry, id in
            let provider = entry.provider
            let answering = provider.fitting(binding)
            let observer = (answering as? any ObservableFlagProvider).flatMap { observable in
                let observer = board.makeObserver(reporter)
                return observable.tellsChanges(to: observer) ? observer : nil
            }
            return FlagChain.Link(
                id: id, provider: answering, type: ObjectIdentifier(type(of: provider)), observer: observer,
                isLive: provider.isLive, isOverride: provider.isOverride)
        }
    }
}

// MARK: Reading

extension LoaderCore: FlagOwner {
    package func resolve(_ declaration: FlagDeclaration, ordinal: Int) -> FlagAnswer {
        guard declaration.updatePolicy != .live else {
            return resolver.answer(declaration, ordinal)
        }
        while true {
            let period = resolver.holds.periods.current(declaration.updatePolicy)
            let isHeld = resolver.holds.hold(of: declaration, ordinal) != nil
            // A look brings the details, which a hold keeps.
            let found = resolver.finding(declaration, ordinal, for: isHeld ? .use : .look)
            switch found.step {
            case .hold, .scope:
                return FlagAnswer(found.step, found.value, found.isLasting, declaration)
            case .provider(let said) where said.link.isOverride:
                return FlagAnswer(found.step, found.value, found.isLasting, declaration)
            case .computed where FlagScope.isCurrentTaskScoped:
                // It may come from what only this task sees.
                return FlagAnswer(found.step, found.value, found.isLasting, declaration)
            case .computed, .provider, .fallback:
                let hold = FlagHold(
                    found.value, encoded: declaration.encode(found.value), source: found.step.source,
                    details: found.step.details, period: period)
                guard let present = resolver.holds.fix(hold, of: declaration, ordinal) else {
                    // A new session began while the flag was resolved; the next read fixes it.
                    return FlagAnswer(value: found.value, encoded: hold.encoded, isLasting: false)
                }
                // Whoever fixes a value uses it, and the look was not counted as a use.
                if present === hold, case .provider(let said) = found.step, said.link.provider.tellsLooksFromUses {
                    _ = resolver.question(declaration, ordinal, for: .use).answer(of: said.link)
                }
                // A change that was told meanwhile was told of a flag that was not held. And what is held now may be
                // another reader's answer, so the next round reads it.
                board.mark(ordinal)
            }
        }
    }

    package func flagIsObserved(_ ordinal: Int) { readListener.withLock { $0 }?.flagWasRead(ordinal) }
}

/// Is told which flags are read while reads are registered with Observation.
package protocol FlagReadListener: AnyObject, Sendable {
    /// A flag was read and its value was not at hand.
    func flagWasRead(_ ordinal: Int)
    /// A call changed values: whoever made it wants its effect at once, on the present thread.
    func flagsWereWritten()
    /// The loader is gone: nothing changes any more.
    func ownerEnded()
}
