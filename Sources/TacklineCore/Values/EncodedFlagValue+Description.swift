// Foundation: `Data` and `Date` are cases of the neutral form.
#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension EncodedFlagValue {
    /// The kind of value, worded for a sentence: "an integer", "a string", "null".
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

    /// Kind and content, worded for a sentence: "the integer 300".
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
    /// Strings are quoted, escaped and cut after 80 Unicode scalars; arrays and objects show their first four parts, three
    /// levels deep, with strings cut after 24.
    ///
    /// - Complexity: O(1): the work does not grow with the size of the value.
    public var description: String { shortText(characters: 80, levels: 3) }

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
        case .array(let elements):
            Self.list("[", "]", count: elements.count, levels: levels) {
                elements.prefix(Self.shownParts).map { $0.shortText(characters: 24, levels: levels - 1) }
            }
        case .object(let members):
            Self.list("{", "}", count: members.count, levels: levels) {
                // Sorted so that messages are stable, unless there are too many to sort.
                let keys = Array(members.keys.prefix(members.count <= 32 ? 32 : Self.shownParts)).inOrder { $0 }
                return keys.prefix(Self.shownParts).map { key in
                    let value = members[key]?.shortText(characters: 24, levels: levels - 1) ?? ""
                    return Self.quoted(key, characters: 24) + ": " + value
                }
            }
        }
    }

    private static let shownParts = 4

    private static func shortText(of data: Data) -> String {
        let shown = data.prefix(24)
        let text = "\"\(shown.base64EncodedString())\""
        return shown.count == data.count ? text : "\(text)… (\(data.count) bytes)"
    }

    private static func list(
        _ open: String, _ close: String, count: Int, levels: Int, parts: () -> [String]
    ) -> String {
        guard count > 0 else { return open + close }
        guard levels > 0 else { return open + "…" + close }
        let rest = count > shownParts ? ["… \(count) in all"] : []
        return open + (parts() + rest).joined(separator: ", ") + close
    }

    /// Returns the text in quotes with control characters escaped, cut after `characters` Unicode scalars.
    package static func quoted(_ text: String, characters: Int = 80) -> String {
        // One `Character` can hold any number of scalars.
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
                default: result.unicodeScalars.append(scalar)
                }
            }
        }
        return scalars.next() == nil ? result + "\"" : result + "…\""
    }
}
