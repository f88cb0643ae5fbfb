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

extension FlagSource: Codable {
    /// Creates a source from the object that ``encode(to:)`` writes.
    ///
    /// - Throws: `DecodingError` if the kind is unknown.
    public init(from decoder: any Decoder) throws {
        let members = try [String: String](from: decoder)
        let others: [FlagSource] = [.scope, .computed, .default]
        let known = others.first { $0.description == members["kind"] }
        guard let source = members["provider"].map({ .provider($0) }) ?? known else {
            let text = "its kind is not scope, computed, default, or provider with an id; write one of them"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
        }
        self = source
    }

    /// Writes an object with the member `kind` and, for a provider, its id as the member `provider`.
    public func encode(to encoder: any Encoder) throws {
        var members = ["kind": description]
        if case .provider(let id) = self { members = ["kind": "provider", "provider": id] }
        try members.encode(to: encoder)
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
