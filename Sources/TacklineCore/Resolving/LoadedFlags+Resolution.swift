extension LoadedFlags: FlagOwner {
    package func resolve<Value: FlagValue>(
        _ declaration: FlagDeclaration<Value>,
        ordinal: Int
    ) -> FlagAnswer<Value> {
        let isScoping = FlagScope.isAnyActive
        if isScoping, let value = scopedValue(declaration, ordinal: ordinal) {
            return FlagAnswer(value: value, encoded: nil, isLasting: false)
        }
        guard declaration.updatePolicy == .live else {
            return heldAnswer(declaration, ordinal: ordinal, isScoping: isScoping)
        }
        if declaration.isComputed, let value = computedValue(declaration, ordinal: ordinal) {
            return FlagAnswer(value: value, encoded: nil, isLasting: false)
        }
        var isLasting = !declaration.isComputed && !isScoping
        if let found = chainValue(declaration, ordinal: ordinal, isLasting: &isLasting) {
            return FlagAnswer(value: found.value, encoded: found.encoded, isLasting: isLasting)
        }
        let value = defaultValue(declaration, ordinal: ordinal)
        return FlagAnswer(value: value, encoded: isLasting ? encoded(value) : nil, isLasting: isLasting)
    }

    /// Returns a flag's value and where it came from, with its details.
    ///
    /// - Parameter chain: The chain to ask; `nil` for the present one.
    package func resolution<Value: FlagValue>(
        _ declaration: FlagDeclaration<Value>, ordinal: Int, in chain: FlagChain? = nil
    ) -> FlagResolution<Value> {
        if let value = scopedValue(declaration, ordinal: ordinal) {
            return FlagResolution(value: value, source: .scope)
        }
        if let hold = holds.hold(of: declaration, ordinal) {
            var isLasting = false
            let override = overridingValue(
                declaration, ordinal: ordinal, hold: hold, in: chain, isLasting: &isLasting)
            if let override { return FlagResolution(value: override.value, source: .provider(override.id)) }
            return FlagResolution(value: hold.value, source: hold.source, details: hold.details)
        }
        return liveResolution(declaration, ordinal: ordinal, in: chain)
    }

    /// Returns the value that a flag has that is not held, outside of scopes.
    func liveResolution<Value: FlagValue>(
        _ declaration: FlagDeclaration<Value>, ordinal: Int, in chain: FlagChain?
    ) -> FlagResolution<Value> {
        if let value = computedValue(declaration, ordinal: ordinal) {
            return FlagResolution(value: value, source: .computed)
        }
        var isLasting = false
        if let found = chainValue(
            declaration, ordinal: ordinal, in: chain, wantsDetails: true, isLasting: &isLasting)
        {
            return FlagResolution(value: found.value, source: .provider(found.id), details: found.details)
        }
        return FlagResolution(value: defaultValue(declaration, ordinal: ordinal), source: .default)
    }

    /// Returns what one provider of the chain says; `nil` if it is not there or says nothing usable.
    package func providerValue<Value: FlagValue>(
        _ declaration: FlagDeclaration<Value>,
        ordinal: Int,
        from selector: FlagProviderSelector,
        wantsDetails: Bool = false
    ) -> FlagResolver<Value>.Found? {
        let resolver = resolver(declaration, ordinal: ordinal)
        guard let link = resolver.chain.link(selector) else { return nil }
        let (answer, details) = wantsDetails ? resolver.detailedAnswer(of: link) : (resolver.answer(of: link), nil)
        switch answer {
        case .value(let value, let encoded):
            return FlagResolver<Value>.Found(value: value, encoded: encoded, id: link.id, details: details)
        case .refused(let error):
            reportRefusal(error, provider: link.id, key: resolver.key, ordinal: ordinal)
            return nil
        case .absent, .excluded:
            return nil
        }
    }

    // MARK: Parts

    func resolver<Value: FlagValue>(
        _ declaration: FlagDeclaration<Value>, ordinal: Int, in chain: FlagChain? = nil
    ) -> FlagResolver<Value> {
        FlagResolver(declaration: declaration, key: index.entries[ordinal].keyPath, chain: chain ?? self.chain)
    }

    func chainValue<Value: FlagValue>(
        _ declaration: FlagDeclaration<Value>, ordinal: Int, in chain: FlagChain? = nil, wantsDetails: Bool = false,
        isLasting: inout Bool
    ) -> FlagResolver<Value>.Found? {
        let resolver = resolver(declaration, ordinal: ordinal, in: chain)
        return resolver.firstUsable(
            wantsDetails: wantsDetails,
            isLasting: &isLasting,
            refused: { id, error in reportRefusal(error, provider: id, key: resolver.key, ordinal: ordinal) },
            accepted: { id in forgetRefusal(provider: id, ordinal: ordinal) }
        )
    }

    func scopedValue<Value: FlagValue>(_ declaration: FlagDeclaration<Value>, ordinal: Int) -> Value? {
        FlagScope.value(for: FlagScope.Key(root: rootType, ordinal: ordinal), as: Value.self)
    }

    func computedValue<Value: FlagValue>(
        _ declaration: FlagDeclaration<Value>,
        ordinal: Int
    ) -> Value? {
        guard declaration.isComputed else { return nil }
        let outcome = ComputedEvaluation.evaluate(owner: ObjectIdentifier(self), ordinal: ordinal) {
            declaration.computedValue?() ?? declaration.computed?.value(root)
        }
        switch outcome {
        case .value(let value):
            return value
        case .inCircle:
            return nil
        case .circle(let ordinals):
            let path = ordinals.map { $0 < 0 ? "(another loader)" : index.entries[$0].keyPath.text }
            reporter.report(
                FlagIssue(
                    .cycle,
                    message: """
                        Computed flags read each other in a circle: \(path.joined(separator: " → ")). None of them is \
                        computed now; each gives what its providers say. Break the circle in one of their closures.
                        """,
                    key: index.entries[ordinal].keyPath
                )
            )
            return nil
        case .tooDeep:
            reporter.report(
                FlagIssue(
                    .tooDeep,
                    message: """
                        More than \(ComputedEvaluation.depthLimit) computed flags wait for each other at flag \
                        "\(index.entries[ordinal].keyPath)", which gives what its providers say. Compute it from \
                        fewer steps.
                        """,
                    key: index.entries[ordinal].keyPath
                )
            )
            return nil
        }
    }

    /// The neutral form, or `nil` where a hand-written `encode(to:)` throws.
    package func encoded<Value: FlagValue>(_ value: Value) -> EncodedFlagValue? {
        do { return try value.encoded } catch { return nil }
    }

    /// A flag's metadata with the name for people filled in.
    package func metadata(of ordinal: Int) -> FlagMetadata {
        let declaration = flags[ordinal].declaration
        var metadata = declaration.metadata
        let property = index.entries[ordinal].property
        metadata.name = declaration.name ?? metadata.name ?? property.split(separator: ".").last.map(String.init)
        return metadata
    }
}
