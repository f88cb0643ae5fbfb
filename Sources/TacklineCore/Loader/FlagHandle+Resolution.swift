extension FlagHandle {
    /// The flag's key, or `nil` if no loader bound the flag or its loader is deallocated.
    public var keyPath: FlagKeyPath? { untyped?.keyPath }

    /// The description of the flag for people, with its name filled in. It is empty if the flag has no loader.
    public var metadata: FlagMetadata { untyped?.metadata ?? FlagMetadata() }

    /// The default that is in force: the declared one, or the one that ``setDefault(_:)`` set.
    public var defaultValue: Value { untyped.map { $0.core.defaultValue(of: ordinal).as(Value.self) } ?? value }

    /// Returns the value of the first provider of exactly the given type. No other provider and no computed
    /// value answers for it.
    public func flagValue(from type: any FlagProvider.Type, fallback: Bool = false) -> Value? {
        flagValue(from: .type(type), fallback: fallback)
    }

    /// Returns the value of one provider of the chain. No other provider and no computed value answers for it.
    ///
    /// In RealFlags, a computed value comes first, and `fallback` is `true` by default. Here `nil` means that the provider has
    /// no usable value.
    ///
    /// - Parameters:
    ///   - provider: `.instance(overrides)` or `.named("remote")`.
    ///   - fallback: Whether to return the default if the provider has no usable value.
    /// - Returns: `nil` if `fallback` is `false` and the provider is not in the chain, has no value, or has one that the type
    ///   refuses, which is reported.
    public func flagValue(from provider: FlagProviderSelector, fallback: Bool = false) -> Value? {
        guard let core = untyped?.core else { return fallback ? value : nil }
        let step = core.step(ordinal, from: provider, isUse: true)
        return step?.value?.as(Value.self) ?? (fallback ? defaultValue : nil)
    }

    /// Returns the value and its source, with variant, reason and metadata if a provider gives them.
    ///
    /// The providers are asked anew, and the flag is inspected and not used. To use the flag, read it.
    ///
    /// - Parameter provider: The only provider to ask, with the default if it has no usable value; `nil` to ask the whole
    ///   chain.
    public func resolution(from provider: FlagProviderSelector? = nil) -> FlagResolution<Value> {
        guard let core = untyped?.core else { return FlagResolution(value: value, source: .default) }
        guard let provider else { return FlagResolution(core.inspect(ordinal)) ?? defaultResolution }
        return core.step(ordinal, from: provider, isUse: false).flatMap { FlagResolution($0) } ?? defaultResolution
    }

    /// Returns the value of the first provider of exactly the given type and its source, or the default.
    public func resolution(from type: any FlagProvider.Type) -> FlagResolution<Value> { resolution(from: .type(type)) }

    private var defaultResolution: FlagResolution<Value> { FlagResolution(value: defaultValue, source: .default) }

    /// Returns every provider's answer, the winner, and the reason. The flag is inspected and not used.
    public func explain() -> FlagExplanation {
        if let untyped { return untyped.explain() }
        let step = FlagExplanation.Step(source: .default, value: (try? value.encoded) ?? .null)
        return FlagExplanation(
            key: FlagKeyPath(components: []), valueType: String(describing: Value.self), metadata: metadata,
            steps: [step], winner: 0, reason: "no loader bound the flag, or its loader is gone")
    }
}

extension FlagResolution {
    /// Creates a resolution from a usable step; `nil` if the step has no value.
    fileprivate init?(_ step: FlagStep) {
        guard let value = step.value else { return nil }
        self.init(value: value.as(Value.self), source: step.source, details: step.details)
    }
}

extension FlagHandle: CustomStringConvertible {
    /// The key, the value and its source: `allows_sson = true (provider "overrides")`.
    public var description: String {
        guard let keyPath else { return "a flag without a loader = \(value) (default)" }
        let resolution = resolution()
        return "\(keyPath) = \(resolution.value) (\(resolution.source))"
    }
}
