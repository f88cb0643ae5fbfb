import Synchronization

/// The heart of a loader: its flags, its chain, and who answers when a flag has no kept value.
///
/// The loader holds it, and so do handles. When the last one lets go, the slots are given back.
package final class LoadedFlags: Sendable {
    package let index: FlagIndex
    package let flags: [FlagConstruction.FlagRecord]
    package let collections: [FlagConstruction.CollectionRecord]
    private let lists: [any FlagList]
    package let metadata: FlagMetadata
    package let reporter: FlagIssueReporter
    /// Mistakes in the declaration, found when the loader was made.
    package let issues: [FlagIssue]
    /// The root collection, for computed flags. It is made of pointers to slots and holds no reference to this object.
    package let root: any Sendable
    /// The type of the root collection.
    package let rootType: ObjectIdentifier
    /// What reflection did not find; its lives have to be ended too.
    private let unreachable: FlagConstruction.Result

    /// Decides whether the chain takes overrides.
    package let environment: FlagEnvironment
    let modeSwitch: FlagModeSwitch?
    /// Kept here, since the switch holds observers weakly.
    private let modeObserver: FlagProviderObserver
    let installed = Mutex(InstalledChain())
    private let defaults = Mutex<[Int: any Sendable]>([:])
    private let hasChangedDefaults = Atomic<Bool>(false)
    private let refusals = Mutex<[Refusal: EncodedFlagValue]>([:])
    private let hasRefusals = Atomic<Bool>(false)
    let invalidator: FlagInvalidator
    /// The values of flags that do not follow their chain at once.
    let holds = FlagHolds()
    /// Whether reads are registered with Observation.
    let isObserving = Atomic<Bool>(false)
    /// The flags that were read since then.
    let observedFlags = Mutex<Set<Int>>([])
    /// Follows changes for consumers.
    let changes = FlagChangeCenter()

    private struct Refusal: Hashable {
        let ordinal: Int
        let provider: String
    }

    init(
        _ plan: FlagLoadingPlan, root: any Sendable, metadata: FlagMetadata, environment: FlagEnvironment,
        modeSwitch: FlagModeSwitch?, reporter: FlagIssueReporter
    ) {
        index = plan.index
        flags = plan.flags
        collections = plan.collections
        lists = plan.lists
        unreachable = plan.unreachable
        issues = plan.issues
        invalidator = FlagInvalidator(index: plan.index, flags: plan.flags)
        self.root = root
        rootType = ObjectIdentifier(type(of: root))
        self.metadata = metadata
        self.reporter = reporter
        self.environment = environment
        self.modeSwitch = modeSwitch
        // Who switches the mode wants to see it.
        modeObserver = FlagProviderObserver { [invalidator, periods = holds.periods] _, wakes in
            periods.beginAll()
            invalidator.invalidateAll(waking: &wakes)
        }
        modeSwitch?.observe(modeObserver)
        let owner = FlagOwnerReference(self)
        for (ordinal, flag) in flags.enumerated() {
            flag.slot.bind(flag.declaration, to: owner, ordinal: ordinal)
        }
        for (ordinal, collection) in collections.enumerated() {
            collection.slot.bind(nil, to: owner, ordinal: ordinal)
        }
        invalidator.queue.setOwner(owner)
        FlagInvalidators.shared.add(invalidator)
    }

    deinit {
        FlagInvalidators.shared.remove(invalidator)
        for list in lists { list.endLife() }
        for flag in flags.reversed() { flag.slot.endLife(flag.life) }
        for collection in collections.reversed() { collection.slot.endLife(collection.life) }
        for flag in unreachable.flags { flag.slot.endLife(flag.life) }
        for collection in unreachable.collections { collection.slot.endLife(collection.life) }
        endObserving()
    }

    // MARK: Defaults

    /// Changes a default at run time, or restores the declared one with `nil`.
    package func setDefault<Value: FlagValue>(_ value: Value?, ordinal: Int) {
        let old = defaults.withLock { defaults in
            let old = defaults[ordinal]
            defaults[ordinal] = value
            hasChangedDefaults.store(!defaults.isEmpty, ordering: .releasing)
            return old
        }
        releaseHold(ofDefault: ordinal)
        invalidator.invalidate(ordinal)
        drainChanges(rounds: 1)
        withExtendedLifetime(old) {}
    }

    package func defaultValue<Value: FlagValue>(_ declaration: FlagDeclaration<Value>, ordinal: Int) -> Value {
        guard hasChangedDefaults.load(ordering: .acquiring) else { return declaration.defaultValue }
        // Without the guard, "no other default" would be cast to an optional flag's `nil`, which is a value.
        guard let changed = defaults.withLock({ $0[ordinal] }) else { return declaration.defaultValue }
        return changed as? Value ?? declaration.defaultValue
    }

    // MARK: Refused values

    /// Reports a refused value, once for each change of it.
    package func reportRefusal(_ error: FlagValueError, provider: String, key: FlagKeyPath, ordinal: Int) {
        let isNew = refusals.withLock { refusals in
            hasRefusals.store(true, ordering: .relaxed)
            return refusals.updateValue(error.found, forKey: Refusal(ordinal: ordinal, provider: provider))
                != error.found
        }
        guard isNew else { return }
        reporter.report(
            FlagIssue(
                .refusedValue,
                message: """
                    Flag "\(key)", provider "\(provider)": \(error). The next provider was asked instead. Correct the \
                    value at its source, or change the type of the flag.
                    """,
                key: key,
                provider: provider,
                value: error.found
            )
        )
    }

    /// Forgets what providers held that have left the chain, so that a chain which changes often costs no memory.
    func forgetRefusals(exceptOf ids: Set<String>) {
        guard hasRefusals.load(ordering: .relaxed) else { return }
        refusals.withLock { refusals in
            refusals = refusals.filter { ids.contains($0.key.provider) }
            hasRefusals.store(!refusals.isEmpty, ordering: .relaxed)
        }
    }

    /// Forgets a refused value that is gone, so that it is reported again when it returns.
    package func forgetRefusal(provider: String, ordinal: Int) {
        guard hasRefusals.load(ordering: .relaxed) else { return }
        refusals.withLock { refusals in
            refusals[Refusal(ordinal: ordinal, provider: provider)] = nil
            hasRefusals.store(!refusals.isEmpty, ordering: .relaxed)
        }
    }
}
