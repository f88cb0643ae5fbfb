package import Synchronization

/// The data of a loader. It resolves the loader's flags.
///
/// The loader and its handles hold the data. When the last of them is deallocated, the slots are given back. Call the
/// methods from any thread. No lock is held while code of providers, values, or computed flags runs.
package final class LoaderCore: Sendable {
    package let collectionType: any FlagCollectionProtocol.Type
    /// The root collection if a flag is computed, or `nil`. It holds pointers to slots and keeps no loader alive.
    package let root: (any Sendable)?
    package let rootType: ObjectIdentifier
    package let metadata: FlagMetadata
    /// The flags by ordinal, which is the number of a flag in the order of the collection's properties.
    package let declarations: [FlagDeclaration]
    /// The nested collections by number.
    package let groups: [FlagCollectionDeclaration]
    /// The mistakes in the declaration of the collection.
    package let issues: [FlagIssue]
    package let index: FlagIndex
    package let reporter: FlagIssueReporter
    package let tracker: FlagChangeTracker
    package let slots: [Unmanaged<FlagSlot>]
    package let generation: UInt32
    package let pins = PinnedFlagValues()
    /// The listener of reads, or `nil` while reads are not registered with Observation.
    package let readListener = Mutex<(any FlagReadListener)?>(nil)
    private let defaults = ChangedDefaults()
    let issueLog = FlagIssueLog()
    private let installedChain = Mutex(FlagChain.empty)
    private let giveBack: @Sendable () -> Void

    /// The result of constructing and reading a collection.
    package struct Contents: Sendable {
        package let collectionType: any FlagCollectionProtocol.Type
        package let root: (any Sendable)?
        package let declarations: [FlagDeclaration]
        package let groups: [FlagCollectionDeclaration]
        package let index: FlagIndex
        package let issues: [FlagIssue]
        package let slots: [Unmanaged<FlagSlot>]
        package let generation: UInt32
        /// Gives the slots back.
        package let giveBack: @Sendable () -> Void
    }

    package init(
        _ contents: Contents, metadata: FlagMetadata, providers: ProviderChain, reporter: FlagIssueReporter,
        bind: (LoaderCore) -> Void
    ) {
        collectionType = contents.collectionType
        root = contents.root
        rootType = ObjectIdentifier(contents.collectionType)
        declarations = contents.declarations
        groups = contents.groups
        index = contents.index
        issues = contents.issues
        slots = contents.slots
        generation = contents.generation
        giveBack = contents.giveBack
        self.metadata = metadata
        self.reporter = reporter
        tracker = FlagChangeTracker(index: index, slots: slots, generation: generation)
        bind(self)
        setChain(providers)
    }

    deinit {
        giveBack()
        readListener.withLock { $0 }?.loaderWasDeallocated()
    }

    package var ordinals: Range<Int> { declarations.indices }
    /// The chain in force.
    @inline(never) package var chain: FlagChain { installedChain.withLock { $0 } }

    /// Returns a flag's metadata with its display name filled in.
    package func metadata(of ordinal: Int) -> FlagMetadata {
        let declaration = declarations[ordinal]
        return declaration.metadata.named(declaration.name, orElse: index.entries[ordinal].label)
    }

    /// Notifies Observation of the changes that a call has made, at once and on the current thread.
    package func notifyObservation() { readListener.withLock { $0 }?.flagsWereWritten() }

    // MARK: The chain

    /// The chain as it was given, without the overrides that were refused.
    package var givenChain: ProviderChain { chain.given.providers }

    /// Replaces the chain. A read sees the old chain or the new one.
    package func setChain(_ chain: ProviderChain) { install(chain, over: nil) }

    /// Changes the chain. `change` is called again if another thread changes it meanwhile. See ``ChainUpdate``.
    package func updateChain<Failure: Error>(_ change: (inout ProviderChain) throws(Failure) -> Void) throws(Failure) {
        while true {
            let current = chain
            var new = current.given.providers
            let update = ChainUpdate(of: self)
            try update.run { () throws(Failure) in try change(&new) }
            if install(new, over: update.closureChangedChain ? nil : current.revision) { return }
        }
    }

    /// Installs a chain without the overrides that its environment refuses. Every chain is installed here.
    ///
    /// - Parameter revision: The revision that the chain was made from, or `nil` to replace any.
    /// - Returns: `false`, with nothing changed, if another chain has been installed since that revision.
    @discardableResult
    private func install(_ chain: ProviderChain, over revision: UInt64?) -> Bool {
        while true {
            let current = self.chain
            if let revision, revision != current.revision { return false }
            let admitted = chain.admitted(after: current.given)
            let hasNewGate = admitted.gate !== current.given.gate
            let new = FlagChain(
                links: links(of: admitted.providers), given: admitted,
                gateObserver: hasNewGate ? admitted.gate.map(observer(of:)) : current.gateObserver,
                revision: current.revision + 1)
            var pending = PendingResumptions()
            let old = installedChain.withLock { installed -> FlagChain? in
                guard installed === current else { return nil }
                installed = new
                // Nothing is cached before the first chain is in force.
                if current.revision > 0 { tracker.invalidateAll(pending: &pending) }
                return current
            }
            pending.resume()
            guard let old else { continue }
            ChainUpdate.recordChange(of: self)
            if old.revision > 0 {
                issueLog.resolveAll(exceptOfProviders: new.links.map(\.id))
                notifyObservation()
            }
            // Reported once the chain is in force, so that a reporter may change the chain.
            admitted.issues.forEach(reporter.report)
            if hasNewGate, let issue = admitted.gate?.issue { reporter.report(issue) }
            // Providers that left the chain are released here, outside the lock.
            withExtendedLifetime(old) {}
            return true
        }
    }

    /// Returns an observer of a gate, which holds it weakly. A change of the mode ends all pinned values.
    private func observer(of gate: any ProviderGate) -> FlagProviderObserver {
        let observer = FlagProviderObserver(reporter: reporter) { [tracker, pins] _, pending in
            pins.endAll { tracker.invalidateAll(pending: &pending) }
        }
        gate.observe(observer)
        return observer
    }

    @inline(never) private func links(of chain: ProviderChain) -> [FlagChain.Link] {
        zip(chain.entries, chain.ids).map { entry, id in
            let observer = tracker.makeObserver(reporter, of: ObjectIdentifier(self))
            let notifies = entry.provider.observe(observer)
            return FlagChain.Link(
                id: id, provider: entry.provider, observer: notifies ? observer : nil, kind: entry.kind)
        }
    }

    // MARK: Defaults and pinned values

    /// Returns the default that is in force.
    package func defaultValue(of ordinal: Int) -> ErasedFlagValue {
        defaults.value(of: ordinal) ?? declarations[ordinal].defaultValue
    }

    /// Changes a default, or restores the declared one if the value is `nil`.
    package func setDefault(_ value: ErasedFlagValue?, of ordinal: Int) {
        var pending = PendingResumptions()
        defaults.set(value, of: ordinal) { tracker.invalidate(CollectionOfOne(ordinal), pending: &pending) }
        pending.resume()
        unpin(ordinal) { $0 == .default }
        notifyObservation()
    }

    /// Begins a new session: flags that are pinned for a session are pinned anew at their next read.
    package func beginSession() {
        let pinned = ordinals.filter { declarations[$0].updatePolicy == .session }
        var pending = PendingResumptions()
        pins.beginSession { tracker.invalidate(pinned, pending: &pending) }
        pending.resume()
        notifyObservation()
    }

    /// Returns whether a change affects the source of a flag's pinned value or the source of its live value.
    ///
    /// - Parameter chain: The chain to ask, or `nil` for the one in force.
    @inline(never) package func isUnpinned(
        _ ordinal: Int, in chain: FlagChain? = nil, by isAffected: (FlagSource) -> Bool
    ) -> Bool {
        guard let pinned = pins.value(of: declarations[ordinal], ordinal) else { return false }
        return isAffected(pinned.source) || isAffected(inspect(ordinal, isLive: true, in: chain).source)
    }

    /// Removes a flag's pinned value if a change affects the source of that value or the source of the live value.
    package func unpin(_ ordinal: Int, if isAffected: (FlagSource) -> Bool) {
        guard isUnpinned(ordinal, by: isAffected) else { return }
        var pending = PendingResumptions()
        pins.remove(ordinal) { tracker.invalidate(CollectionOfOne(ordinal), pending: &pending) }
        pending.resume()
    }
}

// MARK: - Resolving

extension LoaderCore: FlagOwner {
    package func resolve(_ ordinal: Int) -> (value: ErasedFlagValue, encoded: EncodedFlagValue?, isLasting: Bool) {
        guard declarations[ordinal].updatePolicy == .live else { return resolvePinned(declarations[ordinal], ordinal) }
        return answer(to: query(ordinal, wantsDetails: false))
    }

    /// Returns a value in the form in which a slot takes it (``FlagOwner/resolve(_:)``).
    private func answer(
        to query: FlagQuery
    ) -> (value: ErasedFlagValue, encoded: EncodedFlagValue?, isLasting: Bool) {
        var answer: (value: ErasedFlagValue, encoded: EncodedFlagValue?, isLasting: Bool)?
        withFirstUsableStep(of: query) { step, value, isLasting in
            guard isLasting, case .node = value else { return answer = (value, nil, isLasting) }
            answer = (value, step.encoded ?? encode(value, of: query.ordinal), true)
        }
        return answer ?? (query.declaration.defaultValue, nil, false)
    }

    /// Resolves a flag for a read and pins its value.
    private func resolvePinned(
        _ declaration: FlagDeclaration, _ ordinal: Int
    ) -> (value: ErasedFlagValue, encoded: EncodedFlagValue?, isLasting: Bool) {
        while true {
            let session = pins.session(for: declaration.updatePolicy)
            // A value that may be pinned is read with its details, which are pinned too.
            let isPinned = pins.value(of: declaration, ordinal) != nil
            let query = self.query(ordinal, wantsDetails: !isPinned)
            let step = firstUsableStep(of: query)
            let value = step.value ?? declaration.defaultValue
            let encoded = step.encoded ?? encode(value, of: ordinal)
            switch step.origin {
            case .pinned, .scope: return (value, encoded, step.isLasting)
            case .provider(let link) where link.kind.contains(.override): return (value, encoded, step.isLasting)
            case .computed, .provider, .default: break
            }
            // Nothing is pinned before the first chain is in force, nor if the value may depend on the task's scope.
            let isScoped = FlagScope.isCurrentTaskScoped && query.mayReadFlags
            guard query.chain.revision > 0, !isScoped else { return (value, encoded, false) }
            let new = PinnedFlagValue(
                value, encoded: encoded, source: step.source, details: step.details, session: session)
            guard let pinned = pins.pin(new, of: declaration, ordinal) else {
                // A new session began while the flag was resolved. The next read pins it.
                return (new.value, new.encoded, false)
            }
            // Asking for details inspected the flag, which a provider that counts uses doesn't count. Such a provider
            // gives details, so it is asked again, without them.
            if pinned === new, new.details != nil, case .provider(let link) = step.origin {
                _ = self.step(of: self.query(ordinal, wantsDetails: false), for: link)
            }
            // Observers of a change in the meantime read the flag while it was unpinned, so it is invalidated again.
            // The next round reads the value that is pinned now, which may be another thread's.
            tracker.invalidate(ordinal)
        }
    }

    package func flagIsObserved(_ ordinal: Int, value: ErasedFlagValue?) {
        readListener.withLock { $0 }?.flagWasRead(ordinal, value: value)
    }

    /// Returns the query for a flag.
    ///
    /// - Parameters:
    ///   - wantsDetails: Whether providers are asked for details, which inspects the flag and doesn't use it.
    ///   - isLive: Whether pinned values and values for the current task are left out.
    ///   - chain: The chain to ask, or `nil` for the one in force.
    func query(
        _ ordinal: Int, wantsDetails: Bool = true, isLive: Bool = false,
        in chain: FlagChain? = nil
    ) -> FlagQuery {
        FlagQuery(
            declaration: declarations[ordinal], ordinal: ordinal, chain: chain ?? self.chain,
            wantsDetails: wantsDetails, isLive: isLive)
    }

    /// Returns the first usable step, and reports values that the flag's type refuses.
    ///
    /// - Parameters:
    ///   - isLive: Whether pinned values and values for the current task are left out.
    ///   - chain: The chain to ask, or `nil` for the one in force.
    @inline(never) package func inspect(
        _ ordinal: Int, isLive: Bool = false, in chain: FlagChain? = nil
    ) -> FlagStep {
        firstUsableStep(of: query(ordinal, isLive: isLive, in: chain))
    }

    /// Returns the encoded value of a flag and its source. The value is `nil` if encoding it throws.
    ///
    /// - Parameter chain: The chain to ask, or `nil` for the one in force.
    package func inspectedValue(
        of ordinal: Int, in chain: FlagChain? = nil
    ) -> (value: EncodedFlagValue?, source: FlagSource) {
        let step = inspect(ordinal, in: chain)
        return (step.value.flatMap { declarations[ordinal].encode($0) }, step.source)
    }

    /// Returns the step of one provider, whatever its position in the resolution order.
    ///
    /// - Parameter isUse: Whether the value is used. Otherwise it is inspected, with its details.
    /// - Returns: `nil` if the provider is not in the chain or has no value that the flag can use.
    @inline(never) package func step(
        _ ordinal: Int, from selector: FlagProviderSelector, isUse: Bool
    ) -> FlagStep? {
        let query = query(ordinal, wantsDetails: !isUse)
        guard let link = query.chain.link(selector) else { return nil }
        let step = step(of: query, for: link)
        if case .refused(let error) = step.outcome { report(refused: error, by: step, ordinal) }
        return step.value == nil ? nil : step
    }

    private func firstUsableStep(of query: FlagQuery) -> FlagStep {
        var usable: FlagStep?
        withFirstUsableStep(of: query) { step, _, isLasting in
            usable = step
            usable?.isLasting = isLasting
        }
        return usable ?? FlagStep(.default, query.declaration.defaultValue)
    }

    /// Calls `body` once with the first usable step, its value, and whether it and the steps before it have the same
    /// outcome until the flag is invalidated. There always is a usable step, because the default has a value.
    ///
    /// It takes a closure because returning the step would copy it at each read.
    @inline(__always)
    private func withFirstUsableStep(of query: FlagQuery, _ body: (FlagStep, ErasedFlagValue, Bool) -> Void) {
        var isLasting = !FlagScope.isAnyActive && query.chain.revision > 0
        forEachStep(of: query) { step in
            isLasting = isLasting && step.isLasting
            if !issueLog.isEmpty { allowReport(of: step, query.ordinal) }
            switch step.outcome {
            case .value(let value, _):
                body(step, value, isLasting)
                return false
            case .refused(let error):
                report(refused: error, by: step, query.ordinal)
                return true
            case .absent, .excluded:
                return true
            }
        }
    }

    // MARK: Issues

    /// Forgets a refused value that the provider no longer has, so that it is reported if it returns.
    @inline(never) private func allowReport(of step: FlagStep, _ ordinal: Int) {
        guard case .provider(let link) = step.origin else { return }
        if case .refused = step.outcome { return }
        issueLog.resolve(.refusedValue, key: index.keyPaths[ordinal], provider: link.id)
    }

    @inline(never) private func report(refused error: FlagValueError, by step: FlagStep, _ ordinal: Int) {
        guard case .provider(let link) = step.origin else { return }
        let provider = link.id
        let key = index.keyPaths[ordinal]
        // The message of a value that is known is not worked out again.
        guard !issueLog.hasIssue(.refusedValue, key: key, provider: provider, value: error.found) else { return }
        let message = """
            Flag "\(key)", provider "\(provider)": \(error). The next provider was asked instead. Correct the value at \
            its source, or change the type of the flag.
            """
        issueLog.report(
            FlagIssue(.refusedValue, message: message, key: key, provider: provider, value: error.found),
            to: [reporter])
    }

    func report(cycle ordinals: [Int], of ordinal: Int) {
        let path = ordinals.map { $0 < 0 ? "(another loader)" : index.keyPaths[$0].text }
        let message = """
            Computed flags read each other in a cycle: \(path.joined(separator: " → ")). Each of them takes its \
            value from the providers instead, or its default. Remove one of these reads from its closure.
            """
        issueLog.report(FlagIssue(.cycle, message: message, key: index.keyPaths[ordinal]), to: [reporter])
    }

    func report(tooDeep ordinal: Int) {
        let key = index.keyPaths[ordinal]
        let message = """
            Flag "\(key)" is read by computed flags that are nested more than \(Evaluation.depthLimit) levels deep. It \
            takes its value from the providers instead, or its default. Compute these flags in fewer levels.
            """
        issueLog.report(FlagIssue(.tooDeep, message: message, key: key), to: [reporter])
    }

    func report(cycleThrough link: FlagChain.Link, ordinal: Int) {
        let key = index.keyPaths[ordinal]
        let message = """
            Provider "\(link.id)", or the type that decodes its value, was asked for the flag "\(key)" while it was \
            already answering for it, or more than \(Evaluation.depthLimit) levels deep, so it was skipped. Don't read \
            that flag in value(for:) or in init(encoded:).
            """
        issueLog.report(FlagIssue(.cycle, message: message, key: key, provider: link.id), to: [reporter])
    }
}
