import TacklineCore

import TacklineFoundation

// Foundation: RealFlags keeps a `Codable` value as what `JSONEncoder` writes.

/// A value as RealFlags keeps it.
enum OldValue {
    /// Returns the value that RealFlags would have read, in the form that the flag's type writes.
    ///
    /// - Throws: An error with the reason why the type refuses the value.
    static func converted<Value: FlagValue>(
        _ stored: EncodedFlagValue, to type: Value.Type
    ) throws(FlagValueError) -> EncodedFlagValue {
        let refusal: FlagValueError
        do throws(FlagValueError) { return try Value(encoded: stored).encoded } catch { refusal = error }
        if holdsData(stored), let type = Value.self as? any Decodable.Type, let text = json(stored) {
            // As it was written, since the types of members are known: JSONEncoder's dates are numbers.
            guard let value = try? JSONDecoder().decode(type, from: Data(text)) as? Value else {
                throw FlagValueError(expected: "JSON from which \(Value.self) can be decoded", found: stored)
            }
            return try value.encoded
        }
        for other in looser(stored) {
            // A looser reading is for plain values only: it was none that RealFlags would have taken for another type.
            guard let value = try? Value(encoded: other), let encoded = try? value.encoded else { continue }
            switch encoded {
            case .bool, .integer, .double: return encoded
            default: continue
            }
        }
        throw refusal
    }

    /// The values of other types that RealFlags reads from a number or a text.
    private static func looser(_ stored: EncodedFlagValue) -> [EncodedFlagValue] {
        switch stored {
        case .integer(let number): [.bool(number != 0)]
        case .string(let text): [.unparsed(text)]
        default: []
        }
    }

    private static func holdsData(_ stored: EncodedFlagValue) -> Bool {
        switch stored {
        case .data: true
        case .array(let elements): elements.contains { holdsData($0) }
        case .object(let members): members.values.contains { holdsData($0) }
        default: false
        }
    }

    /// The value as one JSON text, into which data is put as it is; `nil` if some of it is no JSON.
    private static func json(_ stored: EncodedFlagValue) -> [UInt8]? {
        switch stored {
        case .data(let data):
            // Read first, since that is bounded.
            return (try? FlagJSONReader().read(data)).map { _ in [UInt8](data) }
        case .array(let elements):
            let parts = elements.compactMap { json($0) }
            guard parts.count == elements.count else { return nil }
            return [UInt8(ascii: "[")] + parts.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")]
        case .object(let members):
            let parts = members.compactMap { name, member -> [UInt8]? in
                guard let member = json(member), let name = json(.string(name)) else { return nil }
                return name + [UInt8(ascii: ":")] + member
            }
            guard parts.count == members.count else { return nil }
            return [UInt8(ascii: "{")] + parts.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "}")]
        default: return try? FlagJSONWriter(layout: .compact).bytes(of: stored)
        }
    }
}
