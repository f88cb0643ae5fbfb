/// A question about one flag, and the law that answers it: the order in which a value is looked for.
///
/// The law stands in ``forEachStep(_:)`` and nowhere else. A read takes the first usable step; a resolution the first one
/// with its details; an explanation all of them. What is held, snapshots, streams of changes, features, browsers and test
/// scopes are readings of the same steps. To change the order, or to add a step, edit that function; the compiler then
/// asks for the meaning of a new step in ``FlagStep``.
package struct FlagQuestion {
    /// What providers are asked for.
    package enum Purpose: Sendable {
        /// The value is used: providers that count uses count this one.
        case use
        /// Somebody looks at the answers and their details; nothing is counted.
        case look
    }

    let resolver: FlagResolver
    let declaration: FlagDeclaration
    /// The flag's number in its collection.
    let ordinal: Int
    let chain: FlagChain
    let purpose: Purpose
    /// Whether to answer as if nothing were held, and outside of every scope.
    let isLive: Bool

    /// Hands out the steps in the order in which they count, until the closure has enough.
    ///
    /// Each step is taken only when its turn comes, so a provider behind the answer is not asked. The closure returns
    /// whether it wants the next step. Runs code of providers and of computed flags, so nothing may be locked.
    package func forEachStep(_ wantsMore: (FlagStep) -> Bool) {
        // 1. What a test has set for the current task.
        if !isLive, let value = FlagScope.value(for: FlagScope.Key(root: resolver.rootType, ordinal: ordinal)) {
            guard wantsMore(.scope(value)) else { return }
        }
        // 2. What is held; only overrides that stand above its provider win over it.
        var above = 0
        if !isLive, let hold = resolver.holds.hold(of: declaration, ordinal) {
            above = chain.position(above: hold.source)
            for link in chain.links.prefix(above) where link.isOverride {
                guard wantsMore(.provider(answer(of: link))) else { return }
            }
            guard wantsMore(.hold(hold)) else { return }
        }
        // 3. What the flag computes.
        if declaration.isComputed {
            guard wantsMore(.computed(computedValue)) else { return }
        }
        // 4. What the providers say, from the first to the last, each asked once.
        for (position, link) in chain.links.enumerated() where position >= above || !link.isOverride {
            guard wantsMore(.provider(answer(of: link))) else { return }
        }
        // 5. The default.
        _ = wantsMore(.fallback(resolver.defaults.value(of: declaration, ordinal)))
    }
}

/// One step of the law, with what was found there.
package enum FlagStep: Sendable {
    /// A value for the current task.
    case scope(ErasedFlagValue)
    /// A value that is fixed for a while.
    case hold(FlagHold)
    /// What the flag's closure returned; `nil` leaves the answer to the providers.
    case computed(ErasedFlagValue?)
    /// What one provider said.
    case provider(FlagProviderAnswer)
    /// The default.
    case fallback(ErasedFlagValue)

    /// The value; `nil` where the step has none that the flag can use, so that the next one counts.
    @inline(never) package var value: ErasedFlagValue? {
        switch self {
        case .scope(let value), .fallback(let value): value
        case .hold(let hold): hold.value
        case .computed(let value): value
        case .provider(let answer): if case .value(let value, _) = answer.outcome { value } else { nil }
        }
    }

    /// Where the value comes from. What is held names what it came from when it was fixed.
    @inline(never) package var source: FlagSource {
        switch self {
        case .scope: .scope
        case .hold(let hold): hold.source
        case .computed: .computed
        case .provider(let answer): .provider(answer.link.id)
        case .fallback: .default
        }
    }

    /// What the provider says about the value; `nil` if no provider has details.
    @inline(never) package var details: FlagResolutionDetails? {
        switch self {
        case .provider(let answer): answer.details
        case .hold(let hold): hold.details
        case .scope, .computed, .fallback: nil
        }
    }

    /// The neutral form of the value, where it is at hand.
    @inline(never) package var encoded: EncodedFlagValue? {
        switch self {
        case .provider(let answer): if case .value(_, let encoded) = answer.outcome { encoded } else { nil }
        case .hold(let hold): hold.encoded
        case .scope, .computed, .fallback: nil
        }
    }

    /// Whether the step answers the same until the flag is told of a change.
    package var isLasting: Bool {
        switch self {
        case .hold, .fallback: true
        case .provider(let answer): answer.isLasting
        case .scope, .computed: false
        }
    }
}

/// What one provider said about a flag.
package struct FlagProviderAnswer: Sendable {
    /// How it answered.
    package enum Outcome: Sendable {
        /// It holds a value that the flag's type takes.
        case value(ErasedFlagValue, EncodedFlagValue)
        /// It has no opinion.
        case absent
        /// It was not asked: the flag excludes it, or nobody asks it at present.
        case excluded
        /// It holds a value that the flag's type refuses.
        indirect case refused(FlagValueError)
    }

    package let link: FlagChain.Link
    package let outcome: Outcome
    /// `nil` also where nobody asked for them.
    package var details: FlagResolutionDetails? { if case .details(let details)? = known { details } else { nil } }
    private let known: Known?

    /// A reference, so that an answer without details, which is what a read takes, is small.
    private indirect enum Known: Sendable { case details(FlagResolutionDetails) }

    init(_ link: FlagChain.Link, _ outcome: Outcome, details: FlagResolutionDetails? = nil) {
        (self.link, self.outcome, known) = (link, outcome, details.map { .details($0) })
    }

    /// Whether it answers the same until the flag is told of a change.
    @inline(never) var isLasting: Bool { if case .excluded = outcome { true } else { link.tellsChanges } }
}

// MARK: The parts of a step

extension FlagQuestion {
    @inline(never) private var computedValue: ErasedFlagValue? {
        let asked = OpenQuestion(owner: ObjectIdentifier(resolver), ordinal: ordinal, link: nil)
        switch asked.answered(by: { declaration.computedValue(in: resolver.root) }) {
        case .answer(let value):
            return value
        case .partOfCircle:
            return nil
        case .circle(let ordinals):
            resolver.report(circle: ordinals, of: ordinal)
            return nil
        case .tooDeep:
            resolver.report(tooDeep: ordinal)
            return nil
        }
    }

    /// Asks one provider, unless the flag or the mode leaves it out.
    package func answer(of link: FlagChain.Link) -> FlagProviderAnswer {
        guard chain.isAsked(link), !declaration.excludedProviderTypes.contains(link.type) else {
            return FlagProviderAnswer(link, .excluded)
        }
        let key = resolver.keyPaths[ordinal]
        let asked = OpenQuestion(owner: ObjectIdentifier(resolver), ordinal: ordinal, link: link.number)
        switch purpose {
        case .use:
            guard case .answer(let said) = asked.answered(by: { link.provider.value(for: key) }) else { break }
            return FlagProviderAnswer(link, outcome(of: said))
        case .look:
            guard case .answer(let said) = asked.answered(by: { link.provider.inspectedValue(for: key) }) else { break }
            return FlagProviderAnswer(link, outcome(of: said.value), details: said.details)
        }
        resolver.report(circleThrough: link, ordinal: ordinal)
        return FlagProviderAnswer(link, .absent)
    }

    /// What the flag's type makes of a value that a provider gave.
    @inline(never) private func outcome(of encoded: EncodedFlagValue?) -> FlagProviderAnswer.Outcome {
        guard let encoded else { return .absent }
        if case .null = encoded, !declaration.takesNull { return .absent }
        do throws(FlagValueError) {
            return .value(try declaration.decode(encoded), encoded)
        } catch {
            return .refused(error)
        }
    }
}
