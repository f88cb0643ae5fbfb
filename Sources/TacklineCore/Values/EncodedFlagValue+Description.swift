// `Data` and `Date` are types of Foundation.
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

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
        case .array([]): "[]"
        case .array where levels == 0: "[…]"
        case .array(let elements): "[\(Self.list(elements) { $0.abbreviated(characters: 24, levels: levels - 1) })]"
        case .object([:]): "{}"
        case .object where levels == 0: "{…}"
        case .object(let members):
            "{"
                + Self.list(members.sorted { $0.key.precedes($1.key) }) { key, value in
                    Self.quoted(key, characters: 24) + ": " + value.abbreviated(characters: 24, levels: levels - 1)
                } + "}"
        }
    }

    /// Returns the texts of the first four parts, and the number of all if there are more.
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
