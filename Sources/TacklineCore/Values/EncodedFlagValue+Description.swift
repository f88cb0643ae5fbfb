#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Data` and `Date` are cases of the neutral form.

extension EncodedFlagValue {
    /// What sort of value this is, as it reads in a sentence: "an integer", "a string", "null".
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

    /// Kind and content together, as they read in a sentence: "the integer 300".
    var phrase: String {
        switch self {
        case .null, .bool: description
        case .integer: "the integer \(description)"
        case .double: "the number \(description)"
        case .string: "the string \(description)"
        case .data: "the data \(description)"
        case .date: "the date \(description)"
        case .array: "the array \(description)"
        case .object: "the object \(description)"
        case .unparsed: "the untyped text \(description)"
        }
    }
}

extension EncodedFlagValue: CustomStringConvertible {
    /// Short text for messages, much like JSON; not a format to be read back.
    ///
    /// Strings are quoted, escaped and cut after 80 characters; of arrays and objects only the first elements and
    /// levels are shown, each cut shorter than a value on its own.
    ///
    /// - Complexity: O(1): the work does not grow with the size of the value.
    public var description: String {
        shortText(characters: 80, levels: 3)
    }

    private func shortText(characters: Int, levels: Int) -> String {
        switch self {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let value), .unparsed(let value): Self.quoted(value, characters: characters)
        case .data(let value): Self.shortText(of: value)
        case .date(let value):
            (try? FlagTimestamp.text(of: value)) ?? "\(value.timeIntervalSinceReferenceDate) s after 2001"
        case .array(let elements): Self.shortText(of: elements, levels: levels)
        case .object(let members): Self.shortText(of: members, levels: levels)
        }
    }

    private static let shownElements = 4

    private static func shortText(of data: Data) -> String {
        let shown = data.prefix(24)
        let text = "\"\(shown.base64EncodedString())\""
        return shown.count == data.count ? text : "\(text)… (\(data.count) bytes)"
    }

    private static func shortText(of elements: [EncodedFlagValue], levels: Int) -> String {
        guard !elements.isEmpty else { return "[]" }
        guard levels > 0 else { return "[…]" }
        var parts = elements.prefix(shownElements).map { $0.shortText(characters: 24, levels: levels - 1) }
        if elements.count > shownElements { parts.append("… \(elements.count) in all") }
        return "[\(parts.joined(separator: ", "))]"
    }

    private static func shortText(of members: [String: EncodedFlagValue], levels: Int) -> String {
        guard !members.isEmpty else { return "{}" }
        guard levels > 0 else { return "{…}" }
        // Sorted so that messages are stable, where the whole of it is small enough to be sorted at no cost.
        let shown =
            members.count <= 32
            ? members.sorted { $0.key < $1.key }.prefix(shownElements) : Array(members.prefix(shownElements))[...]
        var parts = shown.map { key, value in
            "\(quoted(key, characters: 24)): \(value.shortText(characters: 24, levels: levels - 1))"
        }
        if members.count > shownElements { parts.append("… \(members.count) in all") }
        return "{\(parts.joined(separator: ", "))}"
    }

    /// The text in quotes, with control characters escaped, cut after so many characters.
    static func quoted(_ text: String, characters: Int = 80) -> String {
        // Scalars, not characters: one character can hold any number of scalars.
        var result = "\""
        var scalars = text.unicodeScalars.makeIterator()
        for _ in 0..<characters {
            guard let scalar = scalars.next() else { return result + "\"" }
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                switch scalar.properties.generalCategory {
                case .control, .format, .lineSeparator, .paragraphSeparator:
                    result += "\\u{\(String(scalar.value, radix: 16, uppercase: true))}"
                default:
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return scalars.next() == nil ? result + "\"" : result + "…\""
    }
}
