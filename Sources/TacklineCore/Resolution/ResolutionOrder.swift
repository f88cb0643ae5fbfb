/// The parameters of one resolution: the flag, the chain to ask, and how to ask it.
package struct FlagQuery {
    let declaration: FlagDeclaration
    let ordinal: Int
    let chain: FlagChain
    /// Whether providers are asked for details. This inspects the flag, so a provider that counts uses doesn't count
    /// the call.
    let wantsDetails: Bool
    /// Whether pinned values and values for the current task are left out.
    let isLive: Bool
    /// Whether the value is given to a read, and not only inspected.
    let isUse: Bool

    /// Whether the flag's closure or a provider may read other flags, whose values only the current task may have.
    var mayReadFlags: Bool { declaration.isComputed || !chain.links.allSatisfy(\.notifiesObservers) }
}

extension LoaderCore {
    /// Returns the first step in resolution order that satisfies a condition, or else the last one, which is the
    /// default.
    ///
    /// This function is the only place that defines the resolution order. A read uses the first usable step, a
    /// resolution the first usable step with its details, and an explanation all steps. Pinned values, snapshots,
    /// sequences of changes, features, browsers and the scopes of tests are built on the same function. To change the
    /// order or to add a step, edit this function and ``FlagStep``, and add a row to the table of
    /// `ResolutionOrderTests`.
    ///
    /// A provider is asked only when its step is reached, so providers after the first usable value aren't asked. The
    /// function runs code of providers and computed flags, so the caller must hold no lock.
    // Inlined, so that the closure need not retain what it captures.
    @inline(__always) func firstStep(of query: FlagQuery, where isWanted: (FlagStep) -> Bool) -> FlagStep {
        // 1. A value that a test has set for the current task.
        let identity = FlagKeyPath.Identity(root: rootType, ordinal: query.ordinal)
        if !query.isLive, let value = FlagScope.value(of: query.declaration.valueType, for: identity) {
            let step = FlagStep(.scope, value)
            if isWanted(step) { return step }
        }
        // 2. A pinned value. Only overrides above its provider take precedence over it.
        // The overrides among this many links have been asked.
        var overridesAsked = 0
        if !query.isLive, let pinned = pins.value(of: query.declaration, query.ordinal) {
            overridesAsked = query.chain.position(above: pinned.source)
            for link in query.chain.links.prefix(overridesAsked) where link.traits.contains(.overridesPins) {
                let step = step(of: query, for: link)
                if isWanted(step) { return step }
            }
            let step = FlagStep(.pinned(pinned), pinned.value)
            if isWanted(step) { return step }
        }
        // 3. The flag's own computed value.
        if query.declaration.isComputed {
            let step = FlagStep(.computed, computedValue(of: query.ordinal))
            if isWanted(step) { return step }
        }
        // 4. The providers, from the first to the last, each asked once.
        for (position, link) in query.chain.links.enumerated()
        where position >= overridesAsked || !link.traits.contains(.overridesPins) {
            let step = step(of: query, for: link)
            if isWanted(step) { return step }
        }
        // 5. The default.
        return FlagStep(.default, defaultValue(of: query.ordinal))
    }

    // MARK: The parts of a step

    @inline(never) private func computedValue(of ordinal: Int) -> ErasedFlagValue? {
        let evaluation = Evaluation(loader: ObjectIdentifier(self), ordinal: ordinal, link: nil)
        switch evaluation.run({ computations[ordinal]?.value(root) }) {
        case .result(let value):
            if !issueLog.isEmpty {
                for code in [FlagError.Code.cycle, .tooDeep] { issueLog.resolve(code, key: index.keyPaths[ordinal]) }
            }
            return value
        case .partOfCycle:
            return nil
        case .cycle(let ordinals):
            report(cycle: ordinals, of: ordinal)
            return nil
        case .tooDeep:
            report(tooDeep: ordinal)
            return nil
        }
    }

    /// Returns the step of one provider. The provider isn't asked if the flag or the mode excludes it.
    @inline(__always) func step(of query: FlagQuery, for link: FlagChain.Link) -> FlagStep {
        guard query.chain.isAsked(link), !query.declaration.excludedProviderTypes.contains(link.type) else {
            return FlagStep(.provider(link), outcome: .excluded)
        }
        let key = index.keyPaths[query.ordinal]
        let evaluation = Evaluation(loader: ObjectIdentifier(self), ordinal: query.ordinal, link: link.number)
        // Decoding is part of the evaluation, because the flag's type may read flags too.
        if query.wantsDetails {
            let result = evaluation.run {
                let answer = link.provider.inspectedEvaluation(for: key)
                return FlagStep(.provider(link), outcome: outcome(answer.value, of: query, link), evaluation: answer)
            }
            if case .result(let step) = result { return step }
        } else {
            let result = evaluation.run {
                FlagStep(.provider(link), outcome: outcome(link.provider.value(for: key), of: query, link))
            }
            if case .result(let step) = result { return step }
        }
        report(cycleThrough: link, ordinal: query.ordinal)
        var step = FlagStep(.provider(link), outcome: .absent)
        // Otherwise the answer without the provider would be cached, and that of the outer evaluation would not.
        step.isLasting = false
        return step
    }

    /// Returns the outcome of a provider's value. The launch guard is asked first, because a value may stop the program
    /// while it is decoded.
    @inline(__always) private func outcome(
        _ value: EncodedFlagValue?, of query: FlagQuery, _ link: FlagChain.Link
    ) -> FlagStep.Outcome {
        if let launchGuard, let value, let refusal = refusal(of: value, by: launchGuard, query, link) {
            return .refused(refusal)
        }
        return .init(value, query.declaration)
    }

    @inline(never) private func refusal(
        of value: EncodedFlagValue, by launchGuard: any FlagValueGuard, _ query: FlagQuery, _ link: FlagChain.Link
    ) -> FlagValueError? {
        let key = index.keyPaths[query.ordinal]
        let reason =
            query.isUse
            ? launchGuard.admit(value, for: key, from: link.id)
            : launchGuard.reasonToHoldBack(value, for: key, from: link.id)
        return reason.map { .heldBack(value, reason: $0) }
    }

    /// Returns the encoded form of a flag's value for a read. Returns `nil` if encoding throws, or if the value's type
    /// reads the flag while it encodes.
    func encode(_ value: ErasedFlagValue, of ordinal: Int) -> EncodedFlagValue? {
        // No link has this number.
        let evaluation = Evaluation(loader: ObjectIdentifier(self), ordinal: ordinal, link: .max)
        guard case .result(let encoded) = evaluation.run({ declarations[ordinal].encode(value) }) else { return nil }
        return encoded
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
        /// A usable value, and its encoded form if it is known.
        case value(ErasedFlagValue, EncodedFlagValue?)
        /// The provider or the flag's closure has no value.
        case absent
        /// The provider was not asked.
        case excluded
        /// The flag's type refuses the provider's value.
        indirect case refused(FlagValueError)

        /// Creates the outcome of a provider's value.
        @inline(__always) fileprivate init(_ encoded: EncodedFlagValue?, _ declaration: FlagDeclaration) {
            guard let encoded else {
                self = .absent
                return
            }
            if case .null = encoded, !declaration.takesNull {
                self = .absent
                return
            }
            do throws(FlagValueError) {
                self = .value(try declaration.decode(encoded), encoded)
            } catch {
                self = .refused(error)
            }
        }
    }

    /// The evaluation, behind a reference. The steps of a read have none and stay small in this way.
    private final class Details: Sendable {
        let value: FlagEvaluation
        init(_ value: FlagEvaluation) { self.value = value }
    }

    package let origin: Origin
    package let outcome: Outcome
    private let details: Details?
    /// Whether the step has the same outcome until the flag is invalidated. For a step that was chosen as the first
    /// usable one, whether those before it do, too.
    package var isLasting: Bool

    init(_ origin: Origin, outcome: Outcome, evaluation: FlagEvaluation? = nil) {
        self.origin = origin
        self.outcome = outcome
        details = evaluation.map { Details($0) }
        isLasting =
            switch origin {
            case .pinned, .default: true
            case .scope, .computed: false
            case .provider(let link): if case .excluded = outcome { true } else { link.notifiesObservers }
            }
    }

    init(_ origin: Origin, _ value: ErasedFlagValue?) {
        self.init(origin, outcome: value.map { .value($0, nil) } ?? .absent)
    }

    /// The value, or `nil` if the step has none that the flag can use.
    @inline(never) package var value: ErasedFlagValue? { if case .value(let value, _) = outcome { value } else { nil } }

    /// The encoded form of the value, or `nil` if it is not known.
    @inline(never) package var encoded: EncodedFlagValue? {
        if case .pinned(let pinned) = origin { return pinned.encoded }
        return if case .value(_, let encoded) = outcome { encoded } else { nil }
    }

    /// The source of the value. That of a pinned value is the source from which it was pinned.
    @inline(never) package var source: FlagSource {
        switch origin {
        case .scope: .scope
        case .pinned(let pinned): pinned.source
        case .computed: .computed
        case .provider(let link): .provider(link.id)
        case .default: .default
        }
    }

    /// The provider's evaluation, or `nil` if it was not asked for.
    @inline(never) package var evaluation: FlagEvaluation? {
        if case .pinned(let pinned) = origin { pinned.evaluation } else { details?.value }
    }

    package var isPinned: Bool { if case .pinned = origin { true } else { false } }
}
