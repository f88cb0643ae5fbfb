/// Fills in the members of an object. Of members with the same key the last one counts.
struct FlagValueKeyedEncoding<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let encoder: FlagValueEncoder

    var codingPath: [any CodingKey] { encoder.codingPath }

    func encodeNil(forKey key: Key) {
        encoder.node.member(key.stringValue).content = .value(.null)
    }

    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        try encodeMember(value, forKey: key)
    }

    // These have a default that always throws.
    func encode(_ value: Int128, forKey key: Key) throws { try encodeMember(value, forKey: key) }
    func encode(_ value: UInt128, forKey key: Key) throws { try encodeMember(value, forKey: key) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type,
        forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        nested(key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        nested(key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        nested(FlagValueCodingKey.superclass)
    }

    func superEncoder(forKey key: Key) -> any Encoder {
        nested(key)
    }

    private func nested(_ key: any CodingKey) -> FlagValueEncoder {
        encoder.nested(encoder.node.member(key.stringValue), key: key)
    }

    private func encodeMember<Value: Encodable>(_ value: Value, forKey key: Key) throws {
        let node = encoder.node.member(key.stringValue)
        try FlagValueEncoder(node: node, codingPath: codingPath + [key], depth: encoder.depth).encode(value)
    }
}
