import Synchronization

// How a loader resolves its flags for reads and for inspections.

extension LoaderCore: FlagOwner {
    package func ordinal(ofFlagAt position: Int) -> Int? { flagOrdinals[position] < 0 ? nil : flagOrdinals[position] }

    package func ordinal(ofGroupAt position: Int) -> Int? {
        groupOrdinals[position] < 0 ? nil : groupOrdinals[position]
    }

    package func resolve(_ ordinal: Int) -> (value: ErasedFlagValue, encoded: EncodedFlagValue?, isLasting: Bool) {
        if let answer { return (answer(ordinal), nil, false) }
        let step = resolutionObservers.map { resolve(ordinal, for: $0) } ?? resolvedStep(ordinal)
        let value = step.value ?? declarations[ordinal].defaultValue
        if FlagScope.isAnyRecorded { recordRead(of: ordinal, value) }
        guard step.isLasting, case .node = value else { return (value, nil, step.isLasting) }
        return (value, step.encoded ?? encode(value, of: ordinal), true)
    }

    /// Passes a read to the recorder of a test, if there is one.
    @inline(never) private func recordRead(of ordinal: Int, _ value: ErasedFlagValue) {
        guard !ResolutionObservers.areSilent else { return }
        FlagScope.record(FlagKeyPath.Identity(root: rootType, ordinal: ordinal), declarations[ordinal], value)
    }

    /// Returns the step whose value a read is given.
    func resolvedStep(_ ordinal: Int) -> FlagStep {
        let query = query(ordinal, wantsDetails: false, isUse: true)
        guard query.declaration.updatePolicy != .live else { return firstUsableStep(of: query) }
        return resolvePinned(query.declaration, ordinal)
    }

    /// Resolves a flag for a read and pins its value.
    private func resolvePinned(_ declaration: FlagDeclaration, _ ordinal: Int) -> FlagStep {
        while true {
            let session = pins.session(for: declaration.updatePolicy)
            let chain = chain
            if let link = chain.taskDependent {
                report(pinnedPerTask: ordinal, by: link.id)
                return firstUsableStep(of: self.query(ordinal, wantsDetails: false, isUse: true, in: chain))
            }
            // A value that may be pinned is read with its details, which are pinned too.
            let isPinned = pins.value(of: declaration, ordinal) != nil
            let query = self.query(ordinal, wantsDetails: !isPinned, isUse: true, in: chain)
            // The scope may end while a closure uses a value that it has read in the scope.
            let isScoped = FlagScope.isCurrentTaskScoped && query.mayReadFlags
            var step = firstUsableStep(of: query)
            switch step.origin {
            case .pinned, .scope: return step
            case .provider(let link) where link.traits.contains(.overridesPins): return step
            case .computed, .provider, .default: break
            }
            // The pinned value ended meanwhile.
            guard !isPinned else { continue }
            // A value that may depend on the task's scope isn't pinned.
            guard !isScoped else {
                step.isLasting = false
                return step
            }
            let value = step.value ?? declaration.defaultValue
            let encoded = step.encoded ?? encode(value, of: ordinal)
            let new = PinnedFlagValue(
                value, encoded: encoded, source: step.source, evaluation: step.evaluation, session: session)
            guard let pinned = pins.pin(new, of: declaration, ordinal) else {
                // A new session began, or the subject changed, while the flag was resolved. The next read pins it.
                step.isLasting = false
                return step
            }
            // Asking for details inspected the flag, which a provider that counts uses doesn't count. Such a provider
            // gives details, so it is asked again, without them.
            if pinned === new, new.evaluation?.hasReasons == true, case .provider(let link) = step.origin {
                _ = self.step(of: self.query(ordinal, wantsDetails: false, isUse: true), for: link)
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
    ///   - isUse: Whether the value is given to a read, and not only inspected.
    ///   - chain: The chain to ask, or `nil` for the one in force.
    func query(
        _ ordinal: Int, wantsDetails: Bool = true, isLive: Bool = false, isUse: Bool = false,
        in chain: FlagChain? = nil
    ) -> FlagQuery {
        FlagQuery(
            declaration: declarations[ordinal], ordinal: ordinal, chain: chain ?? self.chain,
            wantsDetails: wantsDetails, isLive: isLive, isUse: isUse)
    }

    /// Returns the first usable step, and reports values that the flag's type refuses.
    ///
    /// - Parameters:
    ///   - isLive: Whether pinned values and values for the current task are left out.
    ///   - chain: The chain to ask, or `nil` for the one in force.
    @inline(never) package func inspect(
        _ ordinal: Int, isLive: Bool = false, in chain: FlagChain? = nil
    ) -> FlagStep {
        let query = query(ordinal, isLive: isLive, in: chain)
        return ResolutionObservers.inspecting(query) { firstUsableStep(of: query) }
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
        let query = query(ordinal, wantsDetails: !isUse, isUse: isUse)
        guard let link = query.chain.link(selector) else { return nil }
        let ask = { self.step(of: query, for: link) }
        let step = isUse ? ask() : ResolutionObservers.inspecting(query, ask)
        if case .refused(let error) = step.outcome { report(refused: error, by: step, ordinal) }
        return step.value == nil ? nil : step
    }

    @inline(never) private func firstUsableStep(of query: FlagQuery) -> FlagStep {
        var isLasting = !FlagScope.isAnyActive
        var step = firstStep(of: query) { step in
            isLasting = isLasting && step.isLasting
            if !issueLog.isEmpty { allowReport(of: step, query.ordinal) }
            switch step.outcome {
            case .value: return true
            case .absent, .excluded: return false
            case .refused(let error):
                report(refused: error, by: step, query.ordinal)
                return false
            }
        }
        step.isLasting = isLasting
        return step
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
        let error = error.withoutValue(if: declarations[ordinal].metadata.isSecret)
        // The message of a value that is known is not worked out again.
        guard !issueLog.hasIssue(.refusedValue, key: key, provider: provider, value: error.found) else { return }
        let advice = error.isHeldBack ? "or release it in the launch guard" : "or change the type of the flag"
        let message = """
            Flag "\(key)", provider "\(provider)": \(error). The next provider was asked instead. Correct the value at \
            its source, \(advice).
            """
        issueLog.report(
            FlagError(.refusedValue, message, key: key, provider: provider, value: error.found),
            to: [reporter])
    }

    @inline(never) private func report(pinnedPerTask ordinal: Int, by provider: String) {
        let key = index.keyPaths[ordinal]
        guard !issueLog.hasIssue(.pinnedPerTask, key: key, provider: provider, value: nil) else { return }
        let message = """
            Flag "\(key)" is to be pinned (updatePolicy: .\(declarations[ordinal].updatePolicy.caseName)), but the chain \
            has provider "\(provider)", whose answers differ from task to task. It is not pinned, so that no task reads \
            the value of another one. Declare the flag with updatePolicy: .live.
            """
        issueLog.report(FlagError(.pinnedPerTask, message, key: key, provider: provider), to: [reporter])
    }

    func report(cycle ordinals: [Int], of ordinal: Int) {
        let path = ordinals.map { $0 < 0 ? "(another loader)" : index.keyPaths[$0].text }
        let message = """
            Computed flags read each other in a cycle: \(path.joined(separator: " → ")). Each of them takes its \
            value from the providers instead, or its default. Remove one of these reads from its closure.
            """
        issueLog.report(FlagError(.cycle, message, key: index.keyPaths[ordinal]), to: [reporter])
    }

    func report(tooDeep ordinal: Int) {
        let key = index.keyPaths[ordinal]
        let message = """
            Flag "\(key)" is read by computed flags that are nested more than \(Evaluation.depthLimit) levels deep. It \
            takes its value from the providers instead, or its default. Compute these flags in fewer levels.
            """
        issueLog.report(FlagError(.tooDeep, message, key: key), to: [reporter])
    }

    func report(cycleThrough link: FlagChain.Link, ordinal: Int) {
        let key = index.keyPaths[ordinal]
        let message = """
            Provider "\(link.id)", or the type that decodes its value, was asked for the flag "\(key)" while it was \
            already answering for it, or more than \(Evaluation.depthLimit) levels deep, so it was skipped. Don't read \
            that flag in value(for:) or in init(encoded:).
            """
        issueLog.report(FlagError(.cycle, message, key: key, provider: link.id), to: [reporter])
    }
}
