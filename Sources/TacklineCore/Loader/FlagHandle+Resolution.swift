extension FlagHandle {
    /// The flag's key, or `nil` if no loader bound the flag or its loader is deallocated.
    public var keyPath: FlagKeyPath? { untyped?.keyPath }

    /// The description of the flag for people, with its display name filled in. It is empty if the flag has no loader.
    public var metadata: FlagMetadata { untyped?.metadata ?? FlagMetadata() }

    /// The default that is in force: the declared one, or the one that ``setDefault(_:)`` set.
    public var defaultValue: Value { untyped.map { $0.core.defaultValue(of: ordinal).as(Value.self) } ?? value }

    /// Returns the value of the first provider of exactly the given type, or `nil` if it has no usable one. Neither
    /// other providers nor the flag's closure are asked.
    public func flagValue(from type: any FlagProvider.Type) -> Value? { flagValue(of: .type(type)) }

    /// Returns the value of one provider of the chain: `flagValue(from: overrides)`. Neither other providers nor the
    /// flag's closure are asked.
    ///
    /// In RealFlags, a computed value comes first, and the default is returned if there is none.
    ///
    /// - Parameter provider: The provider. An object is found by its identity, an `Equatable` value by equality, and any
    ///   other value as a copy, or else as the only one of its type and name.
    /// - Returns: `nil` if the provider is not in the chain, has no value, or has one that the type refuses, which is
    ///   reported.
    public func flagValue(from provider: any FlagProvider) -> Value? { flagValue(of: .instance(provider)) }

    /// Returns the value of the provider with an id. The id is the provider's name, followed by a number if an earlier
    /// provider of the chain has the same name.
    public func flagValue(fromProviderNamed id: String) -> Value? { flagValue(of: .named(id)) }

    private func flagValue(of provider: FlagProviderSelector) -> Value? {
        untyped?.core.step(ordinal, from: provider, for: .use)?.value?.as(Value.self)
    }

    /// Returns the value and its source, with variant, reason and metadata if a provider gives them.
    ///
    /// The providers are asked again, even if the value is cached. The flag is inspected, which doesn't count as use;
    /// to use it, read it.
    public func resolution() -> FlagResolution<Value> { resolution(untyped?.core.inspect(ordinal)) }

    /// Returns the value of one provider of the chain, or the default, with its source.
    public func resolution(from provider: any FlagProvider) -> FlagResolution<Value> {
        resolution(untyped?.core.step(ordinal, from: .instance(provider), for: .inspection))
    }

    /// Returns the resolution of a step, or that of the default if the step has no value.
    private func resolution(_ step: FlagStep?) -> FlagResolution<Value> {
        let value = step?.value?.as(Value.self)
        return FlagResolution(
            key: keyPath ?? FlagKeyPath(components: []), value: value ?? defaultValue,
            source: step?.source ?? .default, evaluation: step?.evaluation,
            metadata: untyped?.core.metadata(of: ordinal, step) ?? metadata)
    }

    /// Returns every provider's answer, the winner, and the reason. The flag is inspected, which doesn't count as use.
    public func explain() -> FlagExplanation {
        if let untyped { return untyped.explain() }
        return FlagExplanation(
            key: FlagKeyPath(components: []), valueType: String(describing: Value.self), metadata: metadata,
            steps: [FlagExplanation.Step(source: .default, value: (try? value.encoded) ?? .null)], winner: 0,
            reason: "no loader bound the flag, or its loader is gone")
    }
}

extension FlagHandle: CustomStringConvertible {
    /// The key, the value and its source: `allows_sson = true (provider "overrides")`.
    public var description: String {
        guard let keyPath else { return "a flag without a loader = \(metadata.shown("\(value)")) (default)" }
        let resolution = resolution()
        return "\(keyPath) = \(resolution.metadata.shown("\(resolution.value)")) (\(resolution.source))"
    }
}
