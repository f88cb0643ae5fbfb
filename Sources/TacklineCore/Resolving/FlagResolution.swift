/// Where a flag's value came from.
public enum FlagSource: Sendable, Hashable {
    /// A value that holds for the current task, as tests set it.
    case scope
    /// The flag's own `computedValue` or `computed` closure.
    case computed
    /// The provider with this id.
    case provider(String)
    /// No provider had a usable value: the flag's default.
    case `default`
}

extension FlagSource: CustomStringConvertible {
    /// `scope`, `computed`, `provider "overrides"` or `default`.
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

    /// Reads what ``encode(to:)`` writes.
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

/// A flag's value and where it came from.
public struct FlagResolution<Value: FlagValue>: Sendable {
    /// The value, as reading the flag gives it.
    public let value: Value
    /// Where it came from.
    public let source: FlagSource
    /// What the provider says about the value; `nil` where it says nothing (``DetailedFlagProvider``).
    public let details: FlagResolutionDetails?

    /// The name of the value; `nil` where no provider gave one.
    public var variant: String? { details?.variant }
    /// Why the provider gave the value; `nil` where it does not say.
    public var reason: FlagResolutionReason? { details?.reason }
    /// What the provider knows about the flag; empty where it says nothing.
    public var metadata: [String: EncodedFlagValue] { details?.metadata ?? [:] }

    package init(value: Value, source: FlagSource, details: FlagResolutionDetails? = nil) {
        self.value = value
        self.source = source
        self.details = details
    }
}

extension FlagResolution: Equatable where Value: Equatable {}
