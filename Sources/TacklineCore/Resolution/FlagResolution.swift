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
    private struct Coded: Codable {
        var kind: String
        var provider: String?
    }

    /// Creates a source from an object that ``encode(to:)`` wrote.
    ///
    /// - Throws: `DecodingError` if the kind is unknown or a provider has no id.
    public init(from decoder: any Decoder) throws {
        let coded = try Coded(from: decoder)
        switch (coded.kind, coded.provider) {
        case ("scope", _): self = .scope
        case ("computed", _): self = .computed
        case ("default", _): self = .default
        case ("provider", let id?): self = .provider(id)
        default:
            let text = "\"\(coded.kind)\" is not scope, computed, default, or provider with an id; write one of them"
            throw DecodingError.dataCorrupted(.init(codingPath: decoder.codingPath, debugDescription: text))
        }
    }

    /// Writes an object with the member `kind` and, for a provider, its id.
    public func encode(to encoder: any Encoder) throws {
        if case .provider(let id) = self { return try Coded(kind: "provider", provider: id).encode(to: encoder) }
        try Coded(kind: description).encode(to: encoder)
    }
}

/// A flag's value and its source.
public struct FlagResolution<Value: FlagValue>: Sendable {
    /// The value, as a read returns it.
    public let value: Value
    /// The source of the value.
    public let source: FlagSource
    /// The provider's details about the value, or `nil` if there are none.
    public let details: FlagResolutionDetails?

    /// Whether the flag is secret, so that the resolution is printed without its value.
    let isSecret: Bool

    /// The name of the variant that the provider chose, or `nil` if it gives none.
    public var variant: String? { details?.variant }
    /// The provider's reason for the value, or `nil` if it gives none.
    public var reason: FlagResolutionReason? { details?.reason }
    /// The provider's metadata about the flag. It is empty if there is none.
    public var metadata: [String: EncodedFlagValue] { details?.metadata ?? [:] }

    package init(value: Value, source: FlagSource, details: FlagResolutionDetails? = nil, isSecret: Bool = false) {
        self.value = value
        self.source = source
        self.details = details
        self.isSecret = isSecret
    }
}

extension FlagResolution: Equatable where Value: Equatable {}

extension FlagResolution: ReflectedAsDescription {
    /// The value, its source and the provider's details: `true (provider "overrides")`.
    public var description: String {
        let details = details.map { " [\($0.shown(isSecret: isSecret))]" } ?? ""
        return "\(FlagMetadata.shown("\(value)", isSecret: isSecret)) (\(source))\(details)"
    }
}
