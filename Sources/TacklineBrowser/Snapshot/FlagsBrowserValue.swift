public import TacklineCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Data` and `Date` are cases of `EncodedFlagValue`.

/// A value in the browser, in a form to show and a form to edit.
public struct FlagsBrowserValue: Sendable, Codable {
    /// The type of a value.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// A case of `EncodedFlagValue`. An unparsed value is `text`, and a decimal is `double`.
        case null, bool, integer, double, string, data, date, array, object, text
    }

    /// The type of the value.
    public var kind: Kind
    /// One short line for people, with control characters and directional marks escaped: `true`, `5`, `"list"`, `{…}`.
    public var text: String
    /// The whole value as people enter it: `true`, `5`, `list`, JSON with several lines. It is `nil` if the value is
    /// longer than a snapshot carries, or if it has no such form (a NaN inside an array). In the first case,
    /// ``FlagsBrowser/flag(id:)`` may return it.
    public var input: String?
    /// Whether it is a value of a secret flag (`FlagMetadata.isSecret`), which is printed without its text; `nil` if it
    /// isn't.
    public var isSecret: Bool?

    /// Creates a value from its parts.
    public init(kind: Kind, text: String, input: String?, isSecret: Bool? = nil) {
        self.kind = kind
        self.text = text
        self.input = input
        self.isSecret = isSecret
    }

    /// Creates a value.
    ///
    /// - Parameters:
    ///   - value: The encoded value.
    ///   - limit: The length of ``input`` in UTF-8 bytes above which it is left out.
    ///   - isSecret: Whether the value is left out of what is printed, dumped and mirrored. Screens show it.
    public init(
        _ value: EncodedFlagValue, limit: Int = FlagsBrowserValue.snapshotLimit, isSecret: Bool = false
    ) {
        kind = Kind(value)
        text = value.description
        let input = Self.input(of: value, limit: limit)
        self.input = input.flatMap { $0.utf8.count <= limit ? $0 : nil }
        self.isSecret = isSecret ? true : nil
    }

    /// The length in bytes up to which a snapshot contains a value in full: 16 KiB.
    public static let snapshotLimit = 16 << 10
    /// The length in bytes up to which ``FlagsBrowser/flag(id:)`` returns a value in full, and up to which an
    /// entered text is accepted: 1 MiB.
    public static let fullLimit = 1 << 20

    private static func input(of value: EncodedFlagValue, limit: Int) -> String? {
        switch value {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value): value.description
        // Not created if it is too long anyway.
        case .string(let text), .unparsed(let text): text.utf8.count <= limit ? text : nil
        case .data(let data): data.count / 3 <= limit / 4 ? data.base64EncodedString() : nil
        case .date, .array, .object: isLonger(value, than: limit) ? nil : json(of: value)
        }
    }

    /// Returns whether a value's JSON is certainly longer than a limit. It may be longer even if the result is `false`.
    ///
    /// - Complexity: O(*limit*), whatever the value is.
    private static func isLonger(_ value: EncodedFlagValue, than limit: Int) -> Bool {
        var rest = limit
        var waiting = [value]
        while let value = waiting.popLast() {
            switch value {
            case .string(let text), .unparsed(let text): rest -= text.utf8.count
            case .data(let data): rest -= data.count
            // Each element takes at least one byte, so the list of waiting values never outgrows the limit.
            case .array(let elements) where elements.count <= rest:
                rest -= elements.count
                waiting += elements
            case .object(let members) where members.count <= rest:
                rest -= members.count
                for (key, member) in members {
                    rest -= key.utf8.count
                    waiting.append(member)
                }
            case .array, .object: return true
            default: break
            }
            if rest < 0 { return true }
        }
        return false
    }

    private static func json(of value: EncodedFlagValue) -> String? {
        guard var text = try? FlagJSONWriter().text(of: value) else { return nil }
        if text.last == "\n" { text.removeLast() }
        if case .date = value { text = String(text.dropFirst().dropLast()) }
        return text
    }
}

extension FlagsBrowserValue {
    /// The encoded value, or `nil` if ``input`` is `nil` or can't be read.
    ///
    /// - Complexity: O(*n*) in the length of ``input``.
    public var encoded: EncodedFlagValue? {
        guard let input else { return nil }
        return switch kind {
        case .null: .null
        case .bool: .bool(input == "true")
        case .integer: Int128(input).map { .integer($0) }
        case .double: Double(input).map { .double($0) }
        case .string: .string(input)
        case .text: .unparsed(input)
        case .data: Data(base64Encoded: input).map { .data($0) }
        case .date: (try? Date(encoded: .string(input))).map { .date($0) }
        case .array, .object: try? FlagJSONReader(limits: Self.jsonLimits).read(input)
        }
    }

    /// Whether the value is too long to be contained in full.
    public var isShortened: Bool { input == nil }

    /// The limits for the JSON of one value: 1 MiB and 64 levels.
    static var jsonLimits: FlagJSONReader.Limits {
        var limits = FlagJSONReader.Limits()
        limits.maximumBytes = fullLimit
        return limits
    }
}

extension FlagsBrowserValue: Hashable {
    /// Returns whether two values are equal, regardless of whether they are secret.
    public static func == (left: Self, right: Self) -> Bool {
        left.kind == right.kind && left.text == right.text && left.input == right.input
    }

    /// Hashes the value.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(text)
        hasher.combine(input)
    }
}

extension FlagsBrowserValue: ReflectedAsDescription {
    /// The short text, or `a secret` for a value of a secret flag.
    public var description: String { isSecret == true ? "a secret" : text }
}

extension FlagsBrowserValue.Kind {
    /// Creates the kind of a value.
    public init(_ value: EncodedFlagValue) {
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
