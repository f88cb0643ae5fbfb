public import TacklineCore

/// A value that somebody entered for a flag.
public enum FlagsBrowserInput: Sendable, Hashable {
    /// A text that the flag's type reads: `true`, `5`, `2026-11-21T08:00:00Z`, JSON. Whitespace around it is ignored
    /// unless the flag's value is a text. An option of a choice may also be given by its label.
    case text(String)
    /// An encoded value. For `nil` of an optional flag it is ``/TacklineCore/EncodedFlagValue/null``.
    case value(EncodedFlagValue)
}

/// A JSON object with the member `text` or the member `value`.
extension FlagsBrowserInput: Codable {
    private enum CodingKeys: String, CodingKey {
        case text, value
    }

    /// Reads what ``encode(to:)`` writes.
    ///
    /// - Throws: `DecodingError` if it has neither member or both.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch (container.contains(.text), container.contains(.value)) {
        case (true, false): self = .text(try container.decode(String.self, forKey: .text))
        case (false, true): self = .value(try container.decode(EncodedFlagValue.self, forKey: .value))
        default:
            throw DecodingError.dataCorrupted(
                .init(codingPath: decoder.codingPath, debugDescription: "expected either \"text\" or \"value\""))
        }
    }

    /// Writes the input as a JSON object.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .text(let text): try container.encode(text, forKey: .text)
        case .value(let value): try container.encode(value, forKey: .value)
        }
    }
}

extension FlagsBrowserInput: ReflectedAsDescription {
    /// The form of the input. The value is left out, since the flag may be secret.
    public var description: String { if case .text = self { "a text" } else { "a value" } }
}
