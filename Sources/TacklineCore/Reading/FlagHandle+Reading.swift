extension FlagHandle {
    private var loaded: LoadedFlags? { owner as? LoadedFlags }

    /// The flag's key; `nil` if no loader bound the flag, or its loader is gone.
    public var keyPath: FlagKeyPath? { loaded?.index.entries[ordinal].keyPath }

    /// What people should know about the flag, with its name filled in.
    public var metadata: FlagMetadata {
        loaded?.metadata(of: ordinal) ?? declaration?.metadata ?? FlagMetadata()
    }

    /// The default: the declared one, or what ``setDefault(_:)`` put in its place.
    public var defaultValue: Value {
        guard let loaded, let declaration else { return value }
        return loaded.defaultValue(declaration, ordinal: ordinal)
    }

    /// Returns what the provider of a type says, and nobody else; computed values do not answer for it.
    ///
    /// - Parameters:
    ///   - type: The first provider of exactly this type in the chain.
    ///   - fallback: Whether the default stands in where the provider says nothing usable.
    /// - Returns: `nil` where the provider is not in the chain, has no value, or has one that the type refuses (which is
    ///   reported), and `fallback` is `false`.
    public func flagValue(from type: any FlagProvider.Type, fallback: Bool = false) -> Value? {
        flagValue(from: .type(type), fallback: fallback)
    }

    /// Returns what one provider of the chain says, and nobody else; computed values do not answer for it.
    ///
    /// - Parameters:
    ///   - provider: A provider of the chain.
    ///   - fallback: Whether the default stands in where the provider says nothing usable.
    /// - Returns: `nil` where the provider is not in the chain, has no value, or has one that the type refuses (which is
    ///   reported), and `fallback` is `false`.
    public func flagValue(from provider: any FlagProvider, fallback: Bool = false) -> Value? {
        flagValue(from: .instance(provider), fallback: fallback)
    }

    /// Returns what the provider with an id says, and nobody else; computed values do not answer for it.
    ///
    /// - Parameters:
    ///   - id: The provider's id in the chain, which is its name unless another one had taken it.
    ///   - fallback: Whether the default stands in where the provider says nothing usable.
    /// - Returns: `nil` where the provider is not in the chain, has no value, or has one that the type refuses (which is
    ///   reported), and `fallback` is `false`.
    public func flagValue(fromProviderNamed id: String, fallback: Bool = false) -> Value? {
        flagValue(from: .id(id), fallback: fallback)
    }

    /// Returns the value and where it came from, with variant, reason and metadata where a provider gives them.
    ///
    /// It asks the providers anew, in order to look: a provider that counts who was given a value does not count it. Read
    /// the flag where you use it.
    public func resolution() -> FlagResolution<Value> {
        guard let loaded, let declaration else { return FlagResolution(value: value, source: .default) }
        return loaded.resolution(declaration, ordinal: ordinal)
    }

    /// Returns what the provider of a type says, or the default, and which of them it is.
    public func resolution(from type: any FlagProvider.Type) -> FlagResolution<Value> {
        resolution(from: .type(type))
    }

    /// Returns what one provider of the chain says, or the default, and which of them it is.
    public func resolution(from provider: any FlagProvider) -> FlagResolution<Value> {
        resolution(from: .instance(provider))
    }

    /// Returns what the provider with an id says, or the default, and which of them it is.
    public func resolution(fromProviderNamed id: String) -> FlagResolution<Value> {
        resolution(from: .id(id))
    }

    /// Asks every provider, and says who won and why. It does not count as a use of the flag.
    public func explain() -> FlagExplanation {
        guard let loaded, let declaration else {
            let encoded = (try? value.encoded) ?? .null
            return FlagExplanation(
                key: FlagKeyPath(components: []),
                valueType: String(describing: Value.self),
                metadata: metadata,
                value: encoded,
                source: .default,
                reason: "no loader bound the flag, or its loader is gone",
                scoped: nil, computed: nil,
                answers: [],
                defaultValue: encoded
            )
        }
        return loaded.explanation(declaration, ordinal: ordinal)
    }

    private func flagValue(from selector: FlagProviderSelector, fallback: Bool) -> Value? {
        guard let loaded, let declaration else { return fallback ? value : nil }
        if let found = loaded.providerValue(declaration, ordinal: ordinal, from: selector) { return found.value }
        return fallback ? defaultValue : nil
    }

    private func resolution(from selector: FlagProviderSelector) -> FlagResolution<Value> {
        guard let loaded, let declaration,
            let found = loaded.providerValue(
                declaration, ordinal: ordinal, from: selector, wantsDetails: true)
        else { return FlagResolution(value: defaultValue, source: .default) }
        return FlagResolution(value: found.value, source: .provider(found.id), details: found.details)
    }
}
