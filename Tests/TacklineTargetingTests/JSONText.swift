import Foundation
import TacklineCore

/// A JSON document as a neutral value, read with Foundation.
struct JSONText: Decodable {
    let value: EncodedFlagValue

    init(from decoder: any Decoder) throws {
        if let container = try? decoder.container(keyedBy: Key.self) {
            var members: [String: EncodedFlagValue] = [:]
            for key in container.allKeys { members[key.stringValue] = try container.decode(JSONText.self, forKey: key).value }
            value = .object(members)
            return
        }
        if var container = try? decoder.unkeyedContainer() {
            var elements: [EncodedFlagValue] = []
            while !container.isAtEnd { elements.append(try container.decode(JSONText.self).value) }
            value = .array(elements)
            return
        }
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            value = .null
        } else if let flag = try? container.decode(Bool.self) {
            value = .bool(flag)
        } else if let number = try? container.decode(Int64.self) {
            value = .integer(Int128(number))
        } else if let number = try? container.decode(Double.self) {
            value = .double(number)
        } else {
            value = .string(try container.decode(String.self))
        }
    }

    private struct Key: CodingKey {
        var stringValue: String
        var intValue: Int? { nil }
        init(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

/// Reads JSON written in a test.
func json(_ text: String) throws -> EncodedFlagValue {
    try JSONDecoder().decode(JSONText.self, from: Data(text.utf8)).value
}
