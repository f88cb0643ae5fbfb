public import TacklineFoundation

/// A flag's value in the neutral form that files, servers, environment variables and snapshots share.
///
/// Literals create encoded values. A flag's type converts an encoded value exactly or refuses it:
///
/// ```swift
/// import Tackline
///
/// let stored: EncodedFlagValue = ["attempts": 3, "ratio": 0.5, "themes": ["light", "dark"]]
/// let attempts = try UInt8(encoded: 3)     // 3
/// let refused = try? UInt8(encoded: 300)   // nil
/// ```
///
/// `true`, `1` and `1.0` are three different values, and they stay different in JSON. Two values are equal if they have
/// the same case and the same content. Strings are compared by their UTF-8 bytes, and NaN equals itself.
///
/// There is no `nil` literal: in `condition ? value : nil`, `nil` means that there is no value, and not ``null``.
public enum EncodedFlagValue: Sendable, Hashable {
    /// The absence of a value. If a flag is not optional, a provider with null counts as one without a value.
    case null
    /// A Boolean.
    case bool(Bool)
    /// An integer. `Int128` can represent every `Int64` and every `UInt64`.
    case integer(Int128)
    /// A floating-point number. In JSON, it is a number with a fraction or an exponent.
    case double(Double)
    /// A string.
    case string(String)
    /// A sequence of bytes. In JSON, it is a string in base64.
    case data(Data)
    /// A point in time. In JSON, it is a string in RFC 3339 format, to the millisecond.
    case date(Date)
    /// An ordered list of values.
    case array([EncodedFlagValue])
    /// An unordered collection of named values, its members.
    case object([String: EncodedFlagValue])
    /// A text without a type, from an environment variable, a command-line argument or a terminal.
    ///
    /// The flag's type determines how the text is parsed. A `Bool` accepts `on`, an `Int` accepts `5`, and an array
    /// accepts a JSON array.
    case unparsed(String)

    /// The maximum number of nested arrays and objects: 64.
    ///
    /// All readers, writers, encoders and decoders of values apply this limit. Every value that can be written can
    /// therefore be read again, and input from outside can't exhaust the stack. In a file, the objects around a value
    /// also count: the root object of the file, and one for each collection that is an object.
    public static let maximumDepth = 64

    /// Returns the error message for a value that is nested more than `limit` levels deep.
    package static func tooDeep(limit: Int = maximumDepth) -> String {
        "arrays and objects are nested more than \(limit) levels deep; flatten the value"
    }
}

extension EncodedFlagValue: ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// Creates ``bool(_:)`` from `true` or `false`.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// Creates ``integer(_:)`` from an integer literal such as `1`.
    public init(integerLiteral value: Int128) { self = .integer(value) }

    /// Creates ``double(_:)`` from a floating-point literal such as `1.0`.
    public init(floatLiteral value: Double) { self = .double(value) }

    /// Creates ``string(_:)`` from a string literal, with or without interpolations.
    ///
    /// A literal never creates ``unparsed(_:)``.
    public init(stringLiteral value: String) { self = .string(value) }

    /// Creates ``array(_:)`` from an array literal such as `[1, true]`.
    public init(arrayLiteral elements: EncodedFlagValue...) { self = .array(elements) }

    /// Creates ``object(_:)`` from a dictionary literal such as `["attempts": 3]`.
    ///
    /// If several members have the same key, the last one is used.
    public init(dictionaryLiteral members: (String, EncodedFlagValue)...) {
        self = .object(Dictionary(members) { _, last in last })
    }
}

// MARK: Equality

// Not synthesized, for two reasons. If a NaN differed from itself, also as a date, each comparison would report a change.
// `String` compares by canonical equivalence, which takes quadratic time for a run of combining marks: a single string
// from a server could block a reader for minutes. Keys are limited in their length instead.
extension EncodedFlagValue {
    /// Returns whether both values have the same case and the same content. It isn't inlined, because it is large.
    @inline(never) public static func == (left: EncodedFlagValue, right: EncodedFlagValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left == right || left.isNaN && right.isNaN
        case (.string(let left), .string(let right)), (.unparsed(let left), .unparsed(let right)):
            left.utf8.elementsEqual(right.utf8)
        case (.data(let left), .data(let right)): left == right
        case (.date(let left), .date(let right)): left == right || left != left && right != right
        case (.array(let left), .array(let right)): left == right
        case (.object(let left), .object(let right)): left == right
        default: false
        }
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: break
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value.isNaN ? .nan : value)
        case .string(let text), .unparsed(let text): for byte in text.utf8 { hasher.combine(byte) }
        case .data(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value != value ? .distantPast : value)
        case .array(let elements): hasher.combine(elements)
        case .object(let members): hasher.combine(members)
        }
    }

    package var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }
}

extension String {
    /// Whether more than 30 combining marks are in a row, which the Stream-Safe Text Format excludes (Unicode Standard
    /// Annex 15, section 13). Hashing and comparing such a text takes time proportional to the square of their number.
    var hasLongRunOfMarks: Bool {
        var marks = 0
        return utf8.count > 60
            && unicodeScalars.contains { scalar in
                let isMark = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered
                marks = isMark ? marks + 1 : 0
                return marks > 30
            }
    }
}

// MARK: Codable

/// A `Codable` conformance that uses the natural form of a value: `.integer(1)` is encoded as the number 1.
///
/// Data is encoded as a string in base64, a date as a string in RFC 3339 format, and an unparsed text as a string. All
/// three are decoded as strings, which the flag types `Data` and `Date` accept. `JSONEncoder` writes 1.0 as `1`. Use
/// ``FlagDocument/jsonData()`` to keep them apart.
extension EncodedFlagValue: Codable {
    /// Creates a value from a null, Boolean, number, string, array or object of the decoder.
    ///
    /// - Throws: `DecodingError` for a value nested more than ``maximumDepth`` levels deep, and any error that the
    ///   decoder throws.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        func scalar<Value: Decodable>(_ make: (Value) -> EncodedFlagValue) -> EncodedFlagValue? {
            (try? container.decode(Value.self)).map(make)
        }
        // Not every decoder supports `Int128`, so the narrower types come first.
        if container.decodeNil() {
            self = .null
        } else if let value = scalar(Self.bool) ?? scalar({ (value: Int64) in .integer(Int128(value)) })
            ?? scalar({ (value: UInt64) in .integer(Int128(value)) }) ?? scalar(Self.integer) ?? scalar(Self.double)
            ?? scalar(Self.string)
        {
            self = value
        } else if decoder.codingPath.count >= EncodedFlagValue.maximumDepth {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: EncodedFlagValue.tooDeep())
        } else if (try? decoder.unkeyedContainer()) != nil {
            self = .array(try container.decode([EncodedFlagValue].self))
        } else {
            self = .object(try container.decode([String: EncodedFlagValue].self))
        }
    }

    /// Encodes the value in its natural form.
    ///
    /// - Throws: `EncodingError` for a value nested more than ``maximumDepth`` levels deep, ``FlagValueError`` for a date
    ///   outside the years 1 to 9999, and any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        if isContainer, encoder.codingPath.count >= EncodedFlagValue.maximumDepth {
            throw EncodingError.invalidValue(
                self, .init(codingPath: encoder.codingPath, debugDescription: EncodedFlagValue.tooDeep()))
        }
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value):
            if let narrow = Int64(exactly: value) { return try container.encode(narrow) }
            if let narrow = UInt64(exactly: value) { return try container.encode(narrow) }
            try container.encode(value)
        case .double(let value): try container.encode(value)
        case .string(let value), .unparsed(let value): try container.encode(value)
        case .data(let value): try container.encode(value.base64EncodedString())
        case .date(let value): try container.encode(FlagTimestamp.text(of: value))
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }
}

// MARK: Messages

extension EncodedFlagValue {
    /// The kind of the value, as a phrase for messages such as "an integer", "a string" or "null".
    public var kind: String {
        switch self {
        case .null: "null"
        case .bool: "a Boolean"
        case .integer: "an integer"
        case .double: "a floating-point number"
        case .string: "a string"
        case .data: "data"
        case .date: "a date"
        case .array: "an array"
        case .object: "an object"
        case .unparsed: "an untyped text"
        }
    }

    /// The kind and the content of the value, as a phrase for messages such as "the integer 300".
    var phrase: String {
        switch self {
        case .null, .bool: description
        case .double: "the number \(description)"
        default: "the \(kind.split(separator: " ", maxSplits: 1).last ?? "value") \(description)"
        }
    }

    /// Returns a phrase such as `one of "list", "grid" or 3 more`.
    package static func phrase(forOneOf values: [EncodedFlagValue]) -> String {
        let shown = values.prefix(20)
        let rest = values.count > shown.count ? " or \(values.count - shown.count) more" : ""
        return "one of " + shown.map(\.description).joined(separator: ", ") + rest
    }
}

extension EncodedFlagValue: CustomStringConvertible {
    /// A short text for messages, similar to JSON. It can't be parsed back into a value.
    ///
    /// Strings are quoted, escaped and truncated after 80 Unicode scalars. Arrays and objects show their first four
    /// elements or members, to a depth of three levels. Strings inside them are truncated after 24 Unicode scalars.
    public var description: String { abbreviated(characters: 80, levels: 3) }

    private func abbreviated(characters: Int, levels: Int) -> String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let value), .unparsed(let value): Self.quoted(value, characters: characters)
        case .data(let value):
            "\"\(value.prefix(24).base64EncodedString())\"" + (value.count > 24 ? "…" : "")
        case .date(let value):
            (try? FlagTimestamp.text(of: value)) ?? "\(value.timeIntervalSinceReferenceDate) s after 2001"
        case .array where levels == 0: "[…]"
        case .array(let elements): "[\(Self.list(elements) { $0.abbreviated(characters: 24, levels: levels - 1) })]"
        case .object where levels == 0: "{…}"
        case .object(let members):
            "{"
                + Self.list(Array(members.keys).sorted()) { key in
                    let value = members[key]?.abbreviated(characters: 24, levels: levels - 1) ?? ""
                    return "\(Self.quoted(key, characters: 24)): \(value)"
                } + "}"
        }
    }

    private static func list<Part>(_ parts: [Part], _ text: (Part) -> String) -> String {
        let rest = parts.count > 4 ? ["… \(parts.count) in all"] : []
        return (parts.prefix(4).map(text) + rest).joined(separator: ", ")
    }

    /// Returns the text in double quotes with control characters escaped.
    ///
    /// - Parameter characters: The number of Unicode scalars after which the text is truncated. The default is 80.
    package static func quoted(_ text: String, characters: Int = 80) -> String {
        // The loop counts scalars because one `Character` can consist of any number of them.
        var result = "\""
        var scalars = text.unicodeScalars.makeIterator()
        for _ in 0..<characters {
            guard let scalar = scalars.next() else { return result + "\"" }
            switch scalar {
            case "\"", "\\", "\n", "\r", "\t": result += scalar.escaped(asASCII: false)
            default:
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator:
                    result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
                default: result.unicodeScalars.append(scalar)
                }
            }
        }
        return scalars.next() == nil ? result + "\"" : result + "…\""
    }
}
