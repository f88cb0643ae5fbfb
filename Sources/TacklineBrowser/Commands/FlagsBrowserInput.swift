public import TacklineCore

/// What somebody entered for a flag.
public enum FlagsBrowserInput: Sendable, Hashable {
    /// A text, which the flag's type reads: `true`, `5`, `2026-11-21T08:00:00Z`, JSON. Blanks around anything but a text
    /// are passed over, and an option of a choice may be named by its label.
    case text(String)
    /// A value in its neutral form; ``/TacklineCore/EncodedFlagValue/null`` for an optional flag's `nil`.
    case value(EncodedFlagValue)
}

/// An object with the member `text` or the member `value`.
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

    /// Writes the object.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .text(let text): try container.encode(text, forKey: .text)
        case .value(let value): try container.encode(value, forKey: .value)
        }
    }
}
