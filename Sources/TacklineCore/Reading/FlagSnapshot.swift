/// The values of all flags of a loader at one moment. It never changes.
///
/// A snapshot can be kept in a file (it is `Codable`), compared with another one, and put into a chain: it is a provider
/// that answers with the values that it holds.
public struct FlagSnapshot: Sendable, Hashable {
    /// A flag in the snapshot.
    public struct Entry: Sendable, Hashable, Codable {
        /// The value.
        public let value: EncodedFlagValue
        /// Where it came from.
        public let source: FlagSource

        /// Makes an entry.
        public init(value: EncodedFlagValue, source: FlagSource) {
            self.value = value
            self.source = source
        }
    }

    /// The flags by the text of their key.
    public let entries: [String: Entry]
    /// The separator of the keys.
    public let separator: String

    package init(entries: [String: Entry], separator: String) {
        self.entries = entries
        self.separator = separator
    }

    /// Returns the value at a path, or `nil` if the loader had no such flag.
    public subscript(path: String) -> EncodedFlagValue? {
        entries[path]?.value
    }
}

extension FlagSnapshot: Codable {}

extension FlagSource: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind, provider
    }

    /// Reads what ``encode(to:)`` writes.
    ///
    /// - Throws: `DecodingError` if the kind is unknown or a provider has no id.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch try container.decode(String.self, forKey: .kind) {
        case "scope": self = .scope
        case "computed": self = .computed
        case "default": self = .default
        case "provider": self = .provider(try container.decode(String.self, forKey: .provider))
        case let other:
            throw DecodingError.dataCorruptedError(
                forKey: .kind, in: container, debugDescription: "\"\(other)\" is no kind of source")
        }
    }

    /// Writes an object with the member `kind` and, for a provider, its id.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .scope: try container.encode("scope", forKey: .kind)
        case .computed: try container.encode("computed", forKey: .kind)
        case .default: try container.encode("default", forKey: .kind)
        case .provider(let id):
            try container.encode("provider", forKey: .kind)
            try container.encode(id, forKey: .provider)
        }
    }
}

extension FlagSnapshot: FlagDocumentProvider {
    /// `snapshot`
    public var name: String { "snapshot" }

    /// Returns the value that the flag had.
    public func value(for key: FlagKeyPath) -> EncodedFlagValue? {
        entries[key.text]?.value
    }

    /// Takes the observer, who will never hear anything: a snapshot does not change.
    public func observe(_ observer: FlagProviderObserver) -> Bool { true }

    /// The values by flat key.
    public var document: FlagDocument {
        FlagDocument(entries.mapValues(\.value))
    }
}
