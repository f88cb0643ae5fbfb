/// The control that edits a flag.
public enum FlagsBrowserControl: Sendable, Hashable {
    /// A switch.
    case toggle
    /// A number field with a stepper. The bounds are those of the flag's declaration or its type, inclusive.
    case integer(minimum: Int128, maximum: Int128)
    /// A number field, with a slider if the flag has bounds, which are inclusive.
    case number(in: ClosedRange<Double>?)
    /// A text field.
    case text(Format)
    /// A list of options.
    case choice([FlagsBrowserOption])
    /// A date and time picker.
    case date
    /// A text field for JSON with several lines.
    case json

    /// The format of a text.
    public enum Format: String, Sendable, Hashable, Codable {
        /// Any text.
        case plain
        /// A URL with a scheme.
        case url
        /// A UUID.
        case uuid
        /// Bytes in base64.
        case base64
    }

    /// A control without its details, by which flags can be filtered.
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

/// A JSON object with the member `kind` and, for some kinds, `minimum` and `maximum` (as strings, because some JSON
/// readers lose large integers), `format` or `options`.
extension FlagsBrowserControl: Codable {
    private enum CodingKeys: String, CodingKey {
        case kind, minimum, maximum, format, options
    }

    /// Reads the object that ``encode(to:)`` writes. A kind of a later release becomes ``json``, which can edit
    /// anything.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        switch Kind(rawValue: try container.decode(String.self, forKey: .kind)) {
        case .toggle: self = .toggle
        case .integer:
            let minimum = Int128(try container.decode(String.self, forKey: .minimum))
            let maximum = Int128(try container.decode(String.self, forKey: .maximum))
            self = .integer(minimum: minimum ?? .min, maximum: maximum ?? .max)
        case .number:
            let minimum = try container.decodeIfPresent(String.self, forKey: .minimum).flatMap { Double($0) }
            let maximum = try container.decodeIfPresent(String.self, forKey: .maximum).flatMap { Double($0) }
            if let minimum, let maximum, minimum <= maximum {
                self = .number(in: minimum...maximum)
            } else {
                self = .number(in: nil)
            }
        case .text: self = .text(try container.decode(Format.self, forKey: .format))
        case .choice: self = .choice(try container.decode([FlagsBrowserOption].self, forKey: .options))
        case .date: self = .date
        case .json, nil: self = .json
        }
    }

    /// Writes the control as a JSON object.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(kind.rawValue, forKey: .kind)
        switch self {
        case .integer(let minimum, let maximum):
            try container.encode("\(minimum)", forKey: .minimum)
            try container.encode("\(maximum)", forKey: .maximum)
        case .number(let range?):
            try container.encode("\(range.lowerBound)", forKey: .minimum)
            try container.encode("\(range.upperBound)", forKey: .maximum)
        case .text(let format): try container.encode(format, forKey: .format)
        case .choice(let options): try container.encode(options, forKey: .options)
        case .toggle, .number(nil), .date, .json: break
        }
    }
}
