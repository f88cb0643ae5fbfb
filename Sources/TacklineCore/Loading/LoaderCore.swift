package import Synchronization

/// The heart of a loader: what was declared, what answers, and who is told of changes.
///
/// The loader holds it, and so do handles. When the last one lets go, the slots are given back. Safe from any thread.
package final class LoaderCore: Sendable {
    /// The flags with their keys, and the mistakes in their declaration.
    let declared: FlagLoadingPlan
    /// What people should know about the collection.
    package let metadata: FlagMetadata
    /// Finds values.
    package let resolver: FlagResolver
    /// Tells changes.
    package let board: FlagChangeBoard
    /// Told which flags are read while reads are registered with Observation; `nil` while they are not.
    package let readListener = Mutex<(any FlagReadListener)?>(nil)
    /// Told by the gate of the chain, which holds observers weakly.
    private let gateObserver: FlagProviderObserver

    init(
        _ plan: FlagLoadingPlan, root: some Sendable, metadata: FlagMetadata, providers: ProviderChain,
        reporter: FlagIssueReporter
    ) {
        declared = plan
        self.metadata = metadata
        resolver = FlagResolver(root: root, reporter: reporter) { [index = plan.index] in index.entries[$0].keyPath }
        board = FlagChangeBoard(index: plan.index, flags: plan.flags)
        // Who switches the mode wants to see it.
        gateObserver = FlagProviderObserver { [board, periods = resolver.holds.periods] _, wakes in
            periods.beginAll()
            board.markAll(waking: &wakes)
        }
        let owner = FlagOwnerReference(self)
        for (ordinal, flag) in plan.flags.enumerated() {
            flag.slot.bind(flag.declaration, to: owner, ordinal: ordinal)
        }
        for (ordinal, collection) in plan.collections.enumerated() {
            collection.slot.bind(nil, to: owner, ordinal: ordinal)
        }
        board.register()
        setChain(providers)
    }

    deinit {
        board.unregister()
        declared.endLives()
        readListener.withLock { $0 }?.ownerEnded()
    }

    /// The names and keys of the flags.
    package var index: FlagIndex { declared.index }
    /// The flags, by ordinal.
    package var flags: [FlagConstruction.FlagRecord] { declared.flags }
    /// The nested collections, by ordinal.
    package var collections: [FlagConstruction.CollectionRecord] { declared.collections }
    /// Mistakes in the declaration.
    package var issues: [FlagIssue] { declared.issues }
    package var reporter: FlagIssueReporter { resolver.reporter }

    /// A flag's metadata with the name for people filled in.
    package func metadata(of ordinal: Int) -> FlagMetadata {
        let declaration = flags[ordinal].declaration
        var metadata = declaration.metadata
        let property = index.entries[ordinal].property
        metadata.name = declaration.name ?? metadata.name ?? property.split(separator: ".").last.map(String.init)
        return metadata
    }

    // MARK: Changing what is resolved

    /// Changes a default at run time, or restores the declared one with `nil`.
    package func setDefault<Value>(_ value: Value?, of declaration: FlagDeclaration<Value>, _ ordinal: Int) {
        resolver.defaults.set(value, of: declaration, ordinal)
        releaseHold(of: ordinal) { $0 == .default }
        board.mark(CollectionOfOne(ordinal))
        tellObservation()
    }

    /// Lets those who read flags in a tracking scope know at once, on the present thread, what was changed by a call.
    package func tellObservation() {
        readListener.withLock { $0 }?.flagsWereWritten()
    }

    /// Begins a new session: flags that are held for one are fixed anew at their next read.
    package func beginSession() {
        resolver.holds.periods.beginSession()
        board.mark(flags.indices.filter { flags[$0].declaration.updatePolicy == .session })
        tellObservation()
    }

    /// Lets a flag be fixed anew because something changed that answers for it: where it was held from such a source, or
    /// would come from one now.
    package func releaseHold(of ordinal: Int, if concerns: (FlagSource) -> Bool) {
        func release<Flag: DeclaredFlag>(_ flag: Flag) {
            let declaration = flag.typed
            guard let hold = resolver.holds.hold(of: declaration, ordinal) else { return }
            guard concerns(hold.source) || concerns(resolver.resolution(declaration, ordinal, isLive: true).source)
            else { return }
            resolver.holds.release(ordinal)
        }
        if flags[ordinal].declaration.updatePolicy != .live { release(flags[ordinal].declaration) }
    }

    // MARK: The chain

    /// The chain as it was given, less the overrides that were refused.
    package var givenChain: ProviderChain { resolver.chain.given.providers }

    /// Replaces the chain. Readers see the old one or the new one, never a mixture.
    package func setChain(_ chain: ProviderChain) {
        install(chain, over: nil)
    }

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
            let new = FlagChain(
                links: links(of: admitted.providers.map { $0 }), given: admitted, revision: present.revision + 1)
            if let gate = admitted.gate, gate !== present.given.gate { gate.observe(gateObserver) }
            guard let old = resolver.install(new, if: { $0.revision == present.revision }) else { continue }
            board.markAll()
            tellObservation()
            // Providers that left the chain may go now, outside of the lock.
            withExtendedLifetime(old) {}
            return true
        }
    }

    private func links(of providers: [any FlagProvider]) -> [FlagChain.Link] {
        zip(providers, FlagChain.ids(for: providers)).map { provider, id in
            let observer = FlagProviderObserver { [board] notice, wakes in board.receive(notice, waking: &wakes) }
            let answering = (provider as? any LoaderBoundProvider)?.bound(to: binding) ?? provider
            return FlagChain.Link(
                id: id, provider: answering, type: ObjectIdentifier(type(of: provider)),
                observer: answering.observe(observer) ? observer : nil, isLive: provider.isLive,
                isOverride: provider.isOverride)
        }
    }

    private var binding: LoaderBinding {
        LoaderBinding(root: resolver.rootType, keys: index.entries.map(\.keyPath), reporter: reporter)
    }
}

// MARK: Reading

extension LoaderCore: FlagOwner {
    package func resolve<Value: FlagValue>(
        _ declaration: FlagDeclaration<Value>, ordinal: Int
    ) -> FlagAnswer<Value> {
        guard declaration.updatePolicy != .live else {
            return answer(resolver.first(of: resolver.question(declaration, ordinal, for: .use)))
        }
        let period = resolver.holds.periods.current(declaration.updatePolicy)
        let isHeld = resolver.holds.hold(of: declaration, ordinal) != nil
        let found = resolver.first(of: resolver.question(declaration, ordinal, for: isHeld ? .use : .look))
        switch found.step {
        case .hold, .scope:
            return answer(found)
        case .provider(let said) where said.link.isOverride:
            return answer(found)
        case .computed where FlagScope.isCurrentTaskScoped:
            // It may come from what only this task sees.
            return answer(found)
        case .computed, .provider, .fallback:
            let hold = FlagHold(found.value, source: found.step.source, details: found.step.details, period: period)
            guard resolver.holds.fix(hold, of: declaration, ordinal) else {
                // A new session began while the flag was resolved; the next read fixes it.
                return FlagAnswer(value: found.value, encoded: hold.encoded, isLasting: false)
            }
            // A change that was told while the flag was resolved was told of a flag that was not held.
            board.mark(CollectionOfOne(ordinal))
            return answer(resolver.first(of: resolver.question(declaration, ordinal, for: .use)))
        }
    }

    private func answer<Value>(_ found: FlagResolver.Found<Value>) -> FlagAnswer<Value> {
        let encoded = found.step.encoded ?? (found.isLasting ? try? found.value.encoded : nil)
        return FlagAnswer(value: found.value, encoded: encoded, isLasting: found.isLasting)
    }

    package func flagIsObserved(_ ordinal: Int) {
        readListener.withLock { $0 }?.flagWasRead(ordinal)
    }
}

/// Someone who is told which flags are read while reads are registered with Observation.
package protocol FlagReadListener: AnyObject, Sendable {
    /// A flag was read and its value was not at hand.
    func flagWasRead(_ ordinal: Int)
    /// A call changed values: whoever made it wants its effect at once, on the present thread.
    func flagsWereWritten()
    /// The loader is gone: nothing changes any more.
    func ownerEnded()
}

extension FlagLoadingPlan {
    /// Gives the slots back. Copies of the flags are told from those of later loaders from now on.
    fileprivate func endLives() {
        for list in lists { list.endLife() }
        for flag in flags.reversed() { flag.slot.endLife(flag.life) }
        for collection in collections.reversed() { collection.slot.endLife(collection.life) }
        for flag in unreachable.flags { flag.slot.endLife(flag.life) }
        for collection in unreachable.collections { collection.slot.endLife(collection.life) }
    }
}
