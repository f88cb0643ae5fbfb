#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Foundation: `Data` and `Date` are cases of the neutral form.

/// The natural form for any encoder and decoder: `.integer(1)` is the number 1 and not an object that describes it.
///
/// What a coder cannot tell apart does not come back apart. Data is written as a base64 string, a date as a string in
/// the form of RFC 3339 and an untyped text as a string, and all three are read back as strings, which the flag types
/// `Data` and `Date` take. `JSONEncoder` writes 1.0 as `1`; ``FlagJSONWriter`` keeps them apart.
extension EncodedFlagValue: Codable {
    /// Reads any value that the decoder can show as a null, Boolean, number, string, array or object.
    public init(from decoder: any Decoder) throws {
        if let decoder = decoder as? FlagValueDecoder {
            self = decoder.value
            return
        }
        let container = try decoder.singleValueContainer()
        guard decoder.codingPath.count < FlagValueDecoder.maximumDepth else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: FlagValueDecoder.tooDeep)
        }
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
        } else if var elements = try? decoder.unkeyedContainer() {
            var values: [EncodedFlagValue] = []
            while !elements.isAtEnd {
                values.append(try elements.decode(EncodedFlagValue.self))
            }
            self = .array(values)
        } else {
            self = .object(try container.decode([String: EncodedFlagValue].self))
        }
    }

    /// Writes the value in its natural form.
    ///
    /// - Throws: What the encoder throws; `EncodingError` for a date outside the years 1 to 9999 and for a value nested
    ///   too deeply.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        guard encoder.codingPath.count < FlagValueDecoder.maximumDepth else {
            throw EncodingError.invalidValue(
                self,
                EncodingError.Context(codingPath: encoder.codingPath, debugDescription: FlagValueDecoder.tooDeep)
            )
        }
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .integer(let value):
            // The narrow types first: not every encoder knows the wide one.
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
                let context = EncodingError.Context(codingPath: encoder.codingPath, debugDescription: "\(error)")
                throw EncodingError.invalidValue(self, context)
            }
        case .array(let elements): try container.encode(elements)
        case .object(let members): try container.encode(members)
        }
    }
}
