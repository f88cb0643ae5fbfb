import Synchronization

extension LoaderCore: FlagOwner {
    package func ordinal(of number: Int, isGroup: Bool) -> Int? {
        let ordinal = isGroup ? index.shape.groupOrdinals[number] : index.shape.flagOrdinals[number]
        return ordinal < 0 ? nil : ordinal
    }

    package func resolve(
        _ ordinal: Int, isObserved: Bool
    ) -> (value: ErasedFlagValue, encoded: EncodedFlagValue?, isLasting: Bool) {
        // Its declaration is not put in a variable, which would count a reference at each read.
        let query = query(ordinal, for: .use)
        if let answer { return (answer(ordinal, query.declaration), nil, false) }
        let version = isObserved ? tracker.changeCount : 0
        if query.declaration.isSecret { Evaluation.noteSecret() }
        var (value, isLasting) = (query.declaration.defaultValue, true)
        if resolutionObservers == nil, query.declaration.updatePolicy == .live {
            value = firstUsable(of: query, isLasting: &isLasting) { $0.value } ?? value
        } else {
            let step = resolutionObservers.map { resolve(ordinal, for: $0) } ?? resolvedStep(ordinal)
            (value, isLasting) = (step.value ?? value, step.isLasting)
        }
        if isObserved, let queue = tracker.observed.withLock({ $0?.queue }) {
            queue.flagWasRead(ordinal, of: self, value, version: version)
        }
        if FlagScope.isAnyActive, !Evaluation.isInspecting {
            FlagScope.record(FlagKeyPath.Identity(root: rootType, ordinal: ordinal), query.declaration, value)
        }
        // A flag that is made of a secret one is secret too, which a read of a cached value would hide.
        guard isLasting, !query.declaration.isSecret else { return (value, nil, false) }
        guard case .node = value else { return (value, nil, true) }
        return (value, query.declaration.encode(value), true)
    }

    /// Resolves a flag for a read and passes the answer to the loader's observers.
    private func resolve(_ ordinal: Int, for observers: ResolutionObservers) -> FlagStep {
        // Before the providers are asked, so that a value for a former subject isn't taken for one of the present.
        let session = pins.session(for: .session)
        var step = resolvedStep(ordinal)
        guard !Evaluation.isInspecting else {
            // A cached value would be at hand for the next read, which would not be passed on.
            step.isLasting = false
            return step
        }
        let declaration = declarations[ordinal]
        var flag = FlagResolution(
            key: keyPaths[ordinal], value: declaration.encode(step.value ?? declaration.defaultValue) ?? .null,
            source: step.source, evaluation: evaluation(of: step, ordinal), metadata: metadata(of: ordinal, step))
        flag.declaration = declaration
        let isForTask =
            if case .provider(let link) = step.origin { link.traits.contains(.taskDependent) } else { false }
        observers.pass(flag, ordinal, session: session, isForTask: isForTask)
        return step
    }

    /// Resolves a flag for a read, and pins its value unless it is live.
    @inline(never) private func resolvedStep(_ ordinal: Int) -> FlagStep {
        let declaration = declarations[ordinal]
        let policy = declaration.updatePolicy
        if policy == .live { return firstUsableStep(of: query(ordinal, for: .use)) }
        while true {
            let session = pins.session(for: policy)
            let query = query(ordinal, for: .use)
            if let link = query.chain.taskDependent {
                report(pinnedPerTask: ordinal, by: link.id)
                return firstUsableStep(of: query)
            }
            // The scope may end while a closure or a provider uses a value that it has read in the scope.
            let isScoped =
                FlagScope.isCurrentTaskScoped
                && (declaration.isComputed || !query.chain.links.allSatisfy(\.notifiesObservers))
            var step = firstUsableStep(of: query)
            switch step.origin {
            case .pinned, .scope: return step
            case .provider(let link) where link.traits.contains(.overridesPins): return step
            case .computed, .provider, .default: break
            }
            let new = PinnedFlagValue(
                value: step.value ?? declaration.defaultValue, source: step.source,
                evaluation: evaluation(of: step, ordinal), isSecret: step.isSecret, session: session)
            guard !isScoped, pins.pin(new, of: ordinal, policy) else {
                // The value may depend on the task's scope, or a new session began, or the subject changed, while the flag
                // was resolved. A later read pins it.
                step.isLasting = false
                return step
            }
            // Observers of a change in the meantime read the flag while it was unpinned, so it is invalidated again.
            // The next round reads the value that is pinned now, which may be another thread's.
            tracker.invalidate(CollectionOfOne(ordinal))
        }
    }

    /// Returns the evaluation of the provider that a read's value comes from, which is asked for it now. It has no reasons
    /// if the provider has another value by now.
    private func evaluation(of step: FlagStep, _ ordinal: Int) -> FlagEvaluation? {
        guard case .provider(let link) = step.origin, let value = step.value else { return step.evaluation }
        let encoded = declarations[ordinal].encode(value)
        let answer = self.step(of: query(ordinal, for: .inspection), for: link)
        return self.encoded(answer, ordinal) == encoded ? answer.evaluation : FlagEvaluation(value: encoded)
    }

    @inline(__always) func query(_ ordinal: Int, for purpose: FlagQuery.Purpose) -> FlagQuery {
        FlagQuery(declaration: declarations[ordinal], ordinal: ordinal, chain: chain, purpose: purpose)
    }

    /// Returns the first usable step of an inspection.
    ///
    /// - Parameter isLive: Whether pinned values and values for the current task are left out.
    @inline(never) package func inspect(
        _ ordinal: Int, isLive: Bool = false, substitute: FlagChain.Substitute? = nil
    ) -> FlagStep {
        var query = query(ordinal, for: isLive ? .liveInspection : .inspection)
        query.substitute = substitute
        return firstUsableStep(of: query)
    }

    package func encoded(_ step: FlagStep, _ ordinal: Int) -> EncodedFlagValue? {
        step.value.flatMap { declarations[ordinal].encode($0) }
    }

    /// Returns the step of one provider, whatever its position in the resolution order.
    ///
    /// - Returns: `nil` if the provider is not in the chain or has no value that the flag can use.
    @inline(never) func step(
        _ ordinal: Int, from selector: FlagProviderSelector, for purpose: FlagQuery.Purpose
    ) -> FlagStep? {
        let query = query(ordinal, for: purpose)
        guard let link = query.chain.link(selector) else { return nil }
        let step = step(of: query, for: link)
        if case .refused(let error) = step.outcome { report(refused: error, by: step, ordinal) }
        return step.value == nil ? nil : step
    }

    private func step(of query: FlagQuery, for link: FlagChain.Link) -> FlagStep {
        Evaluation.run(self, query.ordinal, isInspection: query.purpose != .use) { evaluation in
            unsafe rareStep(of: query, for: link, evaluation)
        }
    }

    @inline(never) private func firstUsableStep(of query: FlagQuery) -> FlagStep {
        var isLasting = true
        // There always is one, because the default has a value.
        var step = firstUsable(of: query, isLasting: &isLasting) { $0 } ?? defaultStep(of: query)
        step.isLasting = isLasting
        return step
    }

    /// Returns the result of a closure for the first usable step, and reports refused values after the providers were asked.
    ///
    /// - Parameter isLasting: Receives whether that step and those before it have the same outcomes until the flag is
    ///   invalidated.
    @inline(__always) private func firstUsable<Result>(
        of query: FlagQuery, isLasting: inout Bool, _ body: (FlagStep) -> Result?
    ) -> Result? {
        isLasting = !FlagScope.isAnyActive
        var refused: [(error: FlagValueError, step: FlagStep)] = []
        defer { for (error, step) in refused { report(refused: error, by: step, query.ordinal) } }
        return firstResult(of: query) { step in
            isLasting = isLasting && step.isLasting
            if case .refused(let error) = step.outcome {
                refused.append((error, step))
                return nil
            }
            if mayHaveIssues { allowReport(of: step, query.ordinal) }
            return if case .value = step.outcome { body(step) } else { nil }
        }
    }

    // MARK: Issues

    /// Whether the loader may have reported an issue that has not been resolved.
    var mayHaveIssues: Bool { hasReported.load(ordering: .relaxed) && !reporter.isEmpty }

    /// Reports an issue that a later read may resolve.
    func report(_ issue: FlagError) {
        hasReported.store(true, ordering: .relaxed)
        reporter.report(issue)
    }

    /// Forgets a refused value that the provider no longer has, so that it is reported if it returns.
    @inline(never) private func allowReport(of step: FlagStep, _ ordinal: Int) {
        guard case .provider(let link) = step.origin else { return }
        reporter.resolve(.refusedValue, key: keyPaths[ordinal], provider: link.id)
    }

    @inline(never) private func report(refused error: FlagValueError, by step: FlagStep, _ ordinal: Int) {
        guard case .provider(let link) = step.origin else { return }
        let (provider, key) = (link.id, keyPaths[ordinal])
        let isSecret = declarations[ordinal].isSecret || step.isSecret
        let error = error.withoutValue(if: isSecret)
        let value = isSecret ? nil : error.found
        if let known = reporter.issues(.refusedValue, key: key, provider: provider).last {
            // The message of a value that is known is not worked out again.
            if known.value == value { return hasReported.store(true, ordering: .relaxed) }
            reporter.resolve(.refusedValue, key: key, provider: provider)
        }
        let advice = error.isHeldBack ? "or release it in the launch guard" : "or change the type of the flag"
        let message = """
            Flag "\(key)", provider "\(provider)": \(error). The next provider was asked instead. Correct the value at \
            its source, \(advice).
            """
        var issue = FlagError(.refusedValue, message, key: key, provider: provider, value: value)
        issue.isSecret = isSecret
        report(issue)
    }

    @inline(never) private func report(pinnedPerTask ordinal: Int, by provider: String) {
        let key = keyPaths[ordinal]
        guard reporter.issues(.pinnedPerTask, key: key, provider: provider).isEmpty else { return }
        let message = """
            Flag "\(key)" is to be pinned (update policy \(declarations[ordinal].updatePolicy)), but the chain \
            has provider "\(provider)", whose answers differ from task to task. It is not pinned, so that no task reads \
            the value of another one. Declare the flag with updatePolicy: .live.
            """
        report(FlagError(.pinnedPerTask, message, key: key, provider: provider))
    }

    func report(cycle ordinals: [Int], of ordinal: Int) {
        let path = ordinals.map { $0 < 0 ? "(another loader)" : keyPaths[$0].text }
        let message = """
            Computed flags read each other in a cycle: \(path.joined(separator: " → ")). Each of them takes its \
            value from the providers instead, or its default. Remove one of these reads from its closure.
            """
        report(FlagError(.cycle, message, key: keyPaths[ordinal]))
    }

    func report(cycleThrough link: FlagChain.Link, ordinal: Int) {
        let key = keyPaths[ordinal]
        let message = """
            Provider "\(link.id)", or the type that decodes its value, was asked for the flag "\(key)" while it was \
            already answering for it, so it was skipped. Don't read that flag in value(for:) or in init(encoded:).
            """
        report(FlagError(.cycle, message, key: key, provider: link.id))
    }
}
