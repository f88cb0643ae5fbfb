/// The parameters of one resolution: the flag, the chain to ask, and the purpose.
struct FlagQuery {
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
    /// Gives evaluations in place of providers. Only an inspection has it.
    var substitute: FlagChain.Substitute?
}

/// A guard that holds contents of providers back: the launch guard.
///
/// Call the methods from any thread, and hold no lock. A loader asks its guard about the content of a
/// ``FingerprintedProvider`` with each of its values, before the flag's type decodes it.
package protocol FlagContentGuard: AnyObject, Sendable {
    /// Returns the reason why the content of a provider is held back, as a phrase, or `nil` if it may be used. It is noted
    /// if a read is about to use it.
    func reasonToHoldBack(_ provider: any FingerprintedProvider, id: String, isUse: Bool) -> String?

    /// Returns whether a content of a provider is held back.
    func holdsBack(_ provider: String) -> Bool

    /// Releases the contents of a provider.
    ///
    /// - Throws: ``FlagError`` if that can't be stored. It applies to this process only then.
    func release(_ provider: String?) throws(FlagError)

    /// Adds an observer, which is held weakly and receives a reset when contents have been released.
    func observe(_ observer: FlagProviderObserver)
}

/// A provider with a fingerprint of its content, which the launch guard compares.
package protocol FingerprintedProvider: FlagProvider {
    /// A hash of the parsed content as it came and of the targeting key, or `nil` if there is no content.
    ///
    /// It is the same in every process. Of a rules document it is that of the rules and not of their values. The member
    /// `$version` is no part of it.
    var fingerprint: UInt64? { get }
    /// The targeting key, or `nil` if the content is for everybody.
    var fingerprintSubject: String? { get }
}

extension FingerprintedProvider {
    package var fingerprintSubject: String? { nil }
}

extension LoaderCore {
    /// Calls a closure with each step in resolution order, of which the last one is the default, until it returns a
    /// result.
    ///
    /// This function is the only place that defines the resolution order. A read uses the first usable step, a
    /// resolution the first usable step with the provider's evaluation, and an explanation all steps. Pinned values,
    /// snapshots, sequences of changes, features, browsers and the scopes of tests are built on the same function. To
    /// change the order or to add a step, edit this function and ``FlagStep``, and add a row to the table of
    /// `ResolutionOrderTests`.
    ///
    /// A provider is asked only when its step is reached, so providers after the first usable value aren't asked. The
    /// function runs code of providers and computed flags, so the caller must hold no lock.
    // Inlined, because a read then makes no steps: its closure needs their values only.
    @inline(__always) func firstResult<Result>(of query: FlagQuery, _ body: (FlagStep) -> Result?) -> Result? {
        let isLive = query.purpose == .liveInspection
        // 1. A value that a test has set for the current task.
        if !isLive, FlagScope.isAnyActive, let value = scopedValue(of: query),
            let result = body(FlagStep(origin: .scope, outcome: .value(value), isLasting: false))
        {
            return result
        }
        return Evaluation.run(self, query.ordinal, isInspection: query.purpose != .use) { evaluation in
            // 2. A pinned value. Only overrides above its provider take precedence over it.
            // The overrides among this many links have been asked.
            var overridesAsked = 0
            if !isLive, query.declaration.updatePolicy != .live,
                let pinned = pins.value(of: query.ordinal, query.declaration.updatePolicy)
            {
                overridesAsked = query.chain.position(above: pinned.source)
                for link in query.chain.links.prefix(overridesAsked) where link.traits.contains(.overridesPins) {
                    if let result = unsafe body(rareStep(of: query, for: link, evaluation)) { return result }
                }
                let step = FlagStep(
                    origin: .pinned(pinned), outcome: .value(pinned.value), isLasting: true, isSecret: pinned.isSecret)
                if let result = body(step) { return result }
            }
            // 3. The flag's own computed value.
            if let computation = query.declaration.computation,
                let result = unsafe body(computedStep(of: query, computation, evaluation))
            {
                return result
            }
            // 4. The providers, from the first to the last, each asked once.
            for (position, link) in query.chain.links.enumerated() {
                if position < overridesAsked, link.traits.contains(.overridesPins) { continue }
                if let result = unsafe body(step(of: query, for: link, evaluation)) { return result }
            }
            // 5. The default.
            return body(defaultStep(of: query))
        }
    }

    // MARK: The parts of a step

    @inline(never) private func scopedValue(of query: FlagQuery) -> ErasedFlagValue? {
        FlagScope.value(of: query.declaration.valueType, for: .init(root: rootType, ordinal: query.ordinal))
    }

    @inline(__always) func defaultStep(of query: FlagQuery) -> FlagStep {
        FlagStep(origin: .default, outcome: .value(defaultValue(of: query.ordinal)), isLasting: true)
    }

    @inline(never) private func computedStep(
        of query: FlagQuery, _ computation: FlagComputation, _ evaluation: Evaluation.Pointer
    ) -> FlagStep {
        var value: ErasedFlagValue?
        if let cycle = unsafe evaluation.pointee.begin(nil) {
            report(cycle: cycle, of: query.ordinal)
        } else {
            value = computation.value(root)
            if unsafe evaluation.pointee.isInCycle {
                value = nil
            } else if mayHaveIssues {
                reporter.resolve(.cycle, key: keyPaths[query.ordinal])
            }
        }
        return unsafe FlagStep(
            origin: .computed, outcome: value.map { .value($0) } ?? .absent, isLasting: false,
            isSecret: evaluation.pointee.hasReadSecret)
    }

    /// Returns the step of one provider. The provider isn't asked if the flag or the mode excludes it, or if it is being
    /// asked for the flag already.
    @inline(__always) func step(
        of query: FlagQuery, for link: consuming FlagChain.Link, _ evaluation: Evaluation.Pointer
    ) -> FlagStep {
        var (outcome, answer, isLasting) = (FlagStep.Outcome.excluded, FlagStep.Answer.none, true)
        if query.chain.isAsked(link), !query.declaration.excludedProviderTypes.contains(link.type) {
            if unsafe evaluation.pointee.begin(link) != nil {
                report(cycleThrough: link, ordinal: query.ordinal)
                // Otherwise the answer without the provider would be cached, and that of the outer resolution would not.
                (outcome, isLasting) = (.absent, false)
            } else {
                // Decoding is part of the call, because the flag's type may read flags too.
                outcome = self.outcome(value(of: query, for: link, &answer), of: query, link)
                isLasting = link.notifiesObservers
            }
        }
        return unsafe FlagStep(
            origin: .provider(link), outcome: outcome, answer: answer, isLasting: isLasting,
            isSecret: evaluation.pointee.hasReadSecret)
    }

    /// The same, for a step that few reads have.
    @inline(never) func rareStep(
        of query: FlagQuery, for link: FlagChain.Link, _ evaluation: Evaluation.Pointer
    ) -> FlagStep {
        unsafe step(of: query, for: link, evaluation)
    }

    @inline(__always) private func value(
        of query: FlagQuery, for link: FlagChain.Link, _ answer: inout FlagStep.Answer
    ) -> EncodedFlagValue? {
        let key = keyPaths[query.ordinal]
        if query.purpose == .use { return link.provider.value(for: key) }
        let evaluation = query.substitute?(link, key) ?? link.provider.evaluation(for: key)
        answer = .given(evaluation)
        return evaluation.value
    }

    /// Returns the outcome of a provider's value. The launch guard is asked first, because a value may stop the program
    /// while it is decoded.
    @inline(__always) private func outcome(
        _ value: EncodedFlagValue?, of query: FlagQuery, _ link: FlagChain.Link
    ) -> FlagStep.Outcome {
        guard let value else { return .absent }
        if let launchGuard = installedChain.launchGuard, let refusal = refusal(of: value, by: launchGuard, query, link)
        {
            return .refused(refusal)
        }
        if case .null = value, !query.declaration.takesNull { return .absent }
        do throws(FlagValueError) {
            return .value(try query.declaration.decode(value))
        } catch {
            return .refused(error)
        }
    }

    @inline(never) private func refusal(
        of value: EncodedFlagValue, by launchGuard: any FlagContentGuard, _ query: FlagQuery, _ link: FlagChain.Link
    ) -> FlagValueError? {
        guard let provider = link.provider as? any FingerprintedProvider else { return nil }
        let reason = launchGuard.reasonToHoldBack(provider, id: link.id, isUse: query.purpose == .use)
        return reason.map { .heldBack(value, reason: $0) }
    }
}

/// A step of the resolution order and its outcome.
package struct FlagStep: Sendable {
    package enum Origin: Sendable {
        /// A value for the current task.
        case scope
        indirect case pinned(PinnedFlagValue)
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

    /// A provider's evaluation, if it was asked for. It is behind a reference, so that the steps of a read stay small.
    indirect enum Answer: Sendable { case none, given(FlagEvaluation) }

    package let origin: Origin
    package let outcome: Outcome
    var answer = Answer.none
    /// Whether the step has the same outcome until the flag is invalidated. For a step that was chosen as the first
    /// usable one, whether those before it do, too.
    package var isLasting: Bool
    /// Whether the closure or the provider has read a secret flag.
    package var isSecret = false

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
        if case .pinned(let pinned) = origin { return pinned.evaluation }
        return if case .given(let evaluation) = answer { evaluation } else { nil }
    }

    package var isPinned: Bool { if case .pinned = origin { true } else { false } }
}
