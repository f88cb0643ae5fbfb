#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Date` says since when a value is held.

extension LoadedFlags {
    /// Resolves a flag that is held, and fixes it if it is not yet.
    func heldAnswer<Value: FlagValue>(
        _ declaration: FlagDeclaration<Value>, ordinal: Int, isScoping: Bool
    ) -> FlagAnswer<Value> {
        var isLasting = !isScoping
        if let hold = holds.hold(of: declaration, ordinal) {
            return answer(holding: hold, declaration, ordinal: ordinal, isLasting: &isLasting)
        }
        isLasting = isLasting && !declaration.isComputed
        let (new, isOverride) = newHold(declaration, ordinal: ordinal, isLasting: &isLasting)
        // What was computed in a scope may come from what only this task sees.
        if isOverride || (new.source == .computed && FlagScope.isCurrentTaskScoped) {
            return FlagAnswer(value: new.value, encoded: new.encoded, isLasting: isLasting)
        }
        guard let fixed = holds.fix(new, of: declaration, ordinal) else {
            // A new session began while the flag was resolved; the next read fixes it.
            return FlagAnswer(value: new.value, encoded: new.encoded, isLasting: false)
        }
        // A change that was told while the flag was resolved was told of a flag that was not held.
        if invalidator.queue.hasListeners {
            var wakes = FlagWakes()
            invalidator.queue.add(.flag(ordinal), ordinals: [], waking: &wakes)
            wakes.wake()
        }
        isLasting = !isScoping
        return answer(holding: fixed, declaration, ordinal: ordinal, isLasting: &isLasting)
    }

    private func answer<Value: FlagValue>(
        holding hold: FlagHold<Value>, _ declaration: FlagDeclaration<Value>, ordinal: Int, isLasting: inout Bool
    ) -> FlagAnswer<Value> {
        let override = overridingValue(declaration, ordinal: ordinal, hold: hold, isLasting: &isLasting)
        return FlagAnswer(
            value: override?.value ?? hold.value, encoded: override.map(\.encoded) ?? hold.encoded,
            isLasting: isLasting)
    }

    /// Returns the first usable value among the overrides that go before what is held.
    ///
    /// - Parameter isLasting: Set to `false` if one was asked that cannot tell changes.
    func overridingValue<Value: FlagValue>(
        _ declaration: FlagDeclaration<Value>, ordinal: Int, hold: FlagHold<Value>, in chain: FlagChain? = nil,
        isLasting: inout Bool
    ) -> FlagResolver<Value>.Found? {
        // A computed value goes before every provider.
        if hold.source == .computed { return nil }
        let chain = chain ?? self.chain
        let overrides = chain.links.prefix { hold.source != .provider($0.id) }.filter(\.isOverride)
        if overrides.isEmpty { return nil }
        return chainValue(
            declaration, ordinal: ordinal, in: FlagChain(links: overrides, mode: chain.mode), isLasting: &isLasting)
    }

    /// Resolves a flag as if it were not held.
    ///
    /// - Parameter isLasting: Set to `false` if a provider was asked that cannot tell changes.
    /// - Returns: What is to be held, unless it comes from an override.
    private func newHold<Value: FlagValue>(
        _ declaration: FlagDeclaration<Value>, ordinal: Int, isLasting: inout Bool
    ) -> (hold: FlagHold<Value>, isOverride: Bool) {
        let period = holds.periods.current(declaration.updatePolicy)
        func hold(
            _ value: Value, _ encoded: EncodedFlagValue?, _ source: FlagSource, _ details: FlagResolutionDetails? = nil
        ) -> FlagHold<Value> {
            FlagHold(
                value: value, encoded: encoded, source: source, details: details, since: Date(), period: period)
        }
        if let value = computedValue(declaration, ordinal: ordinal) {
            return (hold(value, encoded(value), .computed), false)
        }
        let chain = self.chain
        if let found = chainValue(
            declaration, ordinal: ordinal, in: chain, wantsDetails: true, isLasting: &isLasting)
        {
            let isOverride = chain.links.first { $0.id == found.id }?.isOverride ?? false
            return (hold(found.value, found.encoded, .provider(found.id), found.details), isOverride)
        }
        let value = defaultValue(declaration, ordinal: ordinal)
        return (hold(value, encoded(value), .default), false)
    }

    // MARK: Letting go

    /// Begins a new session: flags that are held for one are fixed anew at their next read.
    package func beginSession() {
        // What was told until here was told of flags that were held.
        drainChanges(rounds: 1)
        holds.periods.beginSession()
        invalidator.invalidate(flags.indices.filter { flags[$0].declaration.updatePolicy == .session })
        drainChanges(rounds: 1)
    }

    /// Lets a flag be fixed anew because of a write, if the provider that was written to answered for it or does now.
    func releaseHold(of ordinal: Int, writtenTo provider: String) {
        LoadedFlags.release(flags[ordinal].declaration, ordinal, self) { $0 == .provider(provider) }
    }

    /// Lets a flag be fixed anew because its default changed, if it was held at its default.
    func releaseHold(ofDefault ordinal: Int) {
        LoadedFlags.release(flags[ordinal].declaration, ordinal, self) { $0 == .default }
    }

    private static func release<Declaration: FlagDeclarationProtocol>(
        _ declaration: Declaration, _ ordinal: Int, _ loaded: LoadedFlags, if concerns: (FlagSource) -> Bool
    ) {
        guard declaration.updatePolicy != .live,
            let declaration = declaration as? FlagDeclaration<Declaration.Value>,
            let hold = loaded.holds.hold(of: declaration, ordinal)
        else { return }
        let isConcerned =
            concerns(hold.source)
            || concerns(loaded.liveResolution(declaration, ordinal: ordinal, in: nil).source)
        guard isConcerned else { return }
        // What was told until here was told of a flag that was held.
        loaded.drainChanges(rounds: 1)
        loaded.holds.release(ordinal)
    }
}
