/// The members of an object, by key.
struct FlagValueKeyedDecoding<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let decoder: FlagValueDecoder
    let members: [String: EncodedFlagValue]

    var codingPath: [any CodingKey] { decoder.codingPath }
    var allKeys: [Key] { members.keys.compactMap(Key.init(stringValue:)) }

    func contains(_ key: Key) -> Bool {
        members[key.stringValue] != nil
    }

    func decodeNil(forKey key: Key) throws -> Bool {
        try member(key) == .null
    }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try at(key).decode(type)
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) throws -> KeyedDecodingContainer<Nested> {
        try nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
        try nested(key).unkeyedContainer()
    }

    /// The member "super", or null if there is none.
    func superDecoder() throws -> any Decoder {
        let key = FlagValueCodingKey.superclass
        return try decoder.nested(members[key.stringValue] ?? .null, key: key)
    }

    func superDecoder(forKey key: Key) throws -> any Decoder {
        try decoder.nested(members[key.stringValue] ?? .null, key: key)
    }

    private func member(_ key: Key) throws -> EncodedFlagValue {
        guard let member = members[key.stringValue] else {
            throw DecodingError.keyNotFound(
                key,
                .init(codingPath: codingPath, debugDescription: "there is no member \"\(key.stringValue)\"")
            )
        }
        return member
    }

    private func nested(_ key: Key) throws -> FlagValueDecoder {
        try decoder.nested(try member(key), key: key)
    }

    /// The member's value on the level of the object: `decode` itself goes one level in.
    private func at(_ key: Key) throws -> FlagValueDecoder {
        FlagValueDecoder(value: try member(key), codingPath: codingPath + [key], depth: decoder.depth)
    }
}

// The generic `decode` serves the other requirements too, except for these, which have a default that always throws.
extension FlagValueKeyedDecoding {
    func decode(_ type: Int128.Type, forKey key: Key) throws -> Int128 { try at(key).decode(type) }
    func decode(_ type: UInt128.Type, forKey key: Key) throws -> UInt128 { try at(key).decode(type) }
}
