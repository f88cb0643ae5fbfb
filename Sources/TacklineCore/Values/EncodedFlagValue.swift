// Foundation: `Data` and `Date` are cases of the neutral form.
#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

/// A flag's value in the neutral form that files, servers, environments and snapshots share.
///
/// `true`, `1` and `1.0` are three different values here and stay apart on the way through JSON and property lists.
/// Equality is by case and content: `.integer(1)` is not `.double(1)`, strings and keys that differ in their Unicode
/// normalisation are different, NaN equals itself and -0.0 is not 0.0.
public enum EncodedFlagValue: Sendable, Hashable {
    /// No value. For a flag that is not optional it means "no opinion".
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A whole number. `Int128` has room for every `Int64` and every `UInt64`.
    case integer(Int128)
    /// A floating-point number: in JSON, one with a fraction or an exponent.
    case double(Double)
    /// A text.
    case string(String)
    /// Bytes. JSON carries them as base64.
    case data(Data)
    /// A point in time. JSON carries it in the form of RFC 3339.
    case date(Date)
    /// An ordered list.
    case array([EncodedFlagValue])
    /// Named members, in no order.
    case object([String: EncodedFlagValue])
    /// A text without a type of its own, from an environment variable, an argument or a terminal: the flag's type
    /// decides how it is read.
    case unparsed(String)

    /// How many levels deep arrays and objects may be nested: 64.
    ///
    /// Everything that reads, writes or codes values keeps to it, so that what can be written can be read again and
    /// input from outside cannot exhaust the stack. In a file the objects around a value count too: the file's own, and
    /// one for each group that is an object.
    public static let maximumDepth = 64

    /// The message about a value that is nested more deeply.
    package static let tooDeep =
        "arrays and objects are nested more than \(maximumDepth) levels deep; flatten the value"
}

extension EncodedFlagValue: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral,
    ExpressibleByFloatLiteral, ExpressibleByStringInterpolation, ExpressibleByArrayLiteral,
    ExpressibleByDictionaryLiteral
{
    /// `nil` is ``null``.
    public init(nilLiteral: ()) { self = .null }

    /// `true` and `false` are ``bool(_:)``.
    public init(booleanLiteral value: Bool) { self = .bool(value) }

    /// `1` is ``integer(_:)``.
    public init(integerLiteral value: Int128) { self = .integer(value) }

    /// `1.0` is ``double(_:)``.
    public init(floatLiteral value: Double) { self = .double(value) }

    /// `"on"`, with or without interpolations, is ``string(_:)``, never ``unparsed(_:)``.
    public init(stringLiteral value: String) { self = .string(value) }

    /// `[1, true]` is ``array(_:)``.
    public init(arrayLiteral elements: EncodedFlagValue...) { self = .array(elements) }

    /// `["attempts": 3]` is ``object(_:)``. Of members with the same key the last one counts.
    public init(dictionaryLiteral members: (String, EncodedFlagValue)...) {
        self = .object(Dictionary(members) { _, last in last })
    }
}

// Not synthesized. `String` compares by canonical equivalence, which takes quadratic time for a run of combining marks:
// one string from a server could keep a reader busy for minutes. A NaN that differs from itself would be announced as a
// change forever. And nothing here recurses, since a value that was made in code can be nested to any depth.
extension EncodedFlagValue {
    /// Whether both are of the same case with the same content; strings and keys are compared by their bytes in UTF-8.
    @inline(never) public static func == (left: EncodedFlagValue, right: EncodedFlagValue) -> Bool {
        guard left.isContainer, right.isContainer else { return haveEqualLeaves(left, right) }
        var pending = [(left, right)]
        while let (left, right) = pending.popLast() {
            switch (left, right) {
            case (.array(let left), .array(let right)):
                guard left.count == right.count else { return false }
                for index in left.indices where !areEqual(left[index], right[index], later: &pending) { return false }
            case (.object(let left), .object(let right)):
                guard left.count == right.count else { return false }
                for (key, left) in left {
                    guard let right = right[exact: key], areEqual(left, right, later: &pending) else { return false }
                }
            default: return false
            }
        }
        return true
    }

    /// Hashes what `==` compares; of arrays and objects inside another one, only their number of parts.
    @inline(never) public func hash(into hasher: inout Hasher) {
        hashLeaf(into: &hasher)
        switch self {
        case .array(let elements): for element in elements { element.hashLeaf(into: &hasher) }
        case .object(let members):
            // Members have no order.
            var mixed = 0
            for (key, value) in members {
                var member = Hasher()
                key.hashBytes(into: &member)
                value.hashLeaf(into: &member)
                mixed ^= member.finalize()
            }
            hasher.combine(mixed)
        default: break
        }
    }

    /// Returns about how many bytes the value takes in memory, or `nil` if that is more than `limit`.
    ///
    /// - Complexity: O(*n*) in the number of values inside; stops at the limit.
    @inline(never) func byteCount(upTo limit: Int) -> Int? {
        var count = 0
        var pending = [self]
        while let next = pending.popLast() {
            count += MemoryLayout<EncodedFlagValue>.stride
            switch next {
            case .string(let text), .unparsed(let text): count += text.utf8.count
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

    var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }

    /// Whether two parts are equal; if both are containers, adds them to `pending` and returns `true`.
    private static func areEqual(
        _ left: EncodedFlagValue, _ right: EncodedFlagValue, later pending: inout [(EncodedFlagValue, EncodedFlagValue)]
    ) -> Bool {
        guard left.isContainer, right.isContainer else { return haveEqualLeaves(left, right) }
        pending.append((left, right))
        return true
    }

    @inline(never)  // Inlined, it doubles the code of `==`.
    private static func haveEqualLeaves(_ left: EncodedFlagValue, _ right: EncodedFlagValue) -> Bool {
        switch (left, right) {
        case (.null, .null): true
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)): left.bitPattern == right.bitPattern || left.isNaN && right.isNaN
        case (.string(let left), .string(let right)), (.unparsed(let left), .unparsed(let right)):
            left.hasSameBytes(as: right)
        case (.data(let left), .data(let right)): left == right
        case (.date(let left), .date(let right)): left == right
        default: false
        }
    }

    @inline(never) private func hashLeaf(into hasher: inout Hasher) {
        switch self {
        case .null: break
        case .bool(let value): hasher.combine(value)
        case .integer(let value): hasher.combine(value)
        case .double(let value): hasher.combine(value.isNaN ? 0 : value.bitPattern)
        case .string(let text), .unparsed(let text): text.hashBytes(into: &hasher)
        case .data(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .array(let elements): hasher.combine(elements.count)
        case .object(let members): hasher.combine(members.count)
        }
    }
}

/// Codes the value in its natural form: `.integer(1)` is the number 1, not an object that describes it.
///
/// Data is written as a base64 string, a date as a string in the form of RFC 3339 and an untyped text as a string, and
/// all three are read back as strings, which the flag types `Data` and `Date` take. `JSONEncoder` writes 1.0 as `1`;
/// `FlagJSONWriter` keeps the two apart.
extension EncodedFlagValue: Codable {
    /// Reads any value that the decoder can show as a null, Boolean, number, string, array or object.
    ///
    /// - Throws: What the decoder throws; `DecodingError` for a value nested more than ``maximumDepth`` levels deep.
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

    /// Writes the value in its natural form.
    ///
    /// - Throws: What the encoder throws; `EncodingError` for a date outside the years 1 to 9999 and for a value nested
    ///   more than ``maximumDepth`` levels deep.
    public func encode(to encoder: any Encoder) throws {
        if isContainer, encoder.codingPath.count >= EncodedFlagValue.maximumDepth {
            throw refusal(encoder, EncodedFlagValue.tooDeep)
        }
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value):
            // The narrow types first: not every encoder supports `Int128`.
            if let narrow = Int64(exactly: value) {
                try container.encode(narrow)
            } else if let narrow = UInt64(exactly: value) {
                try container.encode(narrow)
            } else {
                try container.encode(value)
            }
        case .double(let value): try container.encode(value)
        case .string(let value), .unparsed(let value): try container.encode(value)
        case .data(let value): try container.encode(value.base64EncodedString())
        case .date(let value):
            do {
                try container.encode(FlagTimestamp.text(of: value))
            } catch let error as FlagValueError {
                throw refusal(encoder, error.description)
            }
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }

    private func refusal(_ encoder: any Encoder, _ reason: String) -> EncodingError {
        .invalidValue(self, EncodingError.Context(codingPath: encoder.codingPath, debugDescription: reason))
    }
}
