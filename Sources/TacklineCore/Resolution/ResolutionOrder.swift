/// The parameters of one resolution: the flag, the chain to ask, and the purpose.
package struct FlagQuery {
    enum Purpose {
        /// The value is given to a read.
        case use
        /// The value is shown, and providers are asked for their evaluations. A provider that counts uses doesn't count
        /// that.
        case inspection
        /// The same, without pinned values and values for the current task.
        case liveInspection
    }

    let declaration: FlagDeclaration
    let ordinal: Int
    let chain: FlagChain
    let purpose: Purpose

    /// Whether the flag's closure or a provider may read other flags, whose values only the current task may have.
    var mayReadFlags: Bool { declaration.isComputed || !chain.links.allSatisfy(\.notifiesObservers) }
}

/// A guard that holds values of providers back: the launch guard.
///
/// Call the methods from any thread, and hold no lock. A loader asks its guard about each value of a provider, before
/// the flag's type decodes it.
package protocol FlagValueGuard: AnyObject, Sendable {
    /// Returns the reason why a value is held back, as a phrase, or `nil` if it may be used.
    func reasonToHoldBack(_ value: EncodedFlagValue, for key: FlagKeyPath, from provider: String) -> String?

    /// Returns the reason why a value is held back. If it isn't, records that a read is about to use it.
    func admit(_ value: EncodedFlagValue, for key: FlagKeyPath, from provider: String) -> String?

    /// Returns whether any value of a provider is held back.
    func holdsBackValues(of provider: String) -> Bool

    /// Holds back no value of a flag any more.
    ///
    /// - Throws: ``FlagError`` if that can't be stored. It applies to this process only then.
    func release(_ key: FlagKeyPath) throws(FlagError)

    /// Adds an observer, which is held weakly and receives a reset when values have been released.
    func observe(_ observer: FlagProviderObserver)
}

/// A provider with a fingerprint of its content, which the launch guard compares.
///
/// It is asked only in a loader with a guard.
package protocol FingerprintedProvider: FlagProvider {
    /// A hash of the parsed content as it came and of the targeting key, or `nil` if there is no content.
    ///
    /// It is the same in every process. Of a rules document it is that of the rules and not of their values. The member
    /// `$version` is no part of it.
    var fingerprint: UInt64? { get }
}

extension LoaderCore {
    /// Returns the first step in resolution order that satisfies a condition, or else the last one, which is the
    /// default.
    ///
    /// This function is the only place that defines the resolution order. A read uses the first usable step, a
    /// resolution the first usable step with the provider's evaluation, and an explanation all steps. Pinned values,
    /// snapshots, sequences of changes, features, browsers and the scopes of tests are built on the same function. To
    /// change the order or to add a step, edit this function and ``FlagStep``, and add a row to the table of
    /// `ResolutionOrderTests`.
    ///
    /// A provider is asked only when its step is reached, so providers after the first usable value aren't asked. The
    /// function runs code of providers and computed flags, so the caller must hold no lock.
    // Inlined, so that the closure need not retain what it captures.
    @inline(__always) func firstStep(of query: FlagQuery, where isWanted: (FlagStep) -> Bool) -> FlagStep {
        let isLive = query.purpose == .liveInspection
        // 1. A value that a test has set for the current task.
        if !isLive, FlagScope.isAnyActive, let value = scopedValue(of: query) {
            let step = FlagStep(.scope, .value(value))
            if isWanted(step) { return step }
        }
        let result = Evaluation.run(self, query.ordinal, isInspection: query.purpose != .use) {
            evaluation -> FlagStep in
            // 2. A pinned value. Only overrides above its provider take precedence over it.
            // The overrides among this many links have been asked.
            var overridesAsked = 0
            if !isLive, query.declaration.updatePolicy != .live,
                let pinned = pins.value(of: query.declaration, query.ordinal)
            {
                overridesAsked = query.chain.position(above: pinned.source)
                for link in query.chain.links.prefix(overridesAsked) where link.traits.contains(.overridesPins) {
                    let step = unsafe step(of: query, for: link, evaluation)
                    if isWanted(step) { return step }
                }
                let step = FlagStep(.pinned(pinned), .value(pinned.value), isSecret: pinned.isSecret)
                if isWanted(step) { return step }
            }
            // 3. The flag's own computed value.
            if query.declaration.isComputed {
                let step = unsafe computedStep(of: query, evaluation)
                if isWanted(step) { return step }
            }
            // 4. The providers, from the first to the last, each asked once.
            for (position, link) in query.chain.links.enumerated()
            where position >= overridesAsked || !link.traits.contains(.overridesPins) {
                let step = unsafe step(of: query, for: link, evaluation)
                if isWanted(step) { return step }
            }
            // 5. The default.
            return FlagStep(.default, .value(defaultValue(of: query.ordinal)))
        }
        return result ?? defaultStep(tooDeep: query.ordinal)
    }

    // MARK: The parts of a step

    @inline(never) private func scopedValue(of query: FlagQuery) -> ErasedFlagValue? {
        let identity = FlagKeyPath.Identity(root: rootType, ordinal: query.ordinal)
        return FlagScope.value(of: query.declaration.valueType, for: identity)
    }

    @inline(never) private func computedStep(of query: FlagQuery, _ evaluation: Evaluation.Pointer) -> FlagStep {
        let ordinal = query.ordinal
        var value: ErasedFlagValue?
        let result = unsafe Evaluation.call(Evaluation.closure, in: evaluation) {
            query.declaration.computation?.value(root)
        }
        switch result {
        case .success(let result):
            value = result
            if mayHaveIssues {
                for code in [FlagError.Code.cycle, .tooDeep] { reporter.resolve(code, key: index.keyPaths[ordinal]) }
            }
        case .partOfCycle: break
        case .cycle(let ordinals): report(cycle: ordinals, of: ordinal)
        }
        return unsafe FlagStep(
            .computed, value.map { .value($0) } ?? .absent, isSecret: evaluation.pointee.hasReadSecret)
    }

    /// Returns the step of one provider. The provider isn't asked if the flag or the mode excludes it.
    @inline(__always) func step(
        of query: FlagQuery, for link: FlagChain.Link, _ evaluation: Evaluation.Pointer
    ) -> FlagStep {
        guard query.chain.isAsked(link), !query.declaration.excludedProviderTypes.contains(link.type) else {
            return FlagStep(.provider(link), .excluded)
        }
        // Decoding is part of the call, because the flag's type may read flags too.
        let result = unsafe Evaluation.call(link.number, in: evaluation) { () -> FlagStep in
            if query.purpose == .use {
                let value = link.provider.value(for: index.keyPaths[query.ordinal])
                return FlagStep(.provider(link), outcome(value, of: query, link))
            }
            let answer = link.provider.inspectedEvaluation(for: index.keyPaths[query.ordinal])
            return FlagStep(.provider(link), outcome(answer.value, of: query, link), evaluation: answer)
        }
        guard case .success(var step) = result else { return cyclicStep(link, query.ordinal) }
        if unsafe evaluation.pointee.hasReadSecret { step.isSecret = true }
        return step
    }

    /// Returns the step of a provider that is being asked for the flag already.
    @inline(never) private func cyclicStep(_ link: FlagChain.Link, _ ordinal: Int) -> FlagStep {
        report(cycleThrough: link, ordinal: ordinal)
        var step = FlagStep(.provider(link), .absent)
        // Otherwise the answer without the provider would be cached, and that of the outer resolution would not.
        step.isLasting = false
        return step
    }

    /// Returns the step of a flag that is read by too many nested flags.
    @inline(never) private func defaultStep(tooDeep ordinal: Int) -> FlagStep {
        report(tooDeep: ordinal)
        var step = FlagStep(.default, .value(defaultValue(of: ordinal)))
        step.isLasting = false
        return step
    }

    /// Returns the outcome of a provider's value. The launch guard is asked first, because a value may stop the program
    /// while it is decoded.
    @inline(__always) private func outcome(
        _ value: EncodedFlagValue?, of query: FlagQuery, _ link: FlagChain.Link
    ) -> FlagStep.Outcome {
        guard let value else { return .absent }
        if let launchGuard, let refusal = refusal(of: value, by: launchGuard, query, link) { return .refused(refusal) }
        if case .null = value, !query.declaration.takesNull { return .absent }
        do throws(FlagValueError) {
            return .value(try query.declaration.decode(value))
        } catch {
            return .refused(error)
        }
    }

    @inline(never) private func refusal(
        of value: EncodedFlagValue, by launchGuard: any FlagValueGuard, _ query: FlagQuery, _ link: FlagChain.Link
    ) -> FlagValueError? {
        let key = index.keyPaths[query.ordinal]
        let reason =
            query.purpose == .use
            ? launchGuard.admit(value, for: key, from: link.id)
            : launchGuard.reasonToHoldBack(value, for: key, from: link.id)
        return reason.map { .heldBack(value, reason: $0) }
    }
}

/// A step of the resolution order and its outcome.
package struct FlagStep: Sendable {
    package enum Origin: Sendable {
        /// A value for the current task.
        case scope
        case pinned(PinnedFlagValue)
        case computed
        case provider(FlagChain.Link)
        case `default`
    }

    package enum Outcome: Sendable {
        /// A usable value.
        case value(ErasedFlagValue)
        /// The provider or the flag's closure has no value.
        case absent
        /// The provider was not asked.
        case excluded
        /// The flag's type or the launch guard refuses the provider's value.
        indirect case refused(FlagValueError)
    }

    /// An evaluation behind a reference. The steps of a read have none and stay small in this way.
    private final class Answer: Sendable {
        let evaluation: FlagEvaluation
        init(_ evaluation: FlagEvaluation) { self.evaluation = evaluation }
    }

    package let origin: Origin
    package let outcome: Outcome
    private let answer: Answer?
    /// Whether the step has the same outcome until the flag is invalidated. For a step that was chosen as the first
    /// usable one, whether those before it do, too.
    package var isLasting: Bool
    /// Whether the closure or the provider has read a secret flag.
    package var isSecret: Bool

    init(_ origin: Origin, _ outcome: Outcome, evaluation: FlagEvaluation? = nil, isSecret: Bool = false) {
        self.origin = origin
        self.outcome = outcome
        self.isSecret = isSecret
        answer = evaluation.map { Answer($0) }
        isLasting =
            switch origin {
            case .pinned, .default: true
            case .scope, .computed: false
            case .provider(let link): if case .excluded = outcome { true } else { link.notifiesObservers }
            }
    }

    /// The value, or `nil` if the step has none that the flag can use.
    package var value: ErasedFlagValue? { if case .value(let value) = outcome { value } else { nil } }

    /// The source of the value. That of a pinned value is the source from which it was pinned.
    package var source: FlagSource {
        switch origin {
        case .scope: .scope
        case .pinned(let pinned): pinned.source
        case .computed: .computed
        case .provider(let link): .provider(link.id)
        case .default: .default
        }
    }

    /// The provider's evaluation, or `nil` if it was not asked for.
    package var evaluation: FlagEvaluation? {
        if case .pinned(let pinned) = origin { pinned.evaluation } else { answer?.evaluation }
    }

    package var isPinned: Bool { if case .pinned = origin { true } else { false } }
}
