/// The source of a flag's value.
public enum FlagSource: Sendable, Hashable {
    /// A value that a test has set for the current task.
    case scope
    /// The flag's own `computedValue` or `computed` closure.
    case computed
    /// The provider with this id.
    case provider(String)
    /// The flag's default, because no provider has a usable value.
    case `default`
}

extension FlagSource: CustomStringConvertible {
    /// The source in words: `scope`, `computed`, `provider "overrides"` or `default`.
    public var description: String {
        switch self {
        case .scope: "scope"
        case .computed: "computed"
        case .provider(let id): "provider \"\(id)\""
        case .default: "default"
        }
    }
}

/// A flag's value and its source.
public struct FlagResolution<Value: FlagValue>: Sendable {
    /// The flag's key. It is empty if the flag has no loader.
    public let key: FlagKeyPath
    /// The value, as a read returns it.
    public let value: Value
    /// The source of the value.
    public let source: FlagSource
    /// The provider's evaluation, or `nil` if the value doesn't come from a provider.
    public let evaluation: FlagEvaluation?
    /// The description of the flag. It is secret also if the value was computed from that of a secret flag.
    public let metadata: FlagMetadata
    /// The declaration of the flag in a resolution that an observer receives, or `nil`.
    var declaration: FlagDeclaration?

    /// The name of the variant that the provider chose, or `nil` if it gives none.
    public var variant: String? { evaluation?.variant }
    /// The provider's reason for the value, or `nil` if it gives none.
    public var reason: FlagEvaluation.Reason? { evaluation?.reason }

    /// Creates a resolution, for tests of observers.
    public init(
        key: FlagKeyPath, value: Value, source: FlagSource, evaluation: FlagEvaluation? = nil,
        metadata: FlagMetadata = FlagMetadata()
    ) {
        (self.key, self.value, self.source) = (key, value, source)
        (self.evaluation, self.metadata) = (evaluation, metadata)
    }
}

extension FlagResolution<EncodedFlagValue> {
    /// Returns another value for the flag in the form that ``value`` has, or `nil` if the flag's type refuses it.
    package func encodedForm(of value: EncodedFlagValue) -> EncodedFlagValue? {
        guard let declaration else { return value }
        if case .null = value, !declaration.takesNull { return nil }
        return (try? declaration.decode(value)).flatMap { declaration.encode($0) }
    }
}

extension FlagResolution: ReflectedAsDescription {
    /// The key, the value, its source and the provider's reasons: `allows_sson = true (provider "overrides")`.
    public var description: String {
        let reasons = evaluation?.shown(isSecret: metadata.isSecret) ?? ""
        let head = "\(key) = \(metadata.shown("\(value)")) (\(source))"
        return reasons.isEmpty ? head : "\(head) [\(reasons)]"
    }
}
