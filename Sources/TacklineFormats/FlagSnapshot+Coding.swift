public import TacklineCore

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation provides `Data` and `Date`, which `EncodedFlagValue` contains.

/// A `Codable` conformance that preserves every value exactly, with any encoder.
///
/// Booleans, strings and arrays are encoded directly. Any other value is encoded as an object whose only key names its
/// kind: `{"integer": "3"}`, `{"double": "-0.0"}`, `{"object": {…}}`.
///
/// A flag is omitted if its value is nested deeper than ``/TacklineCore/EncodedFlagValue/maximumDepth`` or if it can't
/// be decoded. The issue is reported to the current ``/TacklineCore/FlagIssueReporter``.
extension FlagSnapshot: Codable {
    private enum CodingKeys: CodingKey {
        case entries, separator
    }

    /// An entry with its key. Entries are a list, because keys of an object that differ only in their Unicode
    /// normalization are one key for some encoders.
    private struct KeyedEntry: Codable {
        let key: String
        /// The entry or the error of decoding it, so that one invalid entry doesn't fail the others.
        let entry: Result<Entry, any Error>

        private enum CodingKeys: CodingKey { case key }

        init(key: FlagKeyPath, entry: Entry) { (self.key, self.entry) = (key.text, .success(entry)) }

        init(from decoder: any Decoder) throws {
            key = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .key)
            entry = Result { try Entry(from: decoder) }
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            try container.encode(key, forKey: .key)
            try entry.get().encode(to: encoder)
        }
    }

    /// Decodes a snapshot. Flags that can't be decoded are omitted and reported.
    ///
    /// - Throws: `DecodingError` if the input isn't a snapshot.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let separator = try container.decode(String.self, forKey: .separator)
        var entries: [FlagKeyPath: Entry] = [:]
        for keyed in try container.decode([KeyedEntry].self, forKey: .entries) {
            let key = FlagKeyPath(keyed.key, separator: separator)
            do {
                entries[key] = try keyed.entry.get()
            } catch {
                Self.report(
                    "cannot be read from a snapshot, so it is left out: \(error). Make the snapshot again.", key)
            }
        }
        self.init(entries: entries, separator: separator)
    }

    /// Encodes the snapshot. Flags whose values are nested too deeply are omitted and reported.
    ///
    /// - Throws: An error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        let encodableEntries = entries.filter { key, entry in
            if entry.value.isWithinMaximumDepth { return true }
            let value = entry.isSecret ? nil : entry.value
            Self.report("is left out of the snapshot: \(EncodedFlagValue.tooDeep).", key, value)
            return false
        }
        let keyedEntries = encodableEntries.map { KeyedEntry(key: $0, entry: $1) }
        try container.encode(keyedEntries.inOrder { $0.key }, forKey: .entries)
        try container.encode(separator, forKey: .separator)
    }

    private static func report(_ message: String, _ key: FlagKeyPath, _ value: EncodedFlagValue? = nil) {
        FlagIssueReporter.current.report(
            FlagIssue(.refusedValue, message: "Flag \"\(key)\" \(message)", key: key, value: value))
    }
}

extension FlagSnapshot.Entry: Codable {
    private enum CodingKeys: CodingKey {
        case value, source, isSecret
    }

    /// Decodes an entry.
    ///
    /// - Throws: `DecodingError` if the input isn't an entry of a snapshot.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            value: try container.decode(ExactFlagValue.self, forKey: .value).value,
            source: try container.decode(FlagSource.self, forKey: .source),
            isSecret: try container.decodeIfPresent(Bool.self, forKey: .isSecret) ?? false)
    }

    /// Encodes the entry with its exact value.
    ///
    /// - Throws: An error of the encoder.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(ExactFlagValue(value: value), forKey: .value)
        try container.encode(source, forKey: .source)
        if isSecret { try container.encode(true, forKey: .isSecret) }
    }
}

/// A value that is encoded together with its kind, so that no encoder can change the kind.
struct ExactFlagValue: Codable {
    let value: EncodedFlagValue

    private enum Kind: String, CodingKey {
        case null, integer, double, decimal, data, date, text, object
    }

    /// Creates a value that is encoded with its kind.
    init(value: EncodedFlagValue) { self.value = value }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let flag = try? container.decode(Bool.self) {
            value = .bool(flag)
        } else if let text = try? container.decode(String.self) {
            value = .string(text)
        } else if let elements = try? container.decode([ExactFlagValue].self) {
            value = .array(elements.map(\.value))
        } else {
            value = try Self.value(in: decoder.container(keyedBy: Kind.self))
        }
    }

    private static func value(in container: KeyedDecodingContainer<Kind>) throws -> EncodedFlagValue {
        func number<Number: LosslessStringConvertible>(_ kind: Kind, as type: Number.Type = Number.self) throws
            -> Number
        {
            let text = try container.decode(String.self, forKey: kind)
            guard let value = Number(text) else {
                throw DecodingError.dataCorruptedError(
                    forKey: kind, in: container, debugDescription: "\"\(text)\" is not a number")
            }
            return value
        }
        let kind = container.allKeys.first
        switch kind {
        case .null: return .null
        case .integer: return .integer(try number(.integer))
        case .double: return .double(try number(.double))
        case .decimal:
            guard let value = EncodedFlagValue(decimal: try container.decode(String.self, forKey: .decimal)) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .decimal, in: container, debugDescription: "it is not a decimal number")
            }
            return value
        case .data:
            guard let data = Data(base64Encoded: try container.decode(String.self, forKey: .data)) else {
                throw DecodingError.dataCorruptedError(
                    forKey: .data, in: container, debugDescription: "it is not base64")
            }
            return .data(data)
        case .date: return .date(Date(timeIntervalSinceReferenceDate: try number(.date)))
        case .text: return .unparsed(try container.decode(String.self, forKey: .text))
        case .object:
            return .object(try container.decode([String: ExactFlagValue].self, forKey: .object).mapValues(\.value))
        case nil:
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: container.codingPath, debugDescription: "it does not say what kind of value it is"))
        }
    }

    func encode(to encoder: any Encoder) throws {
        switch value {
        case .bool(let flag): try encode(flag, to: encoder)
        case .string(let text): try encode(text, to: encoder)
        case .array(let elements): try encode(elements.map { ExactFlagValue(value: $0) }, to: encoder)
        case .null: try encode(true, as: .null, to: encoder)
        case .integer(let number): try encode("\(number)", as: .integer, to: encoder)
        case .double(let number): try encode("\(number)", as: .double, to: encoder)
        case .decimal(let number): try encode(number.text, as: .decimal, to: encoder)
        case .data(let data): try encode(data.base64EncodedString(), as: .data, to: encoder)
        case .date(let date): try encode("\(date.timeIntervalSinceReferenceDate)", as: .date, to: encoder)
        case .unparsed(let text): try encode(text, as: .text, to: encoder)
        case .object(let members):
            try encode(members.mapValues { ExactFlagValue(value: $0) }, as: .object, to: encoder)
        }
    }

    private func encode(_ value: some Encodable, to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(value)
    }

    private func encode(_ value: some Encodable, as kind: Kind, to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Kind.self)
        try container.encode(value, forKey: kind)
    }
}

extension EncodedFlagValue {
    /// Whether the value is nested at most `maximumDepth` levels deep.
    ///
    /// A value created in code can have any depth, so the implementation doesn't recurse.
    fileprivate var isWithinMaximumDepth: Bool {
        var level = [self]
        for _ in 0...EncodedFlagValue.maximumDepth {
            level = level.flatMap { value -> [EncodedFlagValue] in
                switch value {
                case .array(let elements): elements
                case .object(let members): Array(members.values)
                default: []
                }
            }
            if level.isEmpty { return true }
        }
        return false
    }
}
