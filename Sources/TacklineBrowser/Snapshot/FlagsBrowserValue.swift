package import TacklineCore

import TacklineFoundation

// Foundation: `Data` and `Date` are cases of `EncodedFlagValue`.

/// A value in the browser, in a form to show and a form to edit.
package struct FlagsBrowserValue: Sendable, Hashable, Codable {
    /// The type of a value.
    package enum Kind: String, Sendable, Hashable, Codable {
        /// A case of `EncodedFlagValue`. An unparsed value is `text`, and a decimal is `double`.
        case null, bool, integer, double, string, data, date, array, object, text
    }

    /// The type of the value.
    package var kind: Kind
    /// One short line for people, with control characters and directional marks escaped: `true`, `5`, `"list"`, `{…}`.
    package var text: String
    /// The whole value as people enter it: `true`, `5`, `list`, JSON with several lines. It is `nil` if the value is
    /// longer than a snapshot carries, or if it has no such form (a NaN inside an array).
    package var input: String?
    /// Whether it is a value of a secret flag (`FlagMetadata.isSecret`), which is printed without its text; `nil` if it
    /// isn't.
    package var isSecret: Bool?

    /// The length in UTF-8 bytes up to which a snapshot contains a value in full: 64 KiB.
    static let snapshotLimit = 64 << 10
    /// The length in UTF-8 bytes up to which an entered text is accepted: 1 MiB.
    static let inputLimit = 1 << 20

    /// Creates a value.
    ///
    /// - Parameters:
    ///   - value: The encoded value.
    ///   - limit: The length of ``input`` above which it is left out.
    ///   - isSecret: Whether the value is left out of what is printed, dumped and mirrored. Screens show it.
    package init(_ value: EncodedFlagValue, limit: Int = snapshotLimit, isSecret: Bool = false) {
        kind = Kind(value)
        text = value.description
        let input = Self.input(of: value)
        self.input = input.flatMap { $0.utf8.count <= limit ? $0 : nil }
        self.isSecret = isSecret ? true : nil
    }

    private static func input(of value: EncodedFlagValue) -> String? {
        switch value {
        case .null: return "null"
        case .bool(let value): return "\(value)"
        case .integer(let value): return "\(value)"
        case .double(let value): return value.description
        case .string(let text), .unparsed(let text): return text
        case .data(let data): return data.base64EncodedString()
        case .date(let date): return try? FlagTimestamp.text(of: date)
        case .array, .object:
            guard var text = try? FlagJSONWriter().text(of: value) else { return nil }
            if text.last == "\n" { text.removeLast() }
            return text
        }
    }

    /// The encoded value, or `nil` if ``input`` is `nil` or can't be read.
    package var encoded: EncodedFlagValue? {
        guard let input else { return nil }
        return switch kind {
        case .null: .null
        case .bool: .bool(input == "true")
        case .integer: Int128(input).map { .integer($0) }
        case .double: Double(input).map { .double($0) }
        case .string: .string(input)
        case .text: .unparsed(input)
        case .data: Data(base64Encoded: input).map { .data($0) }
        case .date: FlagTimestamp.date(from: input).map { .date($0) }
        case .array, .object: try? FlagJSONReader().read(input)
        }
    }
}

extension FlagsBrowserValue: ReflectedAsDescription {
    /// The short text, or `a secret` for a value of a secret flag.
    package var description: String { isSecret == true ? "a secret" : text }
}

extension FlagsBrowserValue.Kind {
    fileprivate init(_ value: EncodedFlagValue) {
        self =
            switch value {
            case .null: .null
            case .bool: .bool
            case .integer: .integer
            case .double: .double
            case .string: .string
            case .data: .data
            case .date: .date
            case .array: .array
            case .object: .object
            case .unparsed: .text
            }
    }
}
