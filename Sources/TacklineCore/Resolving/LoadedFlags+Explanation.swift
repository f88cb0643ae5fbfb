extension LoadedFlags {
    /// Explains a flag's value.
    package func explanation<Value: FlagValue>(
        _ declaration: FlagDeclaration<Value>,
        ordinal: Int
    ) -> FlagExplanation {
        let scoped = scopedValue(declaration, ordinal: ordinal)
        let computed = computedValue(declaration, ordinal: ordinal)
        let resolver = resolver(declaration, ordinal: ordinal)
        var winner: (value: Value, id: String, details: FlagResolutionDetails?)?
        let answers = resolver.chain.links.map { link in
            let outcome: FlagExplanation.Answer.Outcome
            let (answer, details) = resolver.detailedAnswer(of: link)
            switch answer {
            case .value(let value, let encoded):
                outcome = .value(encoded)
                if winner == nil { winner = (value, link.id, details) }
            case .absent: outcome = .absent
            case .excluded: outcome = .excluded
            case .refused(let error): outcome = .mismatch(error)
            }
            return FlagExplanation.Answer(
                provider: link.id, outcome: outcome, details: details, status: link.provider.status)
        }
        let fallback = defaultValue(declaration, ordinal: ordinal)
        let live = computed ?? winner?.value ?? fallback
        let liveSource: FlagSource = computed != nil ? .computed : winner.map { .provider($0.id) } ?? .default
        let hold = holds.hold(of: declaration, ordinal)
        var isLasting = false
        let override = hold.flatMap {
            overridingValue(declaration, ordinal: ordinal, hold: $0, in: resolver.chain, isLasting: &isLasting)
        }
        let source = scoped != nil ? .scope : override.map { .provider($0.id) } ?? hold?.source ?? liveSource
        let isHeld = scoped == nil && override == nil && hold != nil
        return FlagExplanation(
            key: resolver.key,
            valueType: String(describing: Value.self),
            metadata: metadata(of: ordinal),
            value: encoded(scoped ?? override?.value ?? hold?.value ?? live) ?? .null,
            source: source,
            reason: isHeld
                ? "fixed at its first read, \(declaration.updatePolicy.end)"
                : reason(for: source, isComputed: declaration.isComputed, chain: resolver.chain)
                    + (hold == nil && scoped == nil ? declaration.updatePolicy.promise : ""),
            details: isHeld ? hold?.details : source == winner.map { .provider($0.id) } ? winner?.details : nil,
            scoped: scoped.flatMap { encoded($0) },
            computed: computed.flatMap { encoded($0) },
            answers: answers,
            defaultValue: encoded(fallback) ?? .null,
            updatePolicy: declaration.updatePolicy,
            hold: hold.map { hold in
                FlagExplanation.Hold(
                    value: hold.encoded ?? .null, source: hold.source, since: hold.since,
                    liveValue: encoded(live) ?? .null, liveSource: liveSource)
            }
        )
    }

    private func reason(for source: FlagSource, isComputed: Bool, chain: FlagChain) -> String {
        switch source {
        case .scope: "set for the current task, which wins over everything"
        case .computed: "the flag computes its value, which wins over every provider"
        case .provider where chain.mode == .local: "the first usable local value, since the mode is local"
        case .provider: "the first usable value in the chain"
        case .default where chain.mode == .local: "no local provider has a usable value, and the mode is local"
        case .default where chain.links.isEmpty: "the chain has no providers"
        case .default: "no provider has a usable value"
        }
    }
}

extension FlagUpdatePolicy {
    /// How long a flag is held, for messages.
    fileprivate var end: String {
        switch self {
        case .live: "not held"
        case .session: "until a new session begins"
        case .nextLaunch: "until the next launch"
        }
    }

    /// What the next read of a flag does that is not held yet.
    fileprivate var promise: String { self == .live ? "" : "; the next read fixes it \(end)" }
}
