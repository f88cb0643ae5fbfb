/// Follows one flag through the events of its loader.
///
/// It keeps what each provider of the chain last told, so that the value after each commit can be told even if later
/// commits have been made since. It is used by one thread at a time.
struct FlagTracker<Value: FlagValue>: FlagTracking {
    private let declaration: FlagDeclaration<Value>
    private let ordinal: Int
    private let key: FlagKeyPath
    /// What each link of the chain answers, as far as the flag's type takes it.
    private var answers: [Value?] = []
    private var value: Value
    private var encoded: EncodedFlagValue?
    private(set) var isUncertain = false
    private var batch: [FlagChange<Value>] = []

    init(_ declaration: FlagDeclaration<Value>, ordinal: Int, _ context: FlagTrackingContext) {
        self.declaration = declaration
        self.ordinal = ordinal
        key = context.loaded.index.entries[ordinal].keyPath
        value = declaration.defaultValue
        ask(context)
        value = effective(context).value
        encoded = context.loaded.encoded(value)
    }

    var isComputed: Bool { declaration.isComputed }

    // MARK: Taking events in

    mutating func take(_ answer: EncodedFlagValue?, fromLink index: Int, _ context: FlagTrackingContext) {
        guard answers.indices.contains(index) else { return }
        answers[index] = usable(answer, context.chain.links[index], context)
    }

    mutating func ask(link index: Int, _ context: FlagTrackingContext) {
        let link = context.chain.links[index]
        let now = link.provider.value(for: key)
        // What the provider holds now may be ahead of the event that is looked at.
        switch context.nextChange(of: key, link: link.number) {
        case .none: take(now, fromLink: index, context)
        case .exact(let old): take(old, fromLink: index, context)
        case .uncertain:
            take(now, fromLink: index, context)
            isUncertain = true
        }
    }

    mutating func ask(_ context: FlagTrackingContext) {
        answers = Array(repeating: nil, count: context.chain.links.count)
        for index in context.chain.links.indices { ask(link: index, context) }
    }

    mutating func askUnobserved(_ context: FlagTrackingContext) {
        for (index, link) in context.chain.links.enumerated() where link.observer == nil { ask(link: index, context) }
    }

    private func usable(
        _ answer: EncodedFlagValue?, _ link: FlagChain.Link, _ context: FlagTrackingContext
    ) -> Value? {
        guard let answer else { return nil }
        let resolver = FlagResolver(declaration: declaration, key: key, chain: context.chain)
        guard case .value(let value, _) = resolver.answer(answer, of: link) else { return nil }
        return value
    }

    // MARK: Telling changes

    mutating func conclude(_ context: FlagTrackingContext) {
        let (newValue, source) = effective(context)
        let newEncoded = context.loaded.encoded(newValue)
        guard newEncoded != encoded || newEncoded == nil else { return }
        batch.append(
            FlagChange(old: value, new: newValue, source: source, oldEncoded: encoded, newEncoded: newEncoded))
        if context.hasReferenceConsumers {
            context.referenceChanges.append(
                FlagReferenceChange(
                    flag: FlagReference(loaded: context.loaded, ordinal: ordinal), old: encoded ?? .null,
                    new: newEncoded ?? .null, source: source))
        }
        value = newValue
        encoded = newEncoded
    }

    mutating func flush(_ consumers: [any FlagChangePublishing]) -> Bool {
        defer {
            batch = []
            isUncertain = false
        }
        guard !batch.isEmpty else { return isUncertain }
        for consumer in consumers { (consumer as? FlagChangeBuffer<FlagChange<Value>>)?.publish(batch) }
        return true
    }

    /// The value as of the last event. Computed values are as of now.
    private func effective(_ context: FlagTrackingContext) -> (value: Value, source: FlagSource) {
        if let hold = context.loaded.holds.hold(of: declaration, ordinal) { return effective(hold, context) }
        if declaration.isComputed,
            let computed = context.loaded.computedValueOutsideScopes(declaration, ordinal: ordinal)
        {
            return (computed, .computed)
        }
        for (link, answer) in zip(context.chain.links, answers) {
            if let answer { return (answer, .provider(link.id)) }
        }
        return (context.loaded.defaultValue(declaration, ordinal: ordinal), .default)
    }

    /// What is held, or an override that goes before it.
    private func effective(
        _ hold: FlagHold<Value>, _ context: FlagTrackingContext
    ) -> (value: Value, source: FlagSource) {
        guard hold.source != .computed else { return (hold.value, hold.source) }
        for (link, answer) in zip(context.chain.links, answers) {
            if hold.source == .provider(link.id) { break }
            if link.isOverride, let answer { return (answer, .provider(link.id)) }
        }
        return (hold.value, hold.source)
    }
}
