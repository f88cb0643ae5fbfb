/// What people edit a flag with.
public enum FlagsBrowserControl: Sendable, Hashable {
    /// A switch.
    case toggle
    /// A number field with a stepper. The bounds are those of the flag's type, both included.
    case integer(minimum: Int128, maximum: Int128)
    /// A number field.
    case number
    /// A text field.
    case text(Format)
    /// A list to pick from.
    case choice([FlagsBrowserOption])
    /// A date and time.
    case date
    /// A text field for JSON of several lines.
    case json

    /// What a text has to look like.
    public enum Format: String, Sendable, Hashable, Codable {
        /// Anything.
        case plain
        /// A URL with a scheme.
        case url
        /// A UUID.
        case uuid
        /// Bytes in base64.
        case base64
    }

    /// The control without its details: what flags are filtered by.
    public enum Kind: String, Sendable, Hashable, Codable, CaseIterable {
        /// See ``FlagsBrowserControl``.
        case toggle, integer, number, text, choice, date, json
    }

    /// The control without its details.
    public var kind: Kind {
        switch self {
        case .toggle: .toggle
        case .integer: .integer
        case .number: .number
        case .text: .text
        case .choice: .choice
        case .date: .date
        case .json: .json
        }
    }

    /// The options of a choice; empty for the others.
    public var options: [FlagsBrowserOption] {
        if case .choice(let options) = self { options } else { [] }
    }
}

/// An object with the member `kind` and, for some, `minimum` and `maximum` (as texts, since not every reader of JSON keeps
/// large integers), `format` or `options`.
extension FlagsBrowserControl: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind, minimum, maximum, format, options
    }

    /// Reads what ``encode(to:)`` writes. A kind of a later release becomes ``json``, which can edit anything.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch Kind(rawValue: try container.decode(String.self, forKey: .kind)) {
        case .toggle: self = .toggle
        case .integer:
            let minimum = Int128(try container.decode(String.self, forKey: .minimum))
            let maximum = Int128(try container.decode(String.self, forKey: .maximum))
            self = .integer(minimum: minimum ?? .min, maximum: maximum ?? .max)
        case .number: self = .number
        case .text: self = .text(try container.decode(Format.self, forKey: .format))
        case .choice: self = .choice(try container.decode([FlagsBrowserOption].self, forKey: .options))
        case .date: self = .date
        case .json, nil: self = .json
        }
    }

    /// Writes the object.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind.rawValue, forKey: .kind)
        switch self {
        case .integer(let minimum, let maximum):
            try container.encode("\(minimum)", forKey: .minimum)
            try container.encode("\(maximum)", forKey: .maximum)
        case .text(let format): try container.encode(format, forKey: .format)
        case .choice(let options): try container.encode(options, forKey: .options)
        case .toggle, .number, .date, .json: break
        }
    }
}
