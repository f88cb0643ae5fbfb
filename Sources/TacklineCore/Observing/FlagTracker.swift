/// Follows one flag through the events of its loader.
///
/// It keeps what each provider of the chain last told, so that the value after each commit can be told even if later
/// commits have been made since. It is used by one thread at a time.
struct FlagTracker: Sendable {
    private let declaration: any FlagDeclarationProtocol
    private let ordinal: Int
    private let key: FlagKeyPath
    let isComputed: Bool
    /// What each link of the chain answers, as far as the flag's type takes it.
    private var answers: [TrackedFlagValue?] = []
    /// The links whose answer as of the present event is not known. An event that is still to come settles each.
    private var unsettled: Set<Int> = []
    private var value: TrackedFlagValue

    init(_ declaration: any FlagDeclarationProtocol, ordinal: Int, _ context: FlagTrackingContext) {
        self.declaration = declaration
        self.ordinal = ordinal
        key = context.loaded.index.entries[ordinal].keyPath
        isComputed = declaration.isComputed
        value = declaration.trackedDefault(context.loaded, ordinal: ordinal)
        ask(context)
        value = effective(context).value
    }

    // MARK: Taking events in

    /// Takes over what a provider told.
    mutating func take(_ answer: EncodedFlagValue?, fromLink index: Int, _ context: FlagTrackingContext) {
        guard answers.indices.contains(index) else { return }
        unsettled.remove(index)
        let isAsked = context.chain.isAsked(context.chain.links[index], by: declaration)
        answers[index] = isAsked ? answer.flatMap { declaration.tracked($0) } : nil
    }

    /// Asks one provider.
    mutating func ask(link index: Int, _ context: FlagTrackingContext) {
        let link = context.chain.links[index]
        // To follow a flag is not to use it.
        let now = FlagInspection.$isActive.withValue(true) { link.answer(for: key) }
        // What the provider holds now may be ahead of the event that is looked at.
        switch context.nextChange(of: key, link: link.number) {
        case .none: take(now, fromLink: index, context)
        case .exact(let old): take(old, fromLink: index, context)
        case .uncertain:
            take(now, fromLink: index, context)
            unsettled.insert(index)
            context.touch(ordinal)
        }
    }

    /// Asks all providers.
    mutating func ask(_ context: FlagTrackingContext) {
        answers = Array(repeating: nil, count: context.chain.links.count)
        unsettled = []
        for index in context.chain.links.indices { ask(link: index, context) }
    }

    /// Asks the providers that cannot tell changes.
    mutating func askUnobserved(_ context: FlagTrackingContext) {
        for (index, link) in context.chain.links.enumerated() where link.observer == nil { ask(link: index, context) }
    }

    // MARK: Telling changes

    /// Notes a change if the value differs from the last one.
    ///
    /// While an answer is not settled that waits: the answer may be one of a later commit, and those in between would
    /// seem to come after it.
    mutating func conclude(_ context: FlagTrackingContext) {
        guard unsettled.isEmpty else { return }
        let (new, source) = effective(context)
        guard !new.isSame(as: value) else { return }
        context.note(
            TrackedFlagChange(loaded: context.loaded, ordinal: ordinal, old: value, new: new, source: source))
        value = new
    }

    /// The value as of the last event. Computed values are as of now.
    private func effective(_ context: FlagTrackingContext) -> (value: TrackedFlagValue, source: FlagSource) {
        if let hold = declaration.trackedHold(context.loaded, ordinal: ordinal) { return effective(hold, context) }
        if isComputed, let computed = declaration.trackedComputation(context.loaded, ordinal: ordinal) {
            return (computed, .computed)
        }
        for index in answers.indices {
            if let answer = answers[index] { return (answer, .provider(context.chain.links[index].id)) }
        }
        return (declaration.trackedDefault(context.loaded, ordinal: ordinal), .default)
    }

    /// What is held, or an override that goes before it.
    private func effective(
        _ hold: (value: TrackedFlagValue, source: FlagSource), _ context: FlagTrackingContext
    ) -> (value: TrackedFlagValue, source: FlagSource) {
        guard hold.source != .computed else { return hold }
        for (link, answer) in zip(context.chain.links, answers) {
            if hold.source == .provider(link.id) { break }
            if link.isOverride, let answer { return (answer, .provider(link.id)) }
        }
        return hold
    }
}
