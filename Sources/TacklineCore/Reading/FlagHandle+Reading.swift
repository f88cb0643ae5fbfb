extension FlagOwner {
    /// The loader's data; `nil` for the probe of key paths, whose flags nobody else sees.
    package var core: LoaderCore? { self as? LoaderCore }
}

extension FlagHandle {
    /// The flag as it is found in a list; `nil` if no loader bound it, or its loader is gone.
    package var reference: FlagReference? {
        bound.flatMap { bound in bound.owner.core.map { FlagReference(core: $0, ordinal: bound.ordinal) } }
    }

    /// The flag's key; `nil` if no loader bound the flag, or its loader is gone.
    public var keyPath: FlagKeyPath? { reference?.keyPath }

    /// What people should know about the flag, with its name filled in; empty if it has no loader.
    public var metadata: FlagMetadata { reference?.metadata ?? FlagMetadata() }

    /// The default: the declared one, or what ``setDefault(_:)`` put in its place.
    public var defaultValue: Value { reference?.defaultValue.as(Value.self) ?? value }

    /// Returns the value of the first provider of exactly a type, as for providers that are named in other ways.
    public func flagValue(from type: any FlagProvider.Type, fallback: Bool = false) -> Value? {
        flagValue(from: .type(type), fallback: fallback)
    }

    /// Returns the value of one provider of the chain; no other provider and no computed value answers for it.
    ///
    /// In RealFlags a computed value comes first, and `fallback` is `true` unless given. Here `nil` says that this provider
    /// has no usable value. The value with its source, as there in a tuple, is `resolution(from:)`.
    ///
    /// - Parameters:
    ///   - provider: `.instance(overrides)` or `.named("remote")`.
    ///   - fallback: Whether the default stands in where the provider says nothing usable.
    /// - Returns: `nil` where the provider is not in the chain, has no value, or has one that the type refuses (which is
    ///   reported), and `fallback` is `false`.
    public func flagValue(from provider: FlagProviderSelector, fallback: Bool = false) -> Value? {
        guard let reference else { return fallback ? value : nil }
        return reference.finding(from: provider, for: .use)?.value.as(Value.self) ?? (fallback ? defaultValue : nil)
    }

    /// Returns the value and where it came from, with variant, reason and metadata where a provider gives them.
    ///
    /// It asks the providers anew, and does not count as a use of the flag. Read the flag where you use it.
    ///
    /// - Parameter provider: `nil` for the whole chain; a provider for what it alone says, or else the default.
    public func resolution(from provider: FlagProviderSelector? = nil) -> FlagResolution<Value> {
        guard let reference else { return FlagResolution(value: value, source: .default) }
        guard let provider else { return FlagResolution(reference.finding()) }
        return reference.finding(from: provider, for: .look).map { FlagResolution($0) }
            ?? FlagResolution(value: defaultValue, source: .default)
    }

    /// Returns the value of the provider of a type, or the default, and which of them it is.
    public func resolution(from type: any FlagProvider.Type) -> FlagResolution<Value> { resolution(from: .type(type)) }

    // MARK: All providers

    /// Returns every provider's answer, which one won and why. It does not count as a use of the flag.
    public func explain() -> FlagExplanation {
        if let reference { return reference.explain() }
        let encoded = (try? value.encoded) ?? .null
        return FlagExplanation(
            key: FlagKeyPath(components: []), valueType: String(describing: Value.self), metadata: metadata,
            value: encoded, source: .default, reason: "no loader bound the flag, or its loader is gone", answers: [],
            defaultValue: encoded)
    }
}

extension FlagResolution {
    fileprivate init(_ found: FlagResolver.Finding) {
        self.init(value: found.value.as(Value.self), source: found.step.source, details: found.step.details)
    }
}

extension FlagHandle: CustomStringConvertible {
    /// Key, value and where it comes from: `allows_sson = true (provider "overrides")`. It asks the providers.
    public var description: String {
        guard let keyPath else { return "a flag without a loader = \(value) (default)" }
        let resolution = resolution()
        return "\(keyPath) = \(resolution.value) (\(resolution.source))"
    }
}
