public import TacklineCore
import TacklineFormats

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Data` and `Date` are cases of the neutral form.

/// A value in the browser: as people read it, and as they enter it.
public struct FlagsBrowserValue: Sendable, Hashable, Codable {
    /// What sort of value it is.
    public enum Kind: String, Sendable, Hashable, Codable {
        /// The cases of `EncodedFlagValue`; `text` is one without a type, and a decimal is a `double`.
        case null, bool, integer, double, string, data, date, array, object, text
    }

    /// What sort of value it is.
    public var kind: Kind
    /// One short line for people, with control characters and marks of direction escaped: `true`, `5`, `"list"`, `{…}`.
    public var text: String
    /// The whole of it as people enter it: `true`, `5`, `list`, JSON over several lines. `nil` where that is longer than
    /// a snapshot carries, or where it has no such form (a NaN inside an array). ``FlagsBrowserBackend/flag(id:)`` then
    /// may have it.
    public var input: String?

    /// Makes a value from what it says.
    public init(kind: Kind, text: String, input: String?) {
        self.kind = kind
        self.text = text
        self.input = input
    }

    /// Makes a value.
    ///
    /// - Parameters:
    ///   - value: The value in its neutral form.
    ///   - limit: The length in bytes of UTF-8 up to which ``input`` is given.
    public init(_ value: EncodedFlagValue, limit: Int = FlagsBrowserValue.snapshotLimit) {
        kind = Kind(value)
        text = value.description
        let input = Self.input(of: value, limit: limit)
        self.input = input.flatMap { $0.utf8.count <= limit ? $0 : nil }
    }

    /// The length in bytes up to which a snapshot carries a value in full: 16 KiB.
    public static let snapshotLimit = 16 << 10
    /// The length in bytes up to which ``FlagsBrowserBackend/flag(id:)`` gives a value in full, and up to which a text is
    /// accepted: 1 MiB.
    public static let fullLimit = 1 << 20

    private static func input(of value: EncodedFlagValue, limit: Int) -> String? {
        switch value {
        case .null: "null"
        case .bool(let value): "\(value)"
        case .integer(let value): "\(value)"
        case .double(let value): value.exactText
        case .decimal(let value): value.text.utf8.count <= limit ? value.text : nil
        // Not made where it is too long anyway.
        case .string(let text), .unparsed(let text): text.utf8.count <= limit ? text : nil
        case .data(let data): data.count / 3 <= limit / 4 ? data.base64EncodedString() : nil
        case .date, .array, .object: isLonger(value, than: limit) ? nil : json(of: value)
        }
    }

    /// Whether a value's JSON is certainly longer than a limit; it may be longer all the same.
    ///
    /// - Complexity: O(*limit*), whatever the value is.
    private static func isLonger(_ value: EncodedFlagValue, than limit: Int) -> Bool {
        var rest = limit
        var waiting = [value]
        while let value = waiting.popLast() {
            switch value {
            case .string(let text), .unparsed(let text): rest -= text.utf8.count
            case .decimal(let value): rest -= value.text.utf8.count
            case .data(let data): rest -= data.count
            // Each takes a byte at least, so what waits never outgrows the limit.
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
    /// The value in its neutral form; `nil` where ``input`` is.
    ///
    /// - Complexity: O(*n*) in the length of ``input``.
    public var encoded: EncodedFlagValue? {
        guard let input else { return nil }
        return switch kind {
        case .null: .null
        case .bool: .bool(input == "true")
        case .integer: Int128(input).map { .integer($0) }
        case .double: FlagDecimal(input).map { .decimal($0) } ?? Double(input).map { .double($0) }
        case .string: .string(input)
        case .text: .unparsed(input)
        case .data: Data(base64Encoded: input).map { .data($0) }
        case .date: (try? Date(encoded: .string(input))).map { .date($0) }
        case .array, .object: try? FlagJSONReader(limits: Self.jsonLimits).read(input)
        }
    }

    /// Whether it is too long to be given in full here.
    public var isShortened: Bool { input == nil }

    /// How much JSON is accepted for one value: 1 MiB, 64 levels.
    static var jsonLimits: FlagJSONReader.Limits {
        var limits = FlagJSONReader.Limits()
        limits.maximumBytes = fullLimit
        return limits
    }
}

extension FlagsBrowserValue: CustomStringConvertible {
    /// The short text.
    public var description: String { text }
}

extension FlagsBrowserValue.Kind {
    /// The kind of a value.
    public init(_ value: EncodedFlagValue) {
        self =
            switch value {
            case .null: .null
            case .bool: .bool
            case .integer: .integer
            case .double, .decimal: .double
            case .string: .string
            case .data: .data
            case .date: .date
            case .array: .array
            case .object: .object
            case .unparsed: .text
            }
    }
}
