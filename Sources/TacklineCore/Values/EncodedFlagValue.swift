// `Data` and `Date` are types of Foundation.
#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

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
/// `true`, `1` and `1.0` are three different values, and they stay different in JSON and property lists. Two values are
/// equal if they have the same case and the same content. Strings and keys are compared by their UTF-8 bytes, so two
/// strings that differ only in Unicode normalization are different. NaN equals itself, and -0.0 differs from 0.0.
public enum EncodedFlagValue: Sendable, Hashable {
    /// The absence of a value. If a flag is not optional, a provider with null counts as one without a value.
    case null
    /// A Boolean.
    case bool(Bool)
    /// An integer. `Int128` can represent every `Int64` and every `UInt64`.
    case integer(Int128)
    /// A floating-point number. In JSON, it is a number with a fraction or an exponent.
    case double(Double)
    /// A decimal number that a `Double` can't carry, such as 1.00000000000000001 or a `Decimal` of twenty digits.
    ///
    /// A `Double` flag rounds it, and an `Int` flag refuses it.
    case decimal(FlagDecimal)
    /// A string.
    case string(String)
    /// A sequence of bytes. In JSON, it is a string in base64.
    case data(Data)
    /// A point in time. In JSON, it is a string in RFC 3339 format.
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

    /// The error message for a value that is nested more than ``maximumDepth`` levels deep.
    package static let tooDeep =
        "arrays and objects are nested more than \(maximumDepth) levels deep; flatten the value"
}

extension EncodedFlagValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// Creates ``null`` from `nil`.
    public init(nilLiteral: ()) { self = .null }

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

// Equality is not synthesized, for three reasons. `String` compares by canonical equivalence, which takes quadratic
// time for a run of combining marks: a single string from a server could block a reader for minutes. If a NaN differed
// from itself, each comparison would report a change. A value that was created in code can be nested to any depth, so
// comparing and hashing must not recurse.
extension EncodedFlagValue {
    /// Returns whether both values have the same case and the same content.
    ///
    /// Strings and keys are compared by their UTF-8 bytes.
    @inline(never) public static func == (left: EncodedFlagValue, right: EncodedFlagValue) -> Bool {
        guard left.isContainer, right.isContainer else { return areEqualScalars(left, right) }
        var pending = [(left, right)]
        while let (left, right) = pending.popLast() {
            switch (left, right) {
            case (.array(let left), .array(let right)):
                guard left.count == right.count else { return false }
                for index in left.indices where !areEqual(left[index], right[index], orAppendTo: &pending) {
                    return false
                }
            case (.object(let left), .object(let right)):
                guard left.count == right.count else { return false }
                for (key, left) in left {
                    guard let right = right[exact: key], areEqual(left, right, orAppendTo: &pending) else {
                        return false
                    }
                }
            default: return false
            }
        }
        return true
    }

    /// Hashes the value.
    ///
    /// An array or object inside another one contributes only the number of its elements or members.
    @inline(never) public func hash(into hasher: inout Hasher) {
        hashShallowly(into: &hasher)
        switch self {
        case .array(let elements): for element in elements { element.hashShallowly(into: &hasher) }
        case .object(let members):
            // Members have no order.
            var mixed = 0
            for (key, value) in members {
                var member = Hasher()
                key.hashBytes(into: &member)
                value.hashShallowly(into: &member)
                mixed ^= member.finalize()
            }
            hasher.combine(mixed)
        default: break
        }
    }

    /// Returns the approximate size of the value in memory in bytes, or `nil` if it exceeds `limit`.
    ///
    /// - Complexity: O(*n*), where *n* is the number of nested values. The traversal stops at the limit.
    @inline(never) package func byteCount(upTo limit: Int) -> Int? {
        var count = 0
        var pending = [self]
        while let next = pending.popLast() {
            count += MemoryLayout<EncodedFlagValue>.stride
            switch next {
            case .string(let text), .unparsed(let text): count += text.utf8.count
            case .decimal(let value): count += value.text.utf8.count
            case .data(let data): count += data.count
            case .array(let elements):
                guard elements.count < limit else { return nil }
                pending += elements
            case .object(let members):
                guard members.count < limit else { return nil }
                for (name, value) in members {
                    count += name.utf8.count
                    pending.append(value)
                }
            default: break
            }
            guard count <= limit else { return nil }
        }
        return count
    }

    /// Whether the value is an array or an object.
    package var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }

    /// Returns whether two values are equal. If both are containers, appends them to `pending` and returns `true`.
    private static func areEqual(
        _ left: EncodedFlagValue, _ right: EncodedFlagValue,
        orAppendTo pending: inout [(EncodedFlagValue, EncodedFlagValue)]
    ) -> Bool {
        guard left.isContainer, right.isContainer else { return areEqualScalars(left, right) }
        pending.append((left, right))
        return true
    }

    @inline(never)  // Inlining would double the code size of `==`.
    private static func areEqualScalars(_ left: EncodedFlagValue, _ right: EncodedFlagValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern || left.isNaN && right.isNaN
        case (.decimal(let left), .decimal(let right)): left == right
        case (.string(let left), .string(let right)), (.unparsed(let left), .unparsed(let right)):
            left.hasSameBytes(as: right)
        case (.data(let left), .data(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        default: false
        }
    }

    @inline(never) private func hashShallowly(into hasher: inout Hasher) {
        switch self {
        case .null: break
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value.isNaN ? 0 : value.bitPattern)
        case .decimal(let value): hasher.combine(value)
        case .string(let text), .unparsed(let text): text.hashBytes(into: &hasher)
        case .data(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .array(let elements): hasher.combine(elements.count)
        case .object(let members): hasher.combine(members.count)
        }
    }
}

// MARK: Codable

/// A `Codable` conformance that uses the natural form of a value: `.integer(1)` is encoded as the number 1.
///
/// Data is encoded as a string in base64, a date as a string in RFC 3339 format, and an unparsed text as a string. All
/// three are decoded as strings, which the flag types `Data` and `Date` accept. `JSONEncoder` writes 1.0 as `1`, and a
/// decimal as its nearest `Double`. Use `FlagJSONWriter` to keep them apart.
extension EncodedFlagValue: Codable {
    /// Creates a value from a null, Boolean, number, string, array or object of the decoder.
    ///
    /// - Throws: `DecodingError` for a value nested more than ``maximumDepth`` levels deep, and any error that the
    ///   decoder throws.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? FlagValueDecoder {
            self = decoder.value
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Int64.self) {
            self = .integer(Int128(value))
        } else if let value = try? container.decode(UInt64.self) {
            self = .integer(Int128(value))
        } else if let value = try? container.decode(Int128.self) {
            self = .integer(value)
        } else if let value = try? container.decode(Double.self) {
            self = .double(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if decoder.codingPath.count >= EncodedFlagValue.maximumDepth {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: EncodedFlagValue.tooDeep)
        } else if var elements = try? decoder.unkeyedContainer() {
            var values: [EncodedFlagValue] = []
            while !elements.isAtEnd { values.append(try elements.decode(EncodedFlagValue.self)) }
            self = .array(values)
        } else {
            self = .object(try container.decode([String: EncodedFlagValue].self))
        }
    }

    /// Encodes the value in its natural form.
    ///
    /// - Throws: `EncodingError` for a date outside the years 1 to 9999 and for a value nested more than
    ///   ``maximumDepth`` levels deep, and any error that the encoder throws.
    public func encode(to encoder: any Encoder) throws {
        if isContainer, encoder.codingPath.count >= EncodedFlagValue.maximumDepth {
            throw encodingError(EncodedFlagValue.tooDeep, encoder)
        }
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value):
            // Not every encoder supports `Int128`, so the narrower types come first.
            if let narrow = Int64(exactly: value) {
                try container.encode(narrow)
            } else if let narrow = UInt64(exactly: value) {
                try container.encode(narrow)
            } else {
                try container.encode(value)
            }
        case .double(let value): try container.encode(value)
        case .decimal(let value): try container.encode(value.nearestDouble)
        case .string(let value), .unparsed(let value): try container.encode(value)
        case .data(let value): try container.encode(value.base64EncodedString())
        case .date(let value):
            do {
                try container.encode(FlagTimestamp.text(of: value))
            } catch let error as FlagValueError {
                throw encodingError(error.description, encoder)
            }
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }

    private func encodingError(_ reason: String, _ encoder: any Encoder) -> EncodingError {
        .invalidValue(self, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: reason))
    }
}
